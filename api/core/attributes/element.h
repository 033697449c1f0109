// An element of each data type lies in memory in its own way and stands for a real number. Code that loads or stores elements of
// any type calls VisitElement instead of having a switch of its own.
#ifndef TANDEM_API_CORE_ATTRIBUTES_ELEMENT_H_
#define TANDEM_API_CORE_ATTRIBUTES_ELEMENT_H_

#include <cstdint>

#include "api/core/attributes/quantization.h"
#include "api/core/error.h"
#include "api/core/float16.h"

namespace tandem {

// Load is exact but for s32 beyond 2^24, which is rounded to f32. Store rounds once, to nearest, ties to even; integers
// saturate first, and NaN becomes 0 in them.
struct F32Element {
  using Stored = float;
  static float Load(Stored x) { return x; }
  static Stored Store(float x) { return x; }
  static Stored Store(double x) { return static_cast<float>(x); }
};

struct Bf16Element {
  using Stored = uint16_t;
  static float Load(Stored x) { return Bf16ToFloat(x); }
  static Stored Store(float x) { return FloatToBf16(x); }
  static Stored Store(double x) { return DoubleToBf16(x); }
};

struct F16Element {
  using Stored = uint16_t;
  static float Load(Stored x) { return Fp16ToFloat(x); }
  static Stored Store(float x) { return FloatToFp16(x); }
  static Stored Store(double x) { return DoubleToFp16(x); }
};

template <class Int>
struct IntegerElement {
  using Stored = Int;
  static float Load(Stored x) { return static_cast<float>(x); }
  static Stored Store(float x) { return SaturateAndRound<Int>(x); }
  static Stored Store(double x) { return SaturateAndRound<Int>(x); }
};

// Returns visit(element), where element is a value of the struct above that belongs to `type`. Throws for kUndef.
//
//   VisitElement(type, [&](auto element) { return decltype(element)::Load(...); });
template <class Visit>
auto VisitElement(DataType type, Visit visit) {
  switch (type) {
    case DataType::kF32:
      return visit(F32Element());
    case DataType::kBf16:
      return visit(Bf16Element());
    case DataType::kF16:
      return visit(F16Element());
    case DataType::kS32:
      return visit(IntegerElement<int32_t>());
    case DataType::kS8:
      return visit(IntegerElement<int8_t>());
    case DataType::kU8:
      return visit(IntegerElement<uint8_t>());
    case DataType::kUndef:
      break;
  }
  ThrowInvalid("data type " + std::to_string(static_cast<int>(type)) + " has no elements");
}

}  // namespace tandem

#endif  // TANDEM_API_CORE_ATTRIBUTES_ELEMENT_H_
