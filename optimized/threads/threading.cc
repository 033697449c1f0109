#include "optimized/threads/threading.h"

#include <algorithm>

#include "api/core/float_environment.h"
#include "api/core/threadpool.h"
#include "optimized/threads/client_pool.h"
#include "optimized/threads/openmp.h"
#include "optimized/threads/team_options.h"

namespace tandem {
namespace optimized {
namespace {

// A task, and how long its thread 0 took.
struct TimedTask {
  TeamTask task;
  mutable uint64_t ticks = 0;

  static void Run(const void* self, int thread, int team) {
    const auto& timed = *static_cast<const TimedTask*>(self);
    const uint64_t begin = Ticks();
    timed.task.run(timed.task.body, thread, team);
    if (thread == 0) timed.ticks = Ticks() - begin;
  }
};

// The one place that knows whose threads they are.
void RunOnThreads(int threads, const TeamTask& task) {
  const tandem_threadpool_t* const clients = ThreadPoolScope::Current();
  if (clients != nullptr) return RunOnClientPool(*clients, threads, task);
  static const TeamThreads whose = TeamThreadsFromEnvironment();
  if (whose == TeamThreads::kOpenMp && HasOpenMp()) return RunOpenMpTeam(threads, task);
  WorkerPool* const pool = WorkerPool::OfThisThread();
  if (pool == nullptr) return task.run(task.body, 0, 1);
  pool->Run(threads, task);
}

// For an execution that begins now.
int AvailableThreads() {
  const tandem_threadpool_t* const clients = ThreadPoolScope::Current();
  if (clients == nullptr) return IsInOpenMpRegion() ? 1 : MaxThreads();
  return clients->get_in_parallel(clients->pool) ? 1 : clients->get_num_threads(clients->pool);
}

}  // namespace

int MaxThreads() {
  const int said = MaxConcurrency();
  return said > 0 ? said : std::max(1, OpenMpThreads());
}

int TeamSize(int wanted, TeamBackoff* backoff) {
  const int threads = std::min(wanted, AvailableThreads());
  return threads <= 1 ? 1 : backoff->Limit(threads);
}

void RunTeam(int threads, TeamBackoff* backoff, const TeamTask& task) {
  const FloatEnvironment environment(Subnormals::kZero);
  if (threads <= 1) return task.run(task.body, 0, 1);
  const TimedTask timed{task};
  const uint64_t start = Ticks();
  RunOnThreads(threads, {&TimedTask::Run, &timed});
  // The calling thread waits for all others at the end. No share of the work is more than twice as large as another, so
  // only a thread without a core can be so late.
  const uint64_t waited = Ticks() - start - timed.ticks;
  const bool is_stall = waited > kStallTicks && waited > 2 * timed.ticks;
  // A client's pool may have other work.
  if (is_stall && ThreadPoolScope::Current() == nullptr) backoff->Stalled(threads);
}

}  // namespace optimized
}  // namespace tandem
