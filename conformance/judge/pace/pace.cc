#include "conformance/judge/pace/pace.h"

namespace tandem::conformance {

void Pace::Add(const Parts& operations, const Parts& seconds) {
  const std::lock_guard<std::mutex> lock(mutex_);
  ++count_;
  operations_.judge += operations.judge;
  operations_.implementation += operations.implementation;
  seconds_.judge += seconds.judge;
  seconds_.implementation += seconds.implementation;
  least_ = std::min(least_, seconds.implementation);
}

bool Pace::IsKnown() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return count_ > 0;
}

// The implementation's least time is that of starting, which may be most of it; the rest is proportional to its operations.
double Pace::SecondsOf(const Parts& operations) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (count_ == 0) return 0;
  const double judge = seconds_.judge * operations.judge / operations_.judge;
  const double rest = seconds_.implementation - static_cast<double>(count_) * least_;
  return judge + least_ + rest * operations.implementation / operations_.implementation;
}

}  // namespace tandem::conformance
