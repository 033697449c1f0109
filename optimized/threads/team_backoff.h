// TeamBackoff finds out whether the machine has a core for each thread of a team just now. If one thread shares its core with
// another process, all threads that wait for it at a barrier lose a time slice of the scheduler, 4 ms, again and again.
#ifndef TANDEM_OPTIMIZED_THREADS_TEAM_BACKOFF_H_
#define TANDEM_OPTIMIZED_THREADS_TEAM_BACKOFF_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>

namespace tandem {
namespace optimized {

enum class BackoffSwitch { kOn, kOff };
// kOff where TANDEM_TEAM_BACKOFF is "off" or "0".
BackoffSwitch BackoffSwitchFromEnvironment();

// After a stall teams are smaller for a pause, which is doubled if the next full team stalls again (exponential
// backoff). The process has one, because the whole machine is busy, whichever primitive noticed it. All members may be
// called by several threads at once, and none of them waits. Switched off, it counts stalls and limits nothing.
class TeamBackoff {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Duration = std::chrono::steady_clock::duration;

  // Longer than an interrupt takes, shorter than a time slice.
  static constexpr Duration kStall = std::chrono::milliseconds(1);
  static constexpr Duration kFirstPause = std::chrono::milliseconds(16);
  static constexpr Duration kLongestPause = std::chrono::milliseconds(2048);
  // A stall later than this after a pause has another cause: a process that keeps a core busy would have stalled the
  // team within a few time slices.
  static constexpr Duration kSettled = std::chrono::milliseconds(32);

  constexpr explicit TeamBackoff(BackoffSwitch on_or_off, Time (*now)() = &std::chrono::steady_clock::now)
      : switch_(on_or_off), now_(now) {}

  // Returns how many of `wanted` threads to use now. Reads the clock in pauses only.
  int Limit(int wanted) { return limit_.load(std::memory_order_acquire) >= wanted ? wanted : LimitInPause(wanted); }
  // A thread of a team of `team` had to wait for another that did not run for at least kStall.
  void Stalled(int team);
  // Stalls so far, each counted once, however many threads noticed it. While it is 0, every execution has had all the
  // threads that Limit() was asked for.
  uint64_t stalls() const { return stalls_.load(std::memory_order_relaxed); }

 private:
  static constexpr int kNone = std::numeric_limits<int>::max();

  int LimitInPause(int wanted);

  BackoffSwitch switch_;
  Time (*now_)();
  std::atomic<uint64_t> stalls_{0};
  std::atomic<int> limit_{kNone};
  std::atomic<Duration> pause_{Duration::zero()};
  std::atomic<Duration> end_{Duration::zero()};  // of the pause, since the clock's epoch
  std::atomic_flag reporting_ = ATOMIC_FLAG_INIT;
};

// The one that executions ask; its switch is read from the environment at the first call.
TeamBackoff* ProcessBackoff();

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_THREADS_TEAM_BACKOFF_H_
