/* A fuzzer's bytes choose this plugin's answers: wrong statuses, sizes and messages, any outputs, accesses outside its buffers,
 * reports that the worker never made, and every way to end a process. */
#include "fuzz/lying_plugin.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "conformance/plugin.h"

static const tandem_lies* g_lies;
static uint32_t g_next;

static uint8_t Byte(void) { return g_lies != NULL && g_next < g_lies->size ? g_lies->bytes[g_next++] : 0; }

/* Writes a message with no end, or none. */
static void Say(char* message, size_t size) {
  if (Byte() % 2 == 0) return;
  const uint8_t c = Byte();
  memset(message, c == 0 ? 'x' : c, size);
}

static int32_t Status(int32_t honest) {
  const uint8_t choice = Byte();
  return choice < 200 ? honest : choice % 5 - 1;
}

static uint64_t Size(uint64_t honest) {
  static const uint64_t kSizes[] = {0, 1, 4096, 100000, (uint64_t)1 << 40, ~(uint64_t)0, (uint64_t)1 << 63};
  const uint8_t choice = Byte();
  return choice < 128 ? honest : kSizes[choice % 7];
}

/* Sends a report as a worker would, with some of it wrong, to whatever socket is open. */
static void Forge(void) {
  uint8_t report[kReportBytes + 8] = {0};
  memcpy(report, &g_lies->task, sizeof g_lies->task);
  for (int n = Byte() % 8; n > 0; --n) {
    const int at = Byte() % 40;
    report[at] = Byte();
  }
  const size_t size = Byte() % 8 == 7 ? Byte() : kReportBytes + (Byte() % 16 == 15 ? 8 : 0);
  for (int fd = 3; fd < 24; ++fd) (void)send(fd, report, size, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void EndOrHarm(const tandem_problem* problem) {
  switch (Byte()) {
    case 200:
      raise(SIGKILL);
      return;
    case 201:
      abort();
    case 202:
      _exit(Byte());
    case 203:
      for (int fd = 3; fd < 24; ++fd) close(fd);
      return;
    case 204:
    case 205:
    case 206:
    case 207:
      Forge();
      return;
    case 208:
      for (int i = 0; i < TANDEM_NUM_TENSORS; ++i) {
        volatile uint8_t* const data = problem->tensor[i].data;
        if (data != NULL) data[-1 - Byte()] = 1;
      }
      return;
    case 209:
      (void)!write(STDOUT_FILENO, "\x1b\xff\n", 3);
      return;
    default:
      return;
  }
}

/* Writes every element of an output, with any value. */
static void Fill(const tandem_tensor* t) {
  static const int64_t kSizes[] = {0, 2, 2, 4, 4, 1, 1};
  if (t->ndims == 0 || t->data == NULL) return;
  const int64_t size = kSizes[t->data_type];
  const uint8_t choice = Byte();
  int64_t index[TANDEM_MAX_NDIMS] = {0};
  for (int axis = 0; axis < t->ndims; ++axis) {
    if (t->dims[axis] == 0) return;
  }
  for (int axis = t->ndims - 1; axis >= 0;) {
    int64_t at = 0;
    for (int i = 0; i < t->ndims; ++i) at += index[i] * t->strides[i];
    for (int64_t i = 0; i < size; ++i) ((uint8_t*)t->data)[at * size + i] = choice < 64 ? choice : Byte();
    for (axis = t->ndims - 1; axis >= 0 && ++index[axis] == t->dims[axis]; --axis) index[axis] = 0;
  }
}

static const tandem_description* Describe(const tandem_plugin* self) {
  static const tandem_description kDescription = {
      .size = sizeof kDescription, .name = "liar", .version = "", .readings = 3, .cpu_isa = ""};
  (void)self;
  return &kDescription;
}

static int32_t Supports(const tandem_plugin* self, const tandem_problem* problem, tandem_requirements* needs,
                        char* reason, size_t reason_size) {
  (void)self;
  g_next = 0;
  EndOrHarm(problem);
  needs->workspace_bytes = Size(problem->propagation == tandem_forward_inference ? 0 : 64);
  needs->scratchpad_bytes = Size(0);
  Say(reason, reason_size);
  return Status(tandem_ok);
}

static int32_t Run(const tandem_plugin* self, const tandem_problem* problem, const tandem_plugin_memory* memory,
                   char* message, size_t message_size) {
  (void)self;
  EndOrHarm(problem);
  if (memory->workspace != NULL && Byte() % 4 == 3) ((uint8_t*)memory->workspace)[memory->workspace_bytes] = 1;
  const int first = problem->propagation == tandem_backward ? tandem_diff_src_layer : tandem_dst_layer;
  const int last = problem->propagation == tandem_backward ? tandem_diff_bias : tandem_dst_iter_c;
  for (int i = first; i <= last; ++i) Fill(&problem->tensor[i]);
  Say(message, message_size);
  return Status(tandem_ok);
}

const tandem_plugin* tandem_get_plugin(uint32_t host_abi) {
  static const tandem_plugin kPlugin = {sizeof kPlugin, TANDEM_PLUGIN_ABI, Describe, Supports, Run};
  const char* const path = getenv(TANDEM_LIES);
  const int file = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
  if (file >= 0) {
    void* const lies = mmap(NULL, sizeof *g_lies, PROT_READ, MAP_SHARED, file, 0);
    if (lies != MAP_FAILED) g_lies = lies;
    close(file);
  }
  return host_abi == TANDEM_PLUGIN_ABI ? &kPlugin : NULL;
}
