// Bounds of layer normalization. docs/verdicts/method.md derives them. All is f32, also where data have 16 bits.
#include <algorithm>
#include <cmath>
#include <limits>

#include "conformance/oracle/bounded_numerics.h"

namespace tandem::conformance {
namespace {

using Eigen::Index;

// Sums over one column.
struct Column {
  Column(const BoundedMat& m, Index n) {
    for (Index j = 0; j < m.rows(); ++j) {
      const Bounded& v = m(j, n);
      value += v.value();
      error += v.error();
      magnitude += std::fabs(v.value()) + v.error();
      known = known && v.known();
    }
  }
  double value = 0, error = 0, magnitude = 0;
  bool known = true;
};

// The error of v - mean. The mean has v in it: what v is off, it is off by less.
Bounded CenteredValue(const Bounded& v, const Column& column, double count) {
  const Arithmetic& arithmetic = v.arithmetic();
  const double mean = column.value / count, value = v.value() - mean, e = v.error();
  if (column.magnitude > kMaxF32) return v.Like(value, std::numeric_limits<double>::infinity());
  const double inherited = e * (1 - 1 / count) + (column.error - e) / count;
  // count - 1 additions and two roundings by 1 / count. The difference may be taken of both terms as they are, or of both times
  // what follows it.
  const double of_mean = arithmetic.Gamma(count + 1) * column.magnitude / count;
  const double of_difference = arithmetic.Gamma(2) * (std::fabs(v.value()) + e + std::fabs(mean));
  return v.Like(value, inherited + of_mean + of_difference + 4 * arithmetic.underflow);
}

// The variance is a sum of squares: it is not negative, however large its bound is.
Bounded RootOf(const Bounded& variance, double epsilon) {
  const double value = std::sqrt(variance.value() + epsilon);
  if (!variance.known() || !std::isfinite(value)) return variance.Like(value, variance.error());
  const double lo = std::sqrt(std::max(variance.lo(), 0.) + epsilon), hi = std::sqrt(variance.hi() + epsilon);
  // The sum, the root, and the two roundings of a reciprocal that is multiplied.
  const double own = variance.arithmetic().Gamma(4) * hi;
  return variance.Like(value, std::max(hi - value, value - lo) + own);
}

// One of `count` numbers is in the variance itself: its square is at most `count` times as large.
Bounded StandardizedValue(const Bounded& centered, const Bounded& root, double count) {
  const Bounded quotient = centered / root;
  if (!centered.known() || !root.known() || !std::isfinite(quotient.value())) return quotient;
  const double most = std::sqrt(count) * (1 + root.arithmetic().Gamma(count + 16));
  return root.Like(quotient.value(), std::min(quotient.error(), most + std::fabs(quotient.value())));
}

}  // namespace

BoundedMat BoundedNumerics::Mean(const Mat& v) const {
  BoundedMat mean(v.rows(), v.cols());
  for (Index n = 0; n < v.cols(); ++n) {
    Bounded sum = v(0, n).In(&sums_);
    for (Index j = 1; j < v.rows(); ++j) sum += v(j, n);
    if (v.rows() > 1) sum = sum.Scaled(1 / static_cast<double>(v.rows()));
    mean.col(n).setConstant(sum.Closed());
  }
  return mean;
}

BoundedMat BoundedNumerics::Centered(const Mat& v) const {
  BoundedMat closed(v.rows(), v.cols());
  for (Index i = 0; i < v.size(); ++i) closed.data()[i] = v.data()[i].In(&sums_).Closed();
  for (Index n = 0; n < v.cols(); ++n) {
    const Column column(closed, n);
    for (Index j = 0; j < v.rows(); ++j) {
      Bounded& element = closed(j, n);
      if (!column.known) {
        element = element.Like(element.value(), std::numeric_limits<double>::infinity());
      } else if (!std::isfinite(column.value)) {
        element = element.Like(std::numeric_limits<double>::quiet_NaN(), 0);
      } else if (v.rows() == 1) {
        element = element.Like(0, 0);
      } else {
        element = CenteredValue(element, column, static_cast<double>(v.rows()));
      }
    }
  }
  return closed;
}

BoundedMat BoundedNumerics::Root(const Mat& variance, double epsilon) const {
  return Each(variance, [epsilon, this](const Bounded& s) { return RootOf(s.In(&sums_), epsilon); });
}

BoundedMat BoundedNumerics::Standardized(const Mat& centered, const Mat& root) const {
  BoundedMat v_hat(centered.rows(), centered.cols());
  const double count = static_cast<double>(centered.rows());
  for (Index i = 0; i < v_hat.size(); ++i) {
    v_hat.data()[i] = StandardizedValue(centered.data()[i], root.data()[i], count).In(&arithmetic_);
  }
  return v_hat;
}

}  // namespace tandem::conformance
