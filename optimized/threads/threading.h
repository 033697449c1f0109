// One team per execute().
#ifndef TANDEM_OPTIMIZED_THREADS_THREADING_H_
#define TANDEM_OPTIMIZED_THREADS_THREADING_H_

#include "optimized/threads/barrier.h"
#include "optimized/threads/team_backoff.h"
#include "optimized/threads/worker_pool.h"

namespace tandem {
namespace optimized {

// The most threads that an execution of the calling thread may use: what SetMaxConcurrency() (api/core/threadpool.h) says, else
// OMP_NUM_THREADS or omp_set_num_threads(), and OMP_THREAD_LIMIT.
int MaxThreads();

// Threads that a team started now should have, of `wanted`: 1 inside a parallel region of OpenMP or of the client's pool, no
// more than that pool has, fewer in a pause of `backoff`.
int TeamSize(int wanted, TeamBackoff* backoff);

// Calls task(thread, team) on `threads` threads at the same time, or on fewer if the system gives no more, and tells
// `backoff` if one of them came late. Subnormal f32 count as zero there (FTZ, DAZ): a decaying state would otherwise cost
// up to 190 times as much per multiply-add.
void RunTeam(int threads, TeamBackoff* backoff, const TeamTask& task);

template <class Body>
void RunTeam(int threads, TeamBackoff* backoff, const Body& body) {
  const auto run = [](const void* its_body, int thread, int team) {
    (*static_cast<const Body*>(its_body))(thread, team);
  };
  RunTeam(threads, backoff, TeamTask{run, &body});
}

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_THREADS_THREADING_H_
