#include "conformance/oracle/bounded_dynamic.h"

#include <algorithm>
#include <cmath>

#include "api/core/attributes/quantization.h"
#include "conformance/oracle/bounded_int8.h"

namespace tandem::conformance {
namespace {

float Nearest(double x) { return static_cast<float>(x); }
float Scale(float lowest, float highest) { return (highest - lowest) / 255.f; }

// Rounded to nearest, not yet shifted by the zero point: sat(round(x / s) + Z) - Z is that within -Z and 255 - Z.
double Clamped(float x, float scale, float zero_point) {
  const double steps = std::nearbyint(x / scale);
  return std::min(std::max<double>(steps, -zero_point), 255. - zero_point);
}

}  // namespace

void BoundedRow::FindRange(const std::vector<Bounded>& values) {
  for (const Bounded& x : values) {
    if (x.known() && !std::isfinite(x.value())) kind_ = Kind::kNan;
    if (!x.known() && kind_ != Kind::kNan) kind_ = Kind::kNothing;
    if (!x.known() || !std::isfinite(x.value())) continue;
    const float lo = Nearest(x.lo()), hi = Nearest(x.hi());
    near_low_ = std::min(near_low_, hi), far_low_ = std::min(far_low_, lo);
    near_high_ = std::max(near_high_, lo), far_high_ = std::max(far_high_, hi);
  }
}

BoundedRow::BoundedRow(const std::vector<Bounded>& values) {
  FindRange(values);
  if (kind_ != Kind::kBytes) return;
  const float least = Scale(near_low_, near_high_), most = Scale(far_low_, far_high_);
  if (!std::isfinite(most)) {
    kind_ = std::isfinite(least) ? Kind::kNothing : Kind::kNan;
  } else if (least < kLeastRowScale) {
    kind_ = most < kLeastRowScale ? Kind::kZeros : Kind::kPerhapsZeros;
  }
  least_scale_ = least, most_scale_ = most;
  if (kind_ != Kind::kBytes) return;
  // Of 0, which lies at -lowest / s steps above the lowest.
  const float least_zero = SaturateAndRound<uint8_t>(-near_low_ / most);
  const float most_zero = SaturateAndRound<uint8_t>(-far_low_ / least);
  for (const Bounded& x : values) {
    const float lo = Nearest(x.lo()), hi = Nearest(x.hi());
    least_.push_back(Clamped(lo, lo < 0 ? least : most, most_zero));
    most_.push_back(Clamped(hi, hi < 0 ? most : least, least_zero));
  }
}

BoundedMat BoundedDynamicNumerics::Dot(const WeightMatrix& w, const Mat& stored) const {
  BoundedMat products(w.q.rows(), stored.cols());
  for (Eigen::Index n = 0; n < stored.cols(); ++n) {
    std::vector<Bounded> values;
    for (Eigen::Index k = 0; k < stored.rows(); ++k) values.push_back(stored(k, n));
    const BoundedRow row(values);
    for (Eigen::Index j = 0; j < products.rows(); ++j) products(j, n) = Product(w, j, row).In(&arithmetic());
  }
  return products;
}

Bounded BoundedDynamicNumerics::Product(const WeightMatrix& w, Eigen::Index channel, const BoundedRow& row) const {
  using Kind = BoundedRow::Kind;
  const double unit = std::fabs(w.unit(channel, 0)), size = w.q.row(channel).abs().sum();
  switch (row.kind()) {
    case Kind::kNan:
      return Bounded(std::nan(""));
    case Kind::kNothing:
      return Bounded::Unknown(0);
    case Kind::kZeros:
      return Bounded(0);
    case Kind::kPerhapsZeros:
      return Bounded::WithError(0, 256 * size * row.most_scale() * unit);
    case Kind::kBytes:
      break;
  }
  if (w.q.cols() > kMaxExactInputs) return Bounded::Unknown(0);
  double sum = 0, error = 0;
  for (Eigen::Index k = 0; k < w.q.cols(); ++k) {
    const size_t at = static_cast<size_t>(k);
    sum += w.q(channel, k) * (row.least(at) + row.most(at)) / 2;
    error += std::fabs(w.q(channel, k)) * (row.most(at) - row.least(at)) / 2;
  }
  const double scale = (row.least_scale() + row.most_scale()) / 2;
  const double magnitude = std::fabs(sum) + error;
  double inherited = error * scale + magnitude * (row.most_scale() - row.least_scale()) / 2;
  // The product of the two scales, if it comes first, may be flushed.
  const double least_product = arithmetic().underflow;
  if (scale * unit < 2 * least_product) inherited += magnitude * 2 * least_product / unit;
  // The exact sum is converted, 1 / w and s / w are rounded, and the product with it.
  return Bounded::OpenSum(sum * scale * w.unit(channel, 0), inherited * unit, (magnitude * scale + inherited) * unit, 1,
                          4);
}

}  // namespace tandem::conformance
