// A number with a certified error bound: the scalar over which the oracle evaluates the reference's equations.
//
// A Bounded stands for every result that f32 arithmetic may give: any order of summation, FMA or not. It is kept as an
// open sum: `value`, the error that came in with the operands, the sum of the magnitudes of the terms, and how many
// roundings a term can meet. Only when the sum is used as a factor or an argument is it closed, and then the classical
// bound applies: |fl(sum) - sum| <= gamma_n * sum|terms|, gamma_n = n u / (1 - n u), u = 2^-24 (Higham, ASNA 3.1),
// which holds for every order of the additions.
#ifndef TANDEM_CONFORMANCE_ORACLE_BOUNDED_H_
#define TANDEM_CONFORMANCE_ORACLE_BOUNDED_H_

#include <algorithm>
#include <cmath>
#include <limits>

namespace tandem::conformance {

constexpr double kUnitF32 = 0x1p-24;
constexpr double kMaxF32 = 0x1.fffffep127;
constexpr double kMinNormalF32 = 0x1p-126;

// Profile::typical_growth of the oracle that runs in this thread.
inline double& TypicalGrowth() {
  thread_local double growth = std::numeric_limits<double>::infinity();
  return growth;
}
// gamma_n, enlarged by 2^-16 of itself for what the oracle's own double arithmetic rounds; infinite once n u reaches 1.
inline double Gamma(double n) {
  if (TypicalGrowth() < std::numeric_limits<double>::infinity()) n = std::min(n, TypicalGrowth() * std::sqrt(n));
  const double nu = n * kUnitF32;
  return nu < 1 ? nu / (1 - nu) * (1 + 0x1p-16) : std::numeric_limits<double>::infinity();
}

class Bounded {
 public:
  Bounded() = default;
  // Exact, as literals and stored values are. Implicit, so that equations can be written with plain constants.
  Bounded(double value) : value_(value), magnitude_(FiniteMagnitude(value)) {}
  static Bounded WithError(double value, double error) {
    Bounded result(value);
    result.error_ = std::isfinite(value) ? error : (error < kInfinite ? 0 : kInfinite);
    if (std::isnan(result.error_)) result.error_ = kInfinite;
    result.magnitude_ += std::min(result.error_, 2 * kMaxF32);
    return result;
  }
  // A sum of `terms` products or numbers that have met `roundings` roundings each, magnitudes summed in `magnitude`.
  static Bounded OpenSum(double value, double error, double magnitude, double terms, double roundings) {
    Bounded sum;
    sum.value_ = value;
    sum.error_ = std::isnan(error) ? kInfinite : error;
    sum.magnitude_ = magnitude;
    sum.terms_ = terms;
    sum.roundings_ = roundings;
    return sum;
  }
  // Nothing is known: an f32 overflow along some order of evaluation.
  static Bounded Unknown(double value) { return WithError(value, kInfinite); }

  double value() const { return value_; }
  // Of the closed sum.
  double error() const {
    if (!(error_ < kInfinite)) return kInfinite;
    // An infinite term decides, unless the finite ones overflow to the other infinity (from 2^127 on, as operands may
    // be rounded to bf16).
    if (std::isinf(value_)) return rounds() > 0 && magnitude_ > kMaxF32 / 2 ? kInfinite : 0;
    if (std::isnan(value_)) return 0;
    // Some order of the additions may overflow.
    if (magnitude_ > kMaxF32) return rounds() > 0 ? kInfinite : error_;
    const double n = rounds();
    return n == 0 ? error_ : error_ + Gamma(n) * magnitude_ + 2 * n * Underflow();
  }
  // Not so where some order overflows: infinities of both signs may meet, and NaN come out.
  bool known() const { return error() < kInfinite; }
  bool is_nan() const { return std::isnan(value_) && known(); }
  double magnitude() const { return magnitude_; }
  double lo() const { return value_ - error(); }
  double hi() const { return value_ + error(); }
  // The open sum, rounded in whatever order.
  Bounded Closed() const { return WithError(value_, error()); }
  // One more f32 rounding than the equations show: a factoring that an implementation is free to choose.
  Bounded Loosened(double roundings) const {
    Bounded result = *this;
    result.roundings_ += roundings;
    return result;
  }
  Bounded WithExtraError(double extra) const {
    Bounded result = *this;
    result.error_ += std::isfinite(value_) ? extra : 0;
    result.magnitude_ += std::isfinite(extra) ? extra : 0;
    return result;
  }

