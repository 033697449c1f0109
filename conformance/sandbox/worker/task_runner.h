// Tasks run here. Nothing else calls the plugin's functions on tensors.
#ifndef TANDEM_CONFORMANCE_SANDBOX_WORKER_TASK_RUNNER_H_
#define TANDEM_CONFORMANCE_SANDBOX_WORKER_TASK_RUNNER_H_

#include "conformance/sandbox/worker/load.h"

namespace tandem::conformance {

// Does the tasks that come over `socket` until it is closed, then ends the process.
[[noreturn]] void ServeTasks(const LoadedPlugin& plugin, int socket) noexcept;

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_WORKER_TASK_RUNNER_H_
