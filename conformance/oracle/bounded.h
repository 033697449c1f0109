// A number with a certified error bound: the scalar over which the oracle evaluates the reference's equations.
//
// A Bounded stands for every result that f32 arithmetic may give: any order of summation, FMA or not. It is kept as an
// open sum: `value`, the error that came in with the operands, the sum of the magnitudes of the terms, and how many
// roundings a term can meet. It is closed when it is used as a factor or an argument. Then the classical bound applies:
// |fl(sum) - sum| <= gamma_n * sum|terms|, gamma_n = n u / (1 - n u), u = 2^-24 (Higham, ASNA 3.1), which holds for
// every order of the additions.
//
// A value points to the arithmetic of the policy that made it, which must outlive it. A constant has none: it takes
// that of the values it meets. Values of two policies never meet.
#ifndef TANDEM_CONFORMANCE_ORACLE_BOUNDED_H_
#define TANDEM_CONFORMANCE_ORACLE_BOUNDED_H_

#include <algorithm>
#include <cmath>
#include <limits>

#include "conformance/oracle/arithmetic.h"

namespace tandem::conformance {

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
  // Nothing is known: f32 can overflow in some order of evaluation.
  static Bounded Unknown(double value) { return WithError(value, kInfinite); }

  // The same value, in an arithmetic.
  Bounded In(const Arithmetic* arithmetic) const {
    Bounded result = *this;
    result.arithmetic_ = arithmetic;
    return result;
  }
  // Another value in the arithmetic of this one.
  Bounded Like(double value, double error) const { return WithError(value, error).In(arithmetic_); }
  const Arithmetic& arithmetic() const { return arithmetic_ == nullptr ? kDefaultArithmetic : *arithmetic_; }

  double value() const { return value_; }
  // Of the closed sum.
  double error() const { return ErrorIn(arithmetic()); }
  double ErrorIn(const Arithmetic& arithmetic) const {
    if (!(error_ < kInfinite)) return kInfinite;
    // The sum is the infinite term, unless the finite terms overflow to the other infinity (possible from 2^127 on, as
    // operands may be rounded to bf16).
    if (std::isinf(value_)) return rounds() > 0 && magnitude_ > kMaxF32 / 2 ? kInfinite : 0;
    if (std::isnan(value_)) return 0;
    // Some order of the additions may overflow.
    if (magnitude_ > kMaxF32) return rounds() > 0 ? kInfinite : error_;
    const double n = rounds();
    return n == 0 ? error_ : error_ + arithmetic.Gamma(n) * magnitude_ + 2 * n * arithmetic.underflow;
  }
  // False if any order of evaluation can overflow f32: +inf and -inf may meet, so NaN must be allowed.
  bool known() const { return error() < kInfinite; }
  bool is_nan() const { return std::isnan(value_) && known(); }
  double magnitude() const { return magnitude_; }
  double lo() const { return value_ - error(); }
  double hi() const { return value_ + error(); }
  // The open sum, rounded in whatever order.
  Bounded Closed() const { return Like(value_, error()); }
  Bounded WithExtraError(double extra) const {
    Bounded result = *this;
    result.error_ += std::isfinite(value_) ? extra : 0;
    result.magnitude_ += std::isfinite(extra) ? extra : 0;
    return result;
  }

  // An open sum times `factor` once it is summed, or of terms times `factor`: two roundings of each term.
  Bounded Scaled(double factor) const {
    if (!known()) return Unknown(value_ * factor).In(arithmetic_);
    Bounded result = *this;
    const double size = std::fabs(factor);
    result.value_ *= factor;
    result.error_ = error_ * size + 2 * rounds() * arithmetic().underflow * size;
    result.magnitude_ *= size;
    result.roundings_ += 2;
    result.exact_ = false;
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
    sum.arithmetic_ = Common(a, b);
    sum.exact_ = a.IsExactTerm() && b.IsExactTerm() && sum.arithmetic().Holds(sum.value_) && sum.IsNormalOrZero();
    return sum;
  }
  friend Bounded operator-(const Bounded& a, const Bounded& b) { return a + -b; }
  friend Bounded operator*(const Bounded& a, const Bounded& b) { return Product(a, b); }
  friend Bounded operator/(const Bounded& a, const Bounded& b) { return Quotient(a, b); }
  Bounded& operator+=(const Bounded& b) { return *this = *this + b; }
  Bounded& operator-=(const Bounded& b) { return *this = *this - b; }
  Bounded& operator*=(const Bounded& b) { return *this = *this * b; }
  Bounded& operator/=(const Bounded& b) { return *this = *this / b; }

