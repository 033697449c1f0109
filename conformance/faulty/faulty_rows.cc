#include "conformance/faulty/faulty_rows.h"

#include <algorithm>
#include <cmath>

namespace tandem::conformance {
namespace {

struct Range {
  float low, high;
  bool finite = true;
};

Range RangeOf(const float* values, Dim n, bool with_zero) {
  Range range = {with_zero || n == 0 ? 0 : values[0], with_zero || n == 0 ? 0 : values[0]};
  for (Dim k = 0; k < n; ++k) {
    range.low = std::min(range.low, values[k]);
    range.high = std::max(range.high, values[k]);
    range.finite = range.finite && std::isfinite(values[k]);
  }
  return range;
}

}  // namespace

FaultyBytes::FaultyBytes(const FaultyArithmetic& math, const float* row, const OperandRows& operand,
                         const OperandRows& input)
    : math_(math), q_(static_cast<size_t>(operand.width)) {
  Range range = RangeOf(row, operand.width, !math.On(Mutation::kDynamicRangeWithoutZero));
  if (math.On(Mutation::kDynamicRangeOfBatch)) range = RangeOf(operand.values, operand.width * operand.rows, true);
  if (math.On(Mutation::kDynamicRangeOfX)) range = RangeOf(input.values, input.width, true);
  if (math.On(Mutation::kDynamicSymmetric)) {
    range.high = std::max(-range.low, range.high);
    range.low = -range.high;
  }
  const float step = (range.high - range.low) / 255;
  const bool counts = step >= 0x1p-100f;
  if (!range.finite || !std::isfinite(step)) {
    scale_ = std::nan("");
  } else if (counts) {
    scale_ = step;
    zero_point_ = std::clamp(std::nearbyint(-range.low / step), 0.f, 255.f);
  }
  for (size_t k = 0; k < q_.size(); ++k) {
    const float steps = counts ? row[k] / step : 0;
    float rounded = std::nearbyint(steps);
    if (math.On(Mutation::kDynamicTruncates)) rounded = std::trunc(steps);
    const float byte = rounded + static_cast<float>(zero_point_);
    q_[k] = math.On(Mutation::kDynamicNotQuantized) ? steps + static_cast<float>(zero_point_)
                                                    : std::min(std::max(byte, 0.f), 255.f);
  }
  if (math.On(Mutation::kDynamicZeroPointKept)) zero_point_ = 0;
}

double FaultyBytes::Product(long n, const float* weights, long stride) const {
  double sum = 0;
  for (long k = 0; k < n; ++k) sum += weights[k * stride];
  return (math_.Dot(n, weights, stride, q_.data(), 1) - zero_point_ * sum) * scale_;
}

}  // namespace tandem::conformance
