/* A plugin may also export these functions. With them `tandem bench` times executions without what happens once: creation, and
 * the reordering of weights into its own layout. They are plain C11; the rules of plugin.h hold.
 *
 *     const tandem_timing* tandem_get_timing(uint32_t host_abi); */
#ifndef TANDEM_CONFORMANCE_PLUGIN_TIMING_H_
#define TANDEM_CONFORMANCE_PLUGIN_TIMING_H_

#include "conformance/plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  uint32_t size; /* sizeof(tandem_prepared) */
  uint32_t reserved;
  double create_seconds; /* filled: creation of the primitive, the median of several, layouts of weights not counted */
  void* handle;          /* filled: for execute and release */
} tandem_prepared;

typedef struct {
  uint32_t size; /* sizeof(tandem_timing) */
  uint32_t abi;  /* TANDEM_PLUGIN_ABI */
  /* Prepares a problem that supports() accepted. `problem`'s tensors and `memory` stay until release(), `problem` itself need
   * not. Returns tandem_ok, or tandem_failed and a message. */
  int32_t (*prepare)(const tandem_plugin* self, const tandem_problem* problem, const tandem_plugin_memory* memory,
                     tandem_prepared* prepared, char* message, size_t message_size);
  /* Executes once, with everything prepared. */
  int32_t (*execute)(void* handle);
  void (*release)(void* handle);
  /* Returns the seconds of the last execute() by the implementation's clock. If this is null or absent, the caller measures. */
  double (*last_seconds)(void* handle);
} tandem_timing;

typedef const tandem_timing* (*tandem_get_timing_function)(uint32_t host_abi);

#ifdef __cplusplus
}
#endif

#endif /* TANDEM_CONFORMANCE_PLUGIN_TIMING_H_ */
