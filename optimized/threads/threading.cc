#include "optimized/threads/threading.h"

#include <pthread.h>
#include <sched.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>

namespace tandem {
namespace optimized {
namespace {

#if HWY_ARCH_X86
constexpr uint32_t kFlushToZero = 0x8000, kDenormalsAreZero = 0x0040, kRounding = 0x6000;
#endif

// The other thread normally comes within ~0.3 us. After ~20 us it may have lost its core.
constexpr int kPlainSpins = 200;
constexpr int kPausedSpins = 1000;
// If another process shares our core, each yield gives it a whole time slice, so that yielding comes late.
constexpr auto kLongSpin = std::chrono::milliseconds(1);

using WallClock = std::chrono::steady_clock;

void Pause() {
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

clockid_t ClockOfThisThread() {
  clockid_t clock = 0;
  pthread_getcpuclockid(pthread_self(), &clock);
  return clock;
}

// The CPU time of a thread; 0 if it has not begun.
WallClock::duration RunTime(clockid_t clock) {
  timespec time = {};
  if (clock != 0) clock_gettime(clock, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

// GCC's OpenMP runtime keeps a thread's team for its next region. In a child of fork() only the thread that forked is
// left, and would wait for its team forever, whoever's region started it. The runtime does not tell whether a thread has
// a team: in a process of one thread it has none. New threads of the child get teams of their own.
thread_local bool team_is_lost = false;
thread_local bool forking_with_threads = false;

// Each thread is a folder in /proc/self/task, and a link to it.
bool ProcessHasThreads() {
  struct stat task = {};
  return stat("/proc/self/task", &task) != 0 || task.st_nlink != 3;
}

// At load, because the region before a fork may be the client's own. If registration fails (no memory), a forked child
// may hang as it would without the handlers.
const int fork_handlers = pthread_atfork([] { forking_with_threads = ProcessHasThreads(); }, nullptr,
                                         [] { team_is_lost |= forking_with_threads; });

}  // namespace

int TeamSize(int wanted, TeamBackoff* backoff) {
  const int threads = omp_in_parallel() ? 1 : std::min(wanted, omp_get_max_threads());
  if (threads <= 1 || team_is_lost) return 1;
  return backoff->Limit(threads);
}

#if HWY_ARCH_X86
KernelFloatEnvironment::KernelFloatEnvironment() : saved_(_mm_getcsr()) {
  _mm_setcsr((static_cast<uint32_t>(saved_) & ~kRounding) | kFlushToZero | kDenormalsAreZero);
}
KernelFloatEnvironment::~KernelFloatEnvironment() { _mm_setcsr(static_cast<uint32_t>(saved_)); }
#elif HWY_ARCH_ARM_A64
KernelFloatEnvironment::KernelFloatEnvironment() {
  asm volatile("mrs %0, fpcr" : "=r"(saved_));
  asm volatile("msr fpcr, %0" : : "r"((saved_ & ~(uint64_t{3} << 22)) | (uint64_t{1} << 24)));
}
KernelFloatEnvironment::~KernelFloatEnvironment() { asm volatile("msr fpcr, %0" : : "r"(saved_)); }
#else
// RISC-V and s390x have no such mode, and no slow subnormals.
KernelFloatEnvironment::KernelFloatEnvironment() : saved_(0) {}
KernelFloatEnvironment::~KernelFloatEnvironment() { static_cast<void>(saved_); }
#endif

Barrier::Barrier(BarrierFlag* flags, int thread, int first, int count, TeamBackoff* backoff)
    : flags_(flags), thread_(thread), first_(first), count_(count), backoff_(backoff) {
  if (count <= 1) return;
  flags_[thread].clock.store(ClockOfThisThread(), std::memory_order_relaxed);
  flags_[thread].cpu.store(sched_getcpu(), std::memory_order_relaxed);
}

void Barrier::Wait() {
  if (count_ <= 1) return;
  ++reached_;
  flags_[thread_].reached.store(reached_, std::memory_order_release);
  for (int other = first_; other < first_ + count_; ++other) {
    if (other != thread_) Await(flags_[other]);
  }
}

bool Barrier::HasCome(const BarrierFlag& other) const {
  return static_cast<int32_t>(other.reached.load(std::memory_order_acquire) - reached_) >= 0;
}

void Barrier::Await(const BarrierFlag& other) {
  for (int i = 0; i < kPlainSpins; ++i) {
    if (HasCome(other)) return;
  }
  for (int i = 0; i < kPausedSpins; ++i) {
    if (HasCome(other)) return;
    Pause();
  }
  AwaitLong(other);
}

void Barrier::AwaitLong(const BarrierFlag& other) {
  const WallClock::time_point start = WallClock::now();
  BarrierFlag& own = flags_[thread_];
  const clockid_t own_clock = own.clock.load(std::memory_order_relaxed);
  const clockid_t other_clock = other.clock.load(std::memory_order_relaxed);
  const WallClock::duration own_before = RunTime(own_clock), other_before = RunTime(other_clock);
  const int cpu = sched_getcpu();
  own.cpu.store(cpu, std::memory_order_relaxed);
  // Yielding helps only a thread that waits for our core.
  while (!HasCome(other) && other.cpu.load(std::memory_order_relaxed) != cpu && WallClock::now() - start < kLongSpin) {
    for (int i = 0; i < 20; ++i) Pause();
  }
  while (!HasCome(other)) sched_yield();
  const WallClock::duration waited = WallClock::now() - start;
  if (waited < TeamBackoff::kStall) return;
  const LongWait wait = {waited, RunTime(own_clock) - own_before, RunTime(other_clock) - other_before};
  if (wait.IsStall()) backoff_->Stalled(omp_get_num_threads());
}

}  // namespace optimized
}  // namespace tandem
