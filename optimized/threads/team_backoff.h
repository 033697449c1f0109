// Whether the machine has a core for each thread of a team just now. Threads that meet in every time step lose a time
// slice of the scheduler, 4 ms, again and again when one of them shares its core with another process.
#ifndef TANDEM_OPTIMIZED_THREADS_TEAM_BACKOFF_H_
#define TANDEM_OPTIMIZED_THREADS_TEAM_BACKOFF_H_

#include <atomic>
#include <chrono>
#include <limits>

namespace tandem {
namespace optimized {

// After a stall teams are smaller for a pause, which is doubled if the next full team stalls again (exponential
// backoff). One for the process, because it is the machine that is busy, whichever primitive noticed. All members may
// be called by several threads at once, and none of them waits.
class TeamBackoff {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Duration = std::chrono::steady_clock::duration;

  // Longer than an interrupt takes, shorter than a time slice.
  static constexpr Duration kStall = std::chrono::milliseconds(1);
  static constexpr Duration kFirstPause = std::chrono::milliseconds(16);
  static constexpr Duration kLongestPause = std::chrono::milliseconds(2048);
  // A stall later than this after a pause is another matter. A process that keeps a core busy takes its turn from a
  // team that runs all the time within a few slices.
  static constexpr Duration kSettled = std::chrono::milliseconds(32);

  constexpr explicit TeamBackoff(Time (*now)() = &std::chrono::steady_clock::now) : now_(now) {}

  // How many of `wanted` threads to use now. Asks for the time in pauses only.
  int Limit(int wanted) { return limit_.load(std::memory_order_acquire) >= wanted ? wanted : LimitInPause(wanted); }
  // A thread of a team of `team` had to wait for another that did not run for at least kStall.
  void Stalled(int team);

 private:
  static constexpr int kNone = std::numeric_limits<int>::max();

  int LimitInPause(int wanted);

  Time (*now_)();
  std::atomic<int> limit_{kNone};
  std::atomic<Duration> pause_{Duration::zero()};
  std::atomic<Duration> end_{Duration::zero()};  // of the pause, since the clock's epoch
  std::atomic_flag reporting_ = ATOMIC_FLAG_INIT;
};

// The one that executions ask.
TeamBackoff* ProcessBackoff();

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_THREADS_TEAM_BACKOFF_H_
