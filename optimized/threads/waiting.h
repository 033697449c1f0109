// A thread waits for another: it spins, and sleeps in the kernel if that takes long.
#ifndef TANDEM_OPTIMIZED_THREADS_WAITING_H_
#define TANDEM_OPTIMIZED_THREADS_WAITING_H_

#include <atomic>
#include <chrono>
#include <cstdint>

#include "api/core/os/os.h"
#include "hwy/base.h"

#if HWY_ARCH_X86
#include <x86intrin.h>
#endif

namespace tandem {
namespace optimized {

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

// Some cycles in which the core's other thread has it to itself.
inline void Pause() {
#if HWY_ARCH_X86
  _mm_pause();
#elif HWY_ARCH_ARM_A64
  // Waits for some cycles; YIELD takes none on most cores.
  asm volatile("isb");
#elif HWY_ARCH_RISCV
  // PAUSE of the extension Zihintpause, which others execute as a fence without effect.
  asm volatile(".word 0x0100000f");
#endif
}

// A number that one thread counts up and others wait for.
class alignas(64) Arrival {
 public:
  // Makes all that this thread has written visible to those that have waited for `number`.
  void Reach(uint32_t number) {
    reached_.store(number, std::memory_order_release);
    if (sleepers_.load(std::memory_order_relaxed) != 0) os::WakeAll(&reached_);
  }
  bool HasReached(uint32_t number) const {
    return static_cast<int32_t>(reached_.load(std::memory_order_acquire) - number) >= 0;
  }
  // True if the number is reached within about 20 us: the other thread normally comes within 0.3 us, later it may have
  // lost its core.
  bool SpinBriefly(uint32_t number) const {
    for (int i = 0; i < kPlainSpins; ++i) {
      if (HasReached(number)) return true;
    }
    for (int i = 0; i < kPausedSpins; ++i) {
      if (HasReached(number)) return true;
      Pause();
    }
    return false;
  }
  void Sleep(uint32_t number);
  // Spins for about 1 ms, and then sleeps.
  void Await(uint32_t number);

 private:
  static constexpr int kPlainSpins = 200, kPausedSpins = 1000;

  std::atomic<uint32_t> reached_{0};
  // In a line that hardly ever moves: beside the other, reading it would wait until that one is back.
  alignas(64) std::atomic<uint32_t> sleepers_{0};
};

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_THREADS_WAITING_H_
