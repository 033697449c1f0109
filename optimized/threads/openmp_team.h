// Teams of the client's OpenMP runtime.
#ifndef TANDEM_OPTIMIZED_THREADS_OPENMP_TEAM_H_
#define TANDEM_OPTIMIZED_THREADS_OPENMP_TEAM_H_

#include "optimized/threads/worker_pool.h"

namespace tandem {
namespace optimized {

// As WorkerPool::Run(), on the threads that the calling thread's own OpenMP regions have. The runtime ends the process
// where the system gives no thread or no memory for one. In a child of fork() the calling thread is alone: the runtime
// would wait for threads that the child does not have.
void RunOpenMpTeam(int threads, const TeamTask& task);

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_THREADS_OPENMP_TEAM_H_
