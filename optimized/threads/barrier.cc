#include "optimized/threads/barrier.h"

#include <pthread.h>
#include <sched.h>

#include <chrono>

namespace tandem {
namespace optimized {
namespace {

// If another process shares our core, each sleep gives it a whole time slice, so that sleeping comes late.
constexpr auto kLongSpin = std::chrono::milliseconds(1);

using WallClock = std::chrono::steady_clock;

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

}  // namespace

Barrier::Barrier(BarrierFlag* flags, int thread, int first, int count, int team, TeamBackoff* backoff)
    : flags_(flags), thread_(thread), first_(first), count_(count), team_(team), backoff_(backoff) {
  if (count <= 1) return;
  flags_[thread].clock.store(ClockOfThisThread(), std::memory_order_relaxed);
  flags_[thread].cpu.store(sched_getcpu(), std::memory_order_relaxed);
}

void Barrier::Wait() {
  if (count_ <= 1) return;
  ++reached_;
  flags_[thread_].arrival.Reach(reached_);
  for (int other = first_; other < first_ + count_; ++other) {
    if (other != thread_ && !flags_[other].arrival.SpinBriefly(reached_)) AwaitLong(&flags_[other]);
  }
}

void Barrier::AwaitLong(BarrierFlag* other) {
  const WallClock::time_point start = WallClock::now();
  BarrierFlag& own = flags_[thread_];
  const clockid_t own_clock = own.clock.load(std::memory_order_relaxed);
  const clockid_t other_clock = other->clock.load(std::memory_order_relaxed);
  const WallClock::duration own_before = RunTime(own_clock), other_before = RunTime(other_clock);
  const int cpu = sched_getcpu();
  own.cpu.store(cpu, std::memory_order_relaxed);
  // Spinning keeps a thread that waits for our core from it.
  while (!other->arrival.HasReached(reached_) && other->cpu.load(std::memory_order_relaxed) != cpu &&
         WallClock::now() - start < kLongSpin) {
    for (int i = 0; i < 20; ++i) Pause();
  }
  other->arrival.Sleep(reached_);
  const WallClock::duration waited = WallClock::now() - start;
  if (waited < TeamBackoff::kStall) return;
  const LongWait wait = {waited, RunTime(own_clock) - own_before, RunTime(other_clock) - other_before};
  if (wait.IsStall()) backoff_->Stalled(team_);
}

}  // namespace optimized
}  // namespace tandem
