// One parallel region per execute(), and a barrier inside it that costs 0.14 us between two cores where leaving and
// entering an OpenMP region costs 0.8 us.
#ifndef TANDEM_OPTIMIZED_THREADING_H_
#define TANDEM_OPTIMIZED_THREADING_H_

#include <omp.h>

#include <atomic>
#include <cstdint>

namespace tandem {
namespace optimized {

// Threads that a region started now could have: 1 inside another parallel region.
int AvailableThreads();

// Treats subnormal f32 as zero (FTZ, DAZ) while it lives: a decaying state would otherwise cost up to 190 times as much
// per multiply-add. Restores what the caller had.
class FlushSubnormals {
 public:
  FlushSubnormals();
  ~FlushSubnormals();
  FlushSubnormals(const FlushSubnormals&) = delete;
  FlushSubnormals& operator=(const FlushSubnormals&) = delete;

 private:
  uint64_t saved_;
};

// Runs body(thread, team_size) on up to `threads` threads. The team may be smaller than asked for.
template <class Body>
void RunTeam(int threads, const Body& body) {
  if (threads <= 1) {
    const FlushSubnormals flush;
    body(0, 1);
    return;
  }
#pragma omp parallel num_threads(threads)
  {
    const FlushSubnormals flush;
    body(omp_get_thread_num(), omp_get_num_threads());
  }
}

// One cache line per thread, holding how many barriers it has reached.
struct alignas(64) BarrierFlag {
  std::atomic<uint32_t> reached{0};
};

// Threads [first, first + count) of one array of flags, seen from one of them. Another group, or another meeting place
// of the same threads, needs flags of its own.
class Barrier {
 public:
  Barrier(BarrierFlag* flags, int thread, int first, int count)
      : flags_(flags), thread_(thread), first_(first), count_(count) {}
  // Returns when all of the group have called it equally often; what they wrote before is visible after.
  void Wait();

 private:
  BarrierFlag* flags_;
  int thread_;
  int first_;
  int count_;
  uint32_t reached_ = 0;
};

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_THREADING_H_
