// A deadline waits for descriptors until a worker process must be taken for hanging. The clock on the wall cannot say so: on a
// machine with more work than processors, a process may not have run at all.
#ifndef TANDEM_CONFORMANCE_SANDBOX_DEADLINE_H_
#define TANDEM_CONFORMANCE_SANDBOX_DEADLINE_H_

#include <poll.h>
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <vector>

#include "conformance/sandbox/group_times.h"

namespace tandem::conformance {

// The time is over when the processes of a group could have run for `seconds` (UsableTime), or when they have used as
// much of all processors as an idle machine gives them in that time. Neither comes sooner on a busy machine. The times
// are read some twenty times, and the first reading is the start.
//
// The deadline does not wait either for a process that was stopped (SIGSTOP) for two seconds: nobody will let it go on.
class Deadline {
 public:
  enum class OnInterrupt { kThrow, kGoOn };
  Deadline(double seconds, pid_t group, OnInterrupt on_interrupt = OnInterrupt::kThrow);

  // Waits until one of `fds` has an event. Returns false if the time is over before. The events are right in both cases. A
  // negative descriptor has none. Throws Interrupted if the program was interrupted.
  bool WaitFor(std::vector<pollfd>* fds);
  // Returns true if the time is over because a process of the group was stopped.
  bool stopped() const { return stopped_; }

 private:
  using Clock = std::chrono::steady_clock;
  bool IsOver(Clock::time_point now);
  int Poll(std::vector<pollfd>* fds, std::chrono::nanoseconds time) const;

  pid_t group_;
  OnInterrupt on_interrupt_;
  std::chrono::nanoseconds limit_, interval_;
  Clock::time_point next_reading_, last_reading_;
  bool begun_ = false, over_ = false, stopped_ = false;
  GroupTimes start_, last_;
  int64_t usable_ns_ = 0, stopped_ns_ = 0;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_DEADLINE_H_