  Bounded operator-() const {
    Bounded result = *this;
    result.value_ = -value_;
    return result;
  }
  friend Bounded operator+(const Bounded& a, const Bounded& b) {
    Bounded sum;
    sum.value_ = a.value_ + b.value_;
    sum.error_ = std::isnan(sum.value_) && (a.is_nan() || b.is_nan()) ? 0 : a.error_ + b.error_;
    sum.magnitude_ = a.magnitude_ + b.magnitude_;
    sum.terms_ = a.terms_ + b.terms_;
    sum.roundings_ = std::max(a.roundings_, b.roundings_);
    return sum;
  }
  friend Bounded operator-(const Bounded& a, const Bounded& b) { return a + -b; }
  friend Bounded operator*(const Bounded& a, const Bounded& b) { return Product(a, b); }
  friend Bounded operator/(const Bounded& a, const Bounded& b) { return Quotient(a, b); }
  Bounded& operator+=(const Bounded& b) { return *this = *this + b; }
  Bounded& operator-=(const Bounded& b) { return *this = *this - b; }
  Bounded& operator*=(const Bounded& b) { return *this = *this * b; }
  Bounded& operator/=(const Bounded& b) { return *this = *this / b; }

  // Smallest magnitude of a rounding error below the normal range. With flush to zero a whole 2^-126 may vanish.
  static double& Underflow() {
    thread_local double underflow = kMinNormalF32;
    return underflow;
  }

 private:
  static constexpr double kInfinite = std::numeric_limits<double>::infinity();

  static double FiniteMagnitude(double value) { return std::isfinite(value) ? std::fabs(value) : 0; }
  double rounds() const { return terms_ - 1 + roundings_; }

  static Bounded Product(const Bounded& a, const Bounded& b) {
    const double ea = a.error(), eb = b.error();
    const double ma = std::fabs(a.value_), mb = std::fabs(b.value_);
    Bounded product;
    product.value_ = a.value_ * b.value_;
    if (!std::isfinite(product.value_)) return NonFiniteProduct(product.value_, a, b);
    product.error_ = ma * eb + mb * ea + ea * eb;
    // Denormals-are-zero: a subnormal operand may count as nothing.
    if (ma - ea < Underflow()) product.error_ += std::min(ma + ea, Underflow()) * (mb + eb);
    if (mb - eb < Underflow()) product.error_ += std::min(mb + eb, Underflow()) * (ma + ea);
    if (std::isnan(product.error_)) product.error_ = kInfinite;
    product.magnitude_ = std::fabs(product.value_) + product.error_;
    // Exact factors with an exact product, such as those of saturated gates, leave nothing to round.
    const bool exact = ea == 0 && eb == 0 && static_cast<double>(static_cast<float>(product.value_)) == product.value_;
    product.roundings_ = exact ? 0 : 1;
    if (exact) product.error_ = 0;
    return product;
  }
  static Bounded NonFiniteProduct(double value, const Bounded& a, const Bounded& b) {
    if (a.is_nan() || b.is_nan()) return Bounded(value);
    if (!a.known() || !b.known()) return Unknown(value);
    const auto sign_known = [](const Bounded& x) {
      return !std::isfinite(x.value_) || std::fabs(x.value_) > x.error() || x.error() == 0;
    };
    return sign_known(a) && sign_known(b) ? Bounded(value) : Unknown(value);
  }
  static Bounded Quotient(const Bounded& a, const Bounded& b) {
    const double eb = b.error(), mb = std::fabs(b.value_);
    const double value = a.value_ / b.value_;
    if (a.is_nan() || b.is_nan()) return Bounded(value);
    if (!(mb > eb) || !std::isfinite(value)) return Unknown(value);
    const double error = (a.error() + std::fabs(value) * eb) / (mb - eb);
    Bounded quotient = WithError(value, error);
    quotient.roundings_ = 1;
    return quotient;
  }

  double value_ = 0;
  double error_ = 0;      // without the roundings of the open sum
  double magnitude_ = 0;  // sum of |term| + its error, over the finite terms
  double terms_ = 1;
  double roundings_ = 0;  // that a term has met before it enters the sum
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_ORACLE_BOUNDED_H_
