#include "conformance/sandbox/deadline.h"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <utility>

#include "conformance/sandbox/interrupt.h"

namespace tandem::conformance {
namespace {

using std::chrono::nanoseconds;

constexpr int kReadings = 20;
constexpr nanoseconds kShortestInterval = std::chrono::milliseconds(10);
constexpr nanoseconds kLongestInterval = std::chrono::seconds(1);
constexpr nanoseconds kLongestStop = std::chrono::seconds(2);

// Returns how many processors this process may use, and with it those that it starts.
int NumProcessors() {
  cpu_set_t processors;
  if (sched_getaffinity(0, sizeof processors, &processors) != 0) return 1;
  return std::max(CPU_COUNT(&processors), 1);
}

bool IsStopped(const GroupTimes& times) {
  return std::any_of(times.threads.begin(), times.threads.end(), [](const auto& t) { return t.second.stopped; });
}

}  // namespace

Deadline::Deadline(double seconds, pid_t group, OnInterrupt on_interrupt)
    : group_(group),
      on_interrupt_(on_interrupt),
      limit_(static_cast<int64_t>(std::min(seconds, 1e8) * 1e9)),
      interval_(std::clamp(limit_ / kReadings, kShortestInterval, kLongestInterval)),
      next_reading_(Clock::now() + interval_) {}

int Deadline::Poll(std::vector<pollfd>* fds, nanoseconds time) const {
  const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(std::max(time, nanoseconds(0)));
  fds->push_back({on_interrupt_ == OnInterrupt::kThrow ? InterruptDescriptor() : -1, POLLIN, 0});
  const int ready = poll(fds->data(), fds->size(), static_cast<int>(milliseconds.count()));
  const bool interrupted = ready > 0 && fds->back().revents != 0;
  fds->pop_back();
  if (ready < 0 && errno != EINTR) throw std::runtime_error("cannot wait for a worker process");
  if (interrupted) throw Interrupted();
  return ready;
}

bool Deadline::IsOver(Clock::time_point now) {
  if (over_ || now < next_reading_) return over_;
  GroupTimes times = ReadGroupTimes(group_);
  if (begun_) {
    // If the judge has not run itself, or its machine was suspended, it has seen nothing in this time.
    const nanoseconds elapsed = std::min(nanoseconds(now - last_reading_), 2 * interval_);
    usable_ns_ += UsableTime(last_, times, elapsed.count());
    stopped_ns_ = IsStopped(last_) && IsStopped(times) ? stopped_ns_ + elapsed.count() : 0;
    stopped_ = stopped_ns_ >= kLongestStop.count();
  } else {
    start_ = times;
    begun_ = true;
  }
  last_ = std::move(times);
  last_reading_ = now;
  next_reading_ = now + interval_;
  const int64_t used_ns = last_.processor_ns - start_.processor_ns;
  over_ = stopped_ || usable_ns_ >= limit_.count() || used_ns >= limit_.count() * NumProcessors();
  return over_;
}

bool Deadline::WaitFor(std::vector<pollfd>* fds) {
  while (true) {
    const Clock::time_point now = Clock::now();
    if (IsOver(now)) {
      // An answer that came while the judge did not run is in time.
      Poll(fds, nanoseconds(0));
      return false;
    }
    if (Poll(fds, next_reading_ - now) > 0) return true;
  }
}

}  // namespace tandem::conformance
