#include "optimized/threads/openmp_team.h"

#include <omp.h>
#include <pthread.h>

#include <atomic>

#include "api/core/float_environment.h"

namespace tandem {
namespace optimized {
namespace {

std::atomic<bool> is_child_of_fork{false};
// At load, because the region before a fork may be the client's own.
const int fork_handler = pthread_atfork(nullptr, nullptr, [] { is_child_of_fork.store(true); });

}  // namespace

void RunOpenMpTeam(int threads, const TeamTask& task) {
  if (is_child_of_fork.load(std::memory_order_relaxed)) threads = 1;
#pragma omp parallel num_threads(threads)
  {
    const FloatEnvironment environment(Subnormals::kZero);
    task.run(task.body, omp_get_thread_num(), omp_get_num_threads());
  }
}

}  // namespace optimized
}  // namespace tandem
