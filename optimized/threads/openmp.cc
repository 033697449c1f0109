#include "optimized/threads/openmp.h"

#include <omp.h>

#include <algorithm>
#include <atomic>

#include "api/core/float_environment.h"
#include "api/core/os/os.h"

namespace tandem {
namespace optimized {
namespace {

std::atomic<bool> is_child_of_fork{false};
// The handler is set at load, because the region before a fork may be the client's own.
const bool fork_handler = os::OnFork(nullptr, nullptr, [] { is_child_of_fork.store(true); });

}  // namespace

bool HasOpenMp() { return true; }

int OpenMpThreads() { return std::min(omp_get_max_threads(), omp_get_thread_limit()); }

bool IsInOpenMpRegion() { return omp_in_parallel() != 0; }

int Processors() { return omp_get_num_procs(); }

std::vector<int> PlaceOf(int thread, int team) {
  const omp_proc_bind_t bind = omp_get_proc_bind();
  const int places = omp_get_num_places();
  if (bind == omp_proc_bind_false || places <= 0) return {};
  const int first = std::max(0, omp_get_place_num());
  const int stride = bind == omp_proc_bind_master ? 0 : bind == omp_proc_bind_spread ? std::max(1, places / team) : 1;
  const int place = (first + thread * stride) % places;
  std::vector<int> processors(static_cast<size_t>(omp_get_place_num_procs(place)));
  if (!processors.empty()) omp_get_place_proc_ids(place, processors.data());
  return processors;
}

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
