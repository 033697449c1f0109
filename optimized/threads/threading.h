// One parallel region per execute(), and a barrier inside it that costs 0.1 us between two cores where leaving and
// entering an OpenMP region costs 0.6-0.7 us.
#ifndef TANDEM_OPTIMIZED_THREADS_THREADING_H_
#define TANDEM_OPTIMIZED_THREADS_THREADING_H_

#include <omp.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "hwy/base.h"
#include "optimized/threads/team_backoff.h"

#if HWY_ARCH_X86
#include <x86intrin.h>
#endif

namespace tandem {
namespace optimized {

// Threads that a region started now should have, of `wanted`: 1 inside another parallel region and in a child of fork()
// where the thread that forked had a team, fewer in a pause of `backoff`.
int TeamSize(int wanted, TeamBackoff* backoff);

// The floating-point environment of a thread that runs kernels, while it lives. Subnormal f32 count as zero (FTZ, DAZ):
// a decaying state would otherwise cost up to 190 times as much per multiply-add. Results are rounded to nearest: a
// team's threads begin with the mode of the thread that starts them. Restores what the caller had.
class KernelFloatEnvironment {
 public:
  KernelFloatEnvironment();
  ~KernelFloatEnvironment();
  KernelFloatEnvironment(const KernelFloatEnvironment&) = delete;
  KernelFloatEnvironment& operator=(const KernelFloatEnvironment&) = delete;

 private:
  uint64_t saved_;
};

// A clock that costs a few ns: cycles of the time stamp counter where there is one, otherwise ns.
inline uint64_t Ticks() {
#if HWY_ARCH_X86
  return __rdtsc();
#else
  return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}
// About TeamBackoff::kStall: 1.1 ms at 3.7 GHz, or 1.05 ms.
constexpr uint64_t kStallTicks = HWY_ARCH_X86 ? uint64_t{1} << 22 : uint64_t{1} << 20;

// Runs body(thread, team_size) on up to `threads` threads, and tells `backoff` if one of them came late.
template <class Body>
void RunTeam(int threads, TeamBackoff* backoff, const Body& body) {
  if (threads <= 1) {
    const KernelFloatEnvironment environment;
    body(0, 1);
    return;
  }
  const uint64_t start = Ticks();
  uint64_t work = 0;
#pragma omp parallel num_threads(threads)
  {
    const KernelFloatEnvironment environment;
    const uint64_t begin = Ticks();
    body(omp_get_thread_num(), omp_get_num_threads());
    if (omp_get_thread_num() == 0) work = Ticks() - begin;
  }
  // The runtime waits for all threads at the start and at the end. No share of the work is more than twice as large as
  // another, so only a thread without a core can be so late.
  const uint64_t waited = Ticks() - start - work;
  if (waited > kStallTicks && waited > 2 * work) backoff->Stalled(threads);
}

// What a thread tells the others of its group. One cache line per thread.
struct alignas(64) BarrierFlag {
  std::atomic<uint32_t> reached{0};  // how many barriers
  std::atomic<clockid_t> clock{0};   // measures the CPU time of the thread; 0 before it runs
  std::atomic<int> cpu{-1};          // where it began, or last waited for long
};

// The barrier of threads [first, first + count) of one array of flags, as one of them sees it. Groups that overlap need
// an array each.
class Barrier {
 public:
  // How long one thread waited for another (wall time), and how long each of the two ran meanwhile (CPU time).
  struct LongWait {
    TeamBackoff::Duration duration, own_run, other_run;
    // Not if both ran: then the work was divided unevenly.
    bool IsStall() const { return duration - std::min(own_run, other_run) >= TeamBackoff::kStall; }
  };

  Barrier(BarrierFlag* flags, int thread, int first, int count, TeamBackoff* backoff);
  // Returns when all of the group have called it equally often; what they wrote before is visible then.
  void Wait();

 private:
  bool HasCome(const BarrierFlag& other) const;
  void Await(const BarrierFlag& other);
  void AwaitLong(const BarrierFlag& other);

  BarrierFlag* flags_;
  int thread_;
  int first_;
  int count_;
  TeamBackoff* backoff_;
  uint32_t reached_ = 0;
};

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_THREADS_THREADING_H_
