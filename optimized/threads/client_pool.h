// Teams of a thread pool of the client's.
#ifndef TANDEM_OPTIMIZED_THREADS_CLIENT_POOL_H_
#define TANDEM_OPTIMIZED_THREADS_CLIENT_POOL_H_

#include "dnnl/abi.h"
#include "optimized/threads/worker_pool.h"

namespace tandem {
namespace optimized {

// Does what WorkerPool::Run() does, on threads of `pool`. A pool does not say how many of its calls run at the same time, and
// threads that share the units of a row wait for each other. So the team is gathered: calls that have begun wait for the others
// for about 0.1 ms at most, then the team is fixed, and calls that come later return at once. If the pool makes none, the calling
// thread is the team.
void RunOnClientPool(const tandem_threadpool_t& pool, int threads, const TeamTask& task);

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_THREADS_CLIENT_POOL_H_
