#include "optimized/threading.h"

#include <sched.h>

#include "hwy/base.h"

#if HWY_ARCH_X86
#include <immintrin.h>
#endif

namespace tandem {
namespace optimized {
namespace {

#if HWY_ARCH_X86
constexpr uint32_t kFlushToZero = 0x8000, kDenormalsAreZero = 0x0040;
#endif

// A hit within ~0.3 us is the normal case. After ~20 us the other thread has surely lost its core, and may need ours.
constexpr int kPlainSpins = 200;
constexpr int kPausedSpins = 1000;

void AwaitFlag(const std::atomic<uint32_t>& flag, uint32_t reached) {
  const auto passed = [&] { return static_cast<int32_t>(flag.load(std::memory_order_acquire) - reached) >= 0; };
  for (int i = 0; i < kPlainSpins; ++i) {
    if (passed()) return;
  }
  for (int i = 0; i < kPausedSpins; ++i) {
    if (passed()) return;
#if HWY_ARCH_X86
    _mm_pause();
#endif
  }
  while (!passed()) sched_yield();
}

}  // namespace

int AvailableThreads() { return omp_in_parallel() ? 1 : omp_get_max_threads(); }

#if HWY_ARCH_X86
FlushSubnormals::FlushSubnormals() : saved_(_mm_getcsr()) {
  _mm_setcsr(static_cast<uint32_t>(saved_) | kFlushToZero | kDenormalsAreZero);
}
FlushSubnormals::~FlushSubnormals() { _mm_setcsr(static_cast<uint32_t>(saved_)); }
#elif HWY_ARCH_ARM_A64
FlushSubnormals::FlushSubnormals() {
  asm volatile("mrs %0, fpcr" : "=r"(saved_));
  asm volatile("msr fpcr, %0" : : "r"(saved_ | (uint64_t{1} << 24)));
}
FlushSubnormals::~FlushSubnormals() { asm volatile("msr fpcr, %0" : : "r"(saved_)); }
#else
FlushSubnormals::FlushSubnormals() : saved_(0) {}
FlushSubnormals::~FlushSubnormals() { static_cast<void>(saved_); }
#endif

void Barrier::Wait() {
  if (count_ <= 1) return;
  ++reached_;
  flags_[thread_].reached.store(reached_, std::memory_order_release);
  for (int other = first_; other < first_ + count_; ++other) {
    if (other != thread_) AwaitFlag(flags_[other].reached, reached_);
  }
}

}  // namespace optimized
}  // namespace tandem
