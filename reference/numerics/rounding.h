// A value is rounded when it is stored in a data type, or converted to one that an fpmath mode permits.
#ifndef TANDEM_REFERENCE_NUMERICS_ROUNDING_H_
#define TANDEM_REFERENCE_NUMERICS_ROUNDING_H_

#include "api/core/attributes/element.h"
#include "api/core/error.h"
#include "api/core/float16.h"
#include "api/core/types.h"
#include "reference/numerics/matrix.h"

namespace tandem {
namespace reference {

// The nearest value of `type`, ties to even, rounded once. In the floating types overflow gives infinity and NaN stays
// NaN.
inline double RoundTo(DataType type, double value) {
  return VisitElement(type, [value](auto element) -> double {
    using Element = decltype(element);
    return Element::Load(Element::Store(value));
  });
}

// tf32 has the exponent of f32 and 10 bits of mantissa. Adding half of bit 13 (minus one ulp, unless bit 13 is set)
// before the lower 13 bits are dropped rounds to nearest even.
inline float RoundToTf32(float value) {
  const uint32_t bits = BitsOf(value);
  if ((bits & 0x7f800000u) == 0x7f800000u) return value;
  return FromBits((bits + 0x0fffu + ((bits >> 13) & 1u)) & 0xffffe000u);
}

// The down-conversion that the reference performs on an f32 operand of a matrix product. Each mode converts to the type
// of its name; `any` to bf16, the narrowest type with f32's range.
inline double RoundOperand(FpmathMode mode, double value) {
  switch (mode) {
    case FpmathMode::kBf16:
    case FpmathMode::kAny:
      return RoundTo(DataType::kBf16, value);
    case FpmathMode::kF16:
      return RoundTo(DataType::kF16, value);
    case FpmathMode::kTf32:
      return RoundToTf32(static_cast<float>(value));
    case FpmathMode::kStrict:
      return value;
  }
  ThrowNoSuchEnumerator("FpmathMode", mode);
}

template <class Real>
Mat<Real> RoundTo(DataType type, const Mat<Real>& m) {
  return m.unaryExpr([type](const Real& value) { return Real(RoundTo(type, static_cast<double>(value))); });
}

template <class Real>
Mat<Real> RoundOperand(FpmathMode mode, const Mat<Real>& m) {
  if (mode == FpmathMode::kStrict) return m;
  return m.unaryExpr([mode](const Real& value) { return Real(RoundOperand(mode, static_cast<double>(value))); });
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_NUMERICS_ROUNDING_H_
