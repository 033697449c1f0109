// The client's OpenMP runtime: openmp.cc asks it, openmp_none.cc stands for it where the library is built without one.
#ifndef TANDEM_OPTIMIZED_THREADS_OPENMP_H_
#define TANDEM_OPTIMIZED_THREADS_OPENMP_H_

#include <vector>

#include "optimized/threads/worker_pool.h"

namespace tandem {
namespace optimized {

// False where the library is built without an OpenMP runtime.
bool HasOpenMp();

// The most threads that a region of the calling thread has: OMP_NUM_THREADS or omp_set_num_threads(), and OMP_THREAD_LIMIT.
// Without a runtime: OMP_NUM_THREADS, else the number of processors.
int OpenMpThreads();
// True if the calling thread is in a parallel region.
bool IsInOpenMpRegion();
// On how many processors the process may run.
int Processors();

// The processors of thread `thread` of `team`, of which the calling thread is thread 0, as OMP_PROC_BIND and OMP_PLACES say;
// none if it may run anywhere the calling thread may. Throws std::bad_alloc.
std::vector<int> PlaceOf(int thread, int team);

// Runs the task as WorkerPool::Run() does, on the threads of the calling thread's OpenMP regions. The runtime ends the process
// where the system gives no thread or no memory for one. In a child of fork() the calling thread is alone: the runtime
// would wait for threads that the child does not have. Without a runtime, it is alone, too.
void RunOpenMpTeam(int threads, const TeamTask& task);

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_THREADS_OPENMP_H_
