// This worker has loaded its plugin. It makes copies of itself, in which tasks run.
#ifndef TANDEM_CONFORMANCE_SANDBOX_WORKER_FORK_SERVER_H_
#define TANDEM_CONFORMANCE_SANDBOX_WORKER_FORK_SERVER_H_

#include "conformance/sandbox/worker/load.h"

namespace tandem::conformance {

// Answers the requests that come over `control` until it is closed.
void ServeRequests(const LoadedPlugin& plugin, int control);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_WORKER_FORK_SERVER_H_
