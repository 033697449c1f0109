// How long a problem will take, as those before it took: a campaign with a limit of time starts none that would end after it.
#ifndef TANDEM_CONFORMANCE_JUDGE_PACE_PACE_H_
#define TANDEM_CONFORMANCE_JUDGE_PACE_PACE_H_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <mutex>

namespace tandem::conformance {

// What a problem costs, in operations, or took, in seconds: the judge's part and that of the implementation, which may be a
// thousand times faster or slower.
struct Parts {
  double judge = 0, implementation = 0;
};

// Used by several threads.
class Pace {
 public:
  // The judge's operations include those of starting.
  void Add(const Parts& operations, const Parts& seconds);
  // False before the first problem.
  bool IsKnown() const;
  // 0 before the first problem.
  double SecondsOf(const Parts& operations) const;

 private:
  mutable std::mutex mutex_;
  int64_t count_ = 0;
  Parts operations_, seconds_;                              // sums
  double least_ = std::numeric_limits<double>::infinity();  // of the implementation
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_JUDGE_PACE_PACE_H_
