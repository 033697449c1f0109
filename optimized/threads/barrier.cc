#include "optimized/threads/barrier.h"

#include <chrono>

namespace tandem {
namespace optimized {
namespace {

// If another process shares our core, each sleep gives it a whole time slice, so that sleeping comes late.
constexpr auto kLongSpin = std::chrono::milliseconds(1);

using WallClock = std::chrono::steady_clock;

}  // namespace

Barrier::Barrier(BarrierFlag* flags, int thread, int first, int count, int team, TeamBackoff* backoff)
    : flags_(flags), thread_(thread), first_(first), count_(count), team_(team), backoff_(backoff) {
  if (count <= 1) return;
  flags_[thread].clock.store(os::ClockOfThisThread(), std::memory_order_relaxed);
  flags_[thread].cpu.store(os::ProcessorOfThisThread(), std::memory_order_relaxed);
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
  const os::ThreadClock own_clock = own.clock.load(std::memory_order_relaxed);
  const os::ThreadClock other_clock = other->clock.load(std::memory_order_relaxed);
  const WallClock::duration own_before = os::RunTime(own_clock), other_before = os::RunTime(other_clock);
  const int cpu = os::ProcessorOfThisThread();
  own.cpu.store(cpu, std::memory_order_relaxed);
  // Spinning keeps a thread that waits for our core from it.
  const auto shares_core = [&] { return cpu >= 0 && other->cpu.load(std::memory_order_relaxed) == cpu; };
  while (!other->arrival.HasReached(reached_) && !shares_core() && WallClock::now() - start < kLongSpin) {
    for (int i = 0; i < 20; ++i) Pause();
  }
  other->arrival.Sleep(reached_);
  const WallClock::duration waited = WallClock::now() - start;
  if (waited < TeamBackoff::kStall) return;
  const LongWait wait = {waited, os::RunTime(own_clock) - own_before, os::RunTime(other_clock) - other_before};
  if (wait.IsStall()) backoff_->Stalled(team_);
}

}  // namespace optimized
}  // namespace tandem
