/* The fuzz target `plugin` and the plugin that it has judged share a file that both have mapped. It is plain C11. */
#ifndef TANDEM_FUZZ_LYING_PLUGIN_H_
#define TANDEM_FUZZ_LYING_PLUGIN_H_

#include <stdint.h>

/* This environment variable names the file. */
#define TANDEM_LIES "TANDEM_FUZZ_LIES"

enum { kLieBytes = 2048, kReportBytes = 1056 };

typedef struct {
  uint64_t task; /* the task's number; the judge believes a forged report only with it */
  uint32_t size; /* number of bytes that choose; all further ones are 0 */
  uint8_t bytes[kLieBytes];
} tandem_lies;

#endif /* TANDEM_FUZZ_LYING_PLUGIN_H_ */