 private:
  static constexpr double kInfinite = std::numeric_limits<double>::infinity();
  static constexpr Arithmetic kDefaultArithmetic{};

  static double FiniteMagnitude(double value) { return std::isfinite(value) ? std::fabs(value) : 0; }
  double rounds() const { return exact_ ? 0 : terms_ - 1 + roundings_; }
  bool IsNormalOrZero() const { return value_ == 0 || std::fabs(value_) >= arithmetic().underflow; }
  bool IsExactTerm() const { return terms_ == 1 && roundings_ == 0 && error_ == 0 && IsNormalOrZero(); }

  static const Arithmetic* Common(const Bounded& a, const Bounded& b) {
    return a.arithmetic_ != nullptr ? a.arithmetic_ : b.arithmetic_;
  }
  static Bounded Product(const Bounded& a, const Bounded& b) {
    Bounded product;
    product.arithmetic_ = Common(a, b);
    product.value_ = a.value_ * b.value_;
    const Arithmetic& arithmetic = product.arithmetic();
    if (!std::isfinite(product.value_)) {
      return NonFiniteProduct(product.value_, arithmetic, a, b).In(product.arithmetic_);
    }
    const double ea = a.ErrorIn(arithmetic), eb = b.ErrorIn(arithmetic);
    const double ma = std::fabs(a.value_), mb = std::fabs(b.value_);
    product.error_ = ma * eb + mb * ea + ea * eb;
    // A subnormal operand may count as zero (denormals-are-zero).
    const double underflow = arithmetic.underflow;
    if (ma - ea < underflow) product.error_ += std::min(ma + ea, underflow) * (mb + eb);
    if (mb - eb < underflow) product.error_ += std::min(mb + eb, underflow) * (ma + ea);
    if (std::isnan(product.error_)) product.error_ = kInfinite;
    product.magnitude_ = std::fabs(product.value_) + product.error_;
    // Exact factors with an exact product, such as those of saturated gates, leave nothing to round.
    const bool exact = ea == 0 && eb == 0 && arithmetic.Holds(product.value_);
    product.roundings_ = exact ? 0 : 1;
    if (exact) product.error_ = 0;
    return product;
  }
  static Bounded NonFiniteProduct(double value, const Arithmetic& arithmetic, const Bounded& a, const Bounded& b) {
    if (a.is_nan() || b.is_nan()) return Bounded(value);
    if (!a.known() || !b.known()) return Unknown(value);
    // An infinity times what may be zero, as a subnormal operand may count, or of the other sign.
    const auto sign_known = [&arithmetic](const Bounded& x) {
      const double size = std::fabs(x.value_), error = x.ErrorIn(arithmetic);
      return !std::isfinite(x.value_) || (size > error && size - error >= arithmetic.underflow) || size + error == 0;
    };
    return sign_known(a) && sign_known(b) ? Bounded(value) : Unknown(value);
  }
  static Bounded Quotient(const Bounded& a, const Bounded& b) {
    const Arithmetic* common = Common(a, b);
    const double ea = a.In(common).error(), eb = b.In(common).error(), mb = std::fabs(b.value_);
    const double value = a.value_ / b.value_;
    if (a.is_nan() || b.is_nan()) return Bounded(value);
    if (!(mb > eb) || !std::isfinite(value)) return Unknown(value);
    Bounded quotient = WithError(value, (ea + std::fabs(value) * eb) / (mb - eb)).In(common);
    quotient.roundings_ = 1;
    return quotient;
  }

  double value_ = 0;
  double error_ = 0;      // without the roundings of the open sum
  double magnitude_ = 0;  // sum of |term| + its error, over the finite terms
  double terms_ = 1;
  double roundings_ = 0;  // that a term has met before it enters the sum
  // A sum of two exact terms that is a number of the type itself. With a third term the order of the additions matters.
  bool exact_ = false;
  const Arithmetic* arithmetic_ = nullptr;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_ORACLE_BOUNDED_H_
