// Single elements of tensors, where no vector is worth it: how each type is stored, and its value as f32.
#ifndef TANDEM_OPTIMIZED_WEIGHTS_ELEMENT_H_
#define TANDEM_OPTIMIZED_WEIGHTS_ELEMENT_H_

#include <cstdint>

#include "api/core/float16.h"
#include "api/core/types.h"
#include "hwy/base.h"

namespace tandem {
namespace optimized {

struct F32Element {
  using Stored = float;
  static float Load(Stored x) { return x; }
  static Stored From(float x) { return x; }
};

struct Bf16Element {
  using Stored = uint16_t;
  static float Load(Stored x) { return Bf16ToFloat(x); }
  static Stored From(float x) { return FloatToBf16(x); }
};

// The exact FloatToFp16 takes 40 ns, too long for millions of weights: it is left to subnormal results, infinities and
// NaN.
struct F16Element {
  using Stored = uint16_t;
  static float Load(Stored x) { return Fp16ToFloat(x); }
  static Stored From(float x) {
    const uint32_t bits = BitsOf(x);
    const uint32_t magnitude = bits & 0x7fffffffu;
    const bool simple = magnitude >= 0x38800000u && magnitude < 0x47000000u;  // [2^-14, 2^15)
    if (!simple) return FloatToFp16(x);
    const uint32_t rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1u);
    return static_cast<Stored>((bits >> 16 & 0x8000u) | ((rounded >> 13) - (112u << 10)));
  }
};

struct S8Element {
  using Stored = int8_t;
  static Stored Load(Stored x) { return x; }
  static Stored From(Stored x) { return x; }
};

// visit(element) for the one of f32, bf16 and f16 that `type` is.
template <class Visit>
auto VisitFloating(DataType type, const Visit& visit) {
  HWY_DASSERT(IsFloating(type));
  if (type == DataType::kF32) return visit(F32Element());
  return type == DataType::kBf16 ? visit(Bf16Element()) : visit(F16Element());
}

// Values of k that lie side by side in packed weights, as the kernels' products take them. f16 is widened before it is
// multiplied, one k at a time.
inline Dim GroupOf(DataType storage) { return storage == DataType::kF16 ? 1 : 4 / static_cast<Dim>(SizeOf(storage)); }

// Their number is padded with zeros to a multiple of this: whole words of 32 bits, so that every gate of a block starts on a
// cache line.
inline Dim PaddingOf(DataType storage) { return 4 / static_cast<Dim>(SizeOf(storage)); }

// Element `index` of f32, bf16 or f16 memory.
inline float LoadFloat(const void* from, DataType type, Dim index) {
  return VisitFloating(type, [&](auto element) {
    using Element = decltype(element);
    return Element::Load(static_cast<const typename Element::Stored*>(from)[index]);
  });
}

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_WEIGHTS_ELEMENT_H_
