/* Gives the broken plugin the functions of plugin_timing.h. */
#include "conformance/plugin_timing.h"

static int32_t Prepare(const tandem_plugin* self, const tandem_problem* problem, const tandem_plugin_memory* memory,
                       tandem_prepared* prepared, char* message, size_t message_size) {
  (void)self;
  (void)problem;
  (void)memory;
  (void)message;
  (void)message_size;
  prepared->handle = prepared;
  return tandem_ok;
}

static int32_t Execute(void* handle) {
  (void)handle;
  return tandem_ok;
}

static void Release(void* handle) { (void)handle; }

const tandem_timing* tandem_get_timing(uint32_t host_abi) {
  static const tandem_timing timing = {sizeof timing, TANDEM_PLUGIN_ABI, Prepare, Execute, Release, NULL};
  return host_abi == TANDEM_PLUGIN_ABI ? &timing : NULL;
}
