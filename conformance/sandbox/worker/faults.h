// Says which buffer an address belongs to when the plugin's access to it ends the process.
#ifndef TANDEM_CONFORMANCE_SANDBOX_WORKER_FAULTS_H_
#define TANDEM_CONFORMANCE_SANDBOX_WORKER_FAULTS_H_

#include <array>

#include "conformance/sandbox/messages/task.h"

namespace tandem::conformance {

// What the handler of a fault knows, because it can ask nobody: where to report, and all buffers of the run.
struct FaultContext {
  struct Buffer {
    const GuardedArena* arena = nullptr;  // null: there is none
    GuardedSpan span;
  };

  int socket = -1;
  TaskReport report;
  std::array<Buffer, kNumNamedSpans> buffer;
};

// On its own stack, so that a stack overflow is reported too. `context` must outlive every call of the plugin.
void CatchFaults(FaultContext* context);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_WORKER_FAULTS_H_
