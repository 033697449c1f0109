// If the plugin's access to an address ends the process, this names the buffer that the address belongs to.
#ifndef TANDEM_CONFORMANCE_SANDBOX_WORKER_FAULTS_H_
#define TANDEM_CONFORMANCE_SANDBOX_WORKER_FAULTS_H_

#include <array>

#include "conformance/sandbox/messages/task.h"

namespace tandem::conformance {

// The handler of a fault can ask nobody, so it has here where to report, and all buffers of the run.
struct FaultContext {
  struct Buffer {
    const GuardedArena* arena = nullptr;  // null: there is none
    GuardedSpan span;
  };

  int socket = -1;
  TaskReport report;
  std::array<Buffer, kNumNamedSpans> buffer;
};

// The handler has its own stack, so that a stack overflow is reported too. `context` must outlive every call of the plugin.
void CatchFaults(FaultContext* context);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_WORKER_FAULTS_H_
