// A value with a bound of the error that f32 arithmetic may have made on the way to it: running error analysis, for any
// order of summation, with FMA or without.
#ifndef TANDEM_OPTIMIZED_TESTS_TRACKED_TESTING_H_
#define TANDEM_OPTIMIZED_TESTS_TRACKED_TESTING_H_

#include <cmath>

#include "api/core/types.h"

namespace tandem {
namespace optimized {

constexpr double kRoundoff = 0x1p-24;  // of f32, relative
constexpr double kFlushed = 0x1p-126;  // results below may become zero

struct Tracked {
  double v = 0;
  double e = 0;
};

inline Tracked Rounded(double v, double e) { return {v, e + kRoundoff * (std::fabs(v) + e) + kFlushed}; }
inline Tracked operator+(Tracked a, Tracked b) { return Rounded(a.v + b.v, a.e + b.e); }
inline Tracked operator-(Tracked a, Tracked b) { return Rounded(a.v - b.v, a.e + b.e); }
inline Tracked operator-(Tracked a) { return {-a.v, a.e}; }
inline Tracked operator*(Tracked a, Tracked b) {
  return Rounded(a.v * b.v, std::fabs(a.v) * b.e + std::fabs(b.v) * a.e + a.e * b.e);
}
inline Tracked Exactly(double v) { return {v, 0}; }

// Slopes are at most 1/4 and 1; the activations are within 4 ulp (activations-inl.h), an ulp being at most 2^-23.
inline Tracked Sigmoid(Tracked x) {
  const double v = 1 / (1 + std::exp(-x.v));
  return {v, x.e / 4 + 4 * 2 * kRoundoff * v + kFlushed};
}
inline Tracked Tanh(Tracked x) {
  const double v = std::tanh(x.v);
  return {v, x.e + 4 * 2 * kRoundoff * std::fabs(v) + kFlushed};
}

// Half a unit in the last place of the type that a value is stored in.
inline Tracked StoredAs(DataType type, Tracked x) {
  const double unit = type == DataType::kBf16 ? 0x1p-8 : type == DataType::kF16 ? 0x1p-11 : 0;
  const double smallest = type == DataType::kF16 ? 0x1p-25 : 0;
  return {x.v, x.e + unit * (std::fabs(x.v) + x.e) + smallest};
}

// A sum of n terms in any order is within (n - 1) u / (1 - n u) of the sum of magnitudes; twice n covers products.
class TrackedSum {
 public:
  void Add(Tracked x) {
    v_ += x.v;
    e_ += x.e;
    magnitudes_ += std::fabs(x.v) + x.e;
    ++n_;
  }
  Tracked Get() const {
    const double gamma = (n_ + 2) * kRoundoff / (1 - (n_ + 2) * kRoundoff);
    return {v_, e_ + gamma * magnitudes_};
  }

 private:
  double v_ = 0, e_ = 0, magnitudes_ = 0;
  double n_ = 0;
};

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_TESTS_TRACKED_TESTING_H_
