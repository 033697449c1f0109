// The barrier of threads of one team: 0.1 us between two cores where leaving and entering a region costs 0.6-0.7 us.
#ifndef TANDEM_OPTIMIZED_THREADS_BARRIER_H_
#define TANDEM_OPTIMIZED_THREADS_BARRIER_H_

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "optimized/threads/team_backoff.h"
#include "optimized/threads/waiting.h"

namespace tandem {
namespace optimized {

// A thread tells the others of its group these, in cache lines of its own.
struct BarrierFlag {
  Arrival arrival;                                   // how many barriers
  std::atomic<os::ThreadClock> clock{os::kNoClock};  // of the thread; kNoClock before it runs
  std::atomic<int> cpu{-1};                          // where it began, or last waited for long
};

// The barrier of threads [first, first + count) of a team of `team` and of one array of flags, as one of them sees it.
// Groups that overlap need an array each.
class Barrier {
 public:
  // The time that one thread waited for another (wall time), and the time that each of the two ran meanwhile (CPU time).
  struct LongWait {
    TeamBackoff::Duration duration, own_run, other_run;
    // Not if both ran: then the work was divided unevenly.
    bool IsStall() const { return duration - std::min(own_run, other_run) >= TeamBackoff::kStall; }
  };

  Barrier(BarrierFlag* flags, int thread, int first, int count, int team, TeamBackoff* backoff);
  // Returns when all of the group have called it equally often; what they wrote before is visible then. A thread that
  // waits for longer than 1 ms sleeps, and leaves its core to whoever the other one waits for.
  void Wait();

 private:
  void AwaitLong(BarrierFlag* other);

  BarrierFlag* flags_;
  int thread_;
  int first_;
  int count_;
  int team_;
  TeamBackoff* backoff_;
  uint32_t reached_ = 0;
};

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_THREADS_BARRIER_H_
