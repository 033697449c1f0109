// The pace says how long a problem will take. A campaign with a limit of time starts none that would end after it.
#ifndef TANDEM_CONFORMANCE_JUDGE_PACE_PACE_H_
#define TANDEM_CONFORMANCE_JUDGE_PACE_PACE_H_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <mutex>

namespace tandem::conformance {

// The operations that a problem costs, or the seconds that it took, have two parts, because the implementation may be a
// thousand times faster or slower than the judge.
struct Parts {
  double judge = 0, implementation = 0;
};

// Several threads use it.
class Pace {
 public:
  // The judge's operations include those of starting.
  void Add(const Parts& operations, const Parts& seconds);
  // Returns false before the first problem.
  bool IsKnown() const;
  // Returns 0 before the first problem.
  double SecondsOf(const Parts& operations) const;

 private:
  mutable std::mutex mutex_;
  int64_t count_ = 0;
  Parts operations_, seconds_;                              // sums
  double least_ = std::numeric_limits<double>::infinity();  // the implementation's
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_JUDGE_PACE_PACE_H_
