// Waiting for descriptors, up to a moment.
#ifndef TANDEM_CONFORMANCE_HOST_DEADLINE_H_
#define TANDEM_CONFORMANCE_HOST_DEADLINE_H_

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace tandem::conformance {

class Deadline {
 public:
  explicit Deadline(double seconds)
      : end_(std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                    std::chrono::duration<double>(std::min(seconds, 1e8)))) {}

  // Waits until one of `fds` has an event; false if the time is over before. A negative descriptor has none.
  bool WaitFor(std::vector<pollfd>* fds) const {
    while (true) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(end_ - std::chrono::steady_clock::now());
      if (left.count() <= 0) return false;
      const int ready = poll(fds->data(), fds->size(), static_cast<int>(std::min<int64_t>(left.count(), 1000000)));
      if (ready > 0) return true;
      if (ready < 0 && errno != EINTR) throw std::runtime_error("cannot wait for a worker process");
    }
  }

 private:
  std::chrono::steady_clock::time_point end_;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_HOST_DEADLINE_H_
