#include "conformance/oracle/oracle_outputs.h"

#include <algorithm>
#include <cmath>

namespace tandem::conformance {
namespace {

void IncludeZeroIfFlushed(Subnormals subnormals, double* lo, double* hi) {
  if (subnormals == Subnormals::kKeep) return;
  if (*lo > 0 && *lo < kMinNormalF32) *lo = 0;
  if (*hi < 0 && *hi > -kMinNormalF32) *hi = 0;
}

Admissible Hull(const Admissible& a, const Admissible& b) {
  return {a.before, std::min(a.lo, b.lo), std::max(a.hi, b.hi), 0};
}

}  // namespace

Admissible Exactly(double value) { return {Bounded(value), value, value, 0}; }

Admissible AdmissibleFloat(DataType type, const Bounded& before, Subnormals subnormals) {
  Admissible result = {before.Closed(), before.value(), before.value(), 0};
  if (!before.known() || std::isnan(before.value())) return result;
  double lo = before.lo(), hi = before.hi();
  IncludeZeroIfFlushed(subnormals, &lo, &hi);
  // Rounding is monotone: these are the elements that are the rounding of some number within the bound. For f32, whose
  // results the bound holds itself, they are the elements within it and, at each end, the one nearest to it.
  result.lo = RoundToType(lo, type);
  result.hi = RoundToType(hi, type);
  return result;
}

Admissible AdmissibleSum(DataType type, const Bounded& a, const Bounded& b, Subnormals subnormals) {
  const Admissible wide = AdmissibleFloat(type, a + b, subnormals);
  if (type == DataType::kF32) return wide;
  const Bounded halves = Stored(type, a) + Stored(type, b);
  // Whether a half overflows to infinity decides between infinity, NaN and a number: any is allowed.
  const auto same = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  if (!same(halves.value(), wide.before.value()) &&
      !(std::isfinite(halves.value()) && std::isfinite(wide.before.value()))) {
    return {Bounded::Unknown(wide.before.value()), wide.lo, wide.hi, 0};
  }
  Admissible result = Hull(wide, AdmissibleFloat(type, halves, subnormals));
  // The error of the halves' own rounding belongs to the bound.
  result.before = result.before.WithExtraError(std::fabs(halves.value() - result.before.value()) + halves.error());
  return result;
}

namespace {

// The f32 that stands for `byte`: (q - z) / s. The range of the tensor counts both terms of the difference: otherwise
// the range would be 0 where all bytes stand for 0.
Admissible AdmissibleDequantized(const BoundedQuantization& data, const Bounded& real, const Bounded& byte) {
  Admissible result = AdmissibleFloat(DataType::kF32, real, Subnormals::kMayFlush);
  result.terms = (byte.magnitude() + std::fabs(data.zero_point)) / std::fabs(data.scale);
  return result;
}

}  // namespace

Admissible AdmissibleQuantized(DataType type, const BoundedQuantization& data, const Bounded& before) {
  const Bounded q = data.Before(before);
  const Bounded byte = data.Quantized(q);
  if (type == DataType::kF32) return AdmissibleDequantized(data, data.Dequantized(byte), byte);
  return {byte.known() ? q : byte, byte.lo(), byte.hi(), 0};
}

Admissible AdmissibleQuantizedSum(DataType type, const BoundedQuantization& data, const Bounded& a, const Bounded& b) {
  const Bounded qa = data.Quantized(data.Before(a)), qb = data.Quantized(data.Before(b));
  const Bounded before = data.SumBefore(qa, qb);
  const Bounded byte = data.Quantized(before);
  if (type != DataType::kF32) return {byte.known() ? before : byte, byte.lo(), byte.hi(), 0};
  // kSpec: the sum of two real numbers. kOnednn: the byte, from which the zero point is taken off twice.
  const Bounded real = data.reading == Reading::kSpec ? data.Dequantized(qa) + data.Dequantized(qb)
                                                      : data.Dequantized(byte - Bounded(data.zero_point));
  return AdmissibleDequantized(data, real, data.reading == Reading::kSpec ? qa + qb : byte);
}

OracleTensorBuilder::OracleTensorBuilder(const RnnProblem& problem, const Declaration& declared, Tensor tensor)
    : vacuous_beyond_(
          std::max(0x1p-8, (HasNarrowOperations(declared, problem) ? 32 : 8) * UnitRoundoff(problem.SrcType()))) {
  const MemoryDesc& md = problem.md[tensor];
  result_.tensor = tensor;
  result_.type = TypeOf(md);
  const size_t count = static_cast<size_t>(NumElements(md));
  result_.value.resize(count);
  result_.bound.resize(count);
  result_.lo.resize(count);
  result_.hi.resize(count);
  result_.cls.resize(count);
}

void OracleTensorBuilder::Set(size_t index, const Admissible& element) {
  result_.value[index] = element.before.value();
  result_.bound[index] = element.before.error();
  result_.lo[index] = element.lo;
  result_.hi[index] = element.hi;
  result_.cls[index] = !element.before.known()              ? ElementClass::kVacuous
                       : std::isnan(element.before.value()) ? ElementClass::kNan
                                                            : ElementClass::kFinite;
  const double value = element.before.value();
  if (result_.cls[index] != ElementClass::kFinite || !std::isfinite(value)) return;
  range_ = std::max({range_, std::fabs(value), element.terms});
}

OracleTensor OracleTensorBuilder::Finish() {
  // The range of a tensor of zeros is 0; a bound of 2^-100 is not vacuous there.
  const double limit = std::max(range_ * vacuous_beyond_, 0x1p-100);
  size_t vacuous = 0;
  for (size_t i = 0; i < result_.value.size(); ++i) {
    // If only one value is admissible, the element is tested, however wide the bound was before rounding.
    const bool loose = result_.bound[i] > limit && result_.lo[i] < result_.hi[i];
    vacuous += result_.cls[i] == ElementClass::kVacuous || loose;
  }
  if (!result_.value.empty()) {
    result_.vacuous_share = static_cast<double>(vacuous) / static_cast<double>(result_.value.size());
  }
  return std::move(result_);
}

}  // namespace tandem::conformance
