// Vectors and registers of a target, and the shapes in which the micro-kernel hands them to a storage.

// Per-target include guard.
#if defined(TANDEM_OPTIMIZED_KERNELS_VECTORS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_OPTIMIZED_KERNELS_VECTORS_INL_H_
#undef TANDEM_OPTIMIZED_KERNELS_VECTORS_INL_H_
#else
#define TANDEM_OPTIMIZED_KERNELS_VECTORS_INL_H_
#endif

#include <cstdint>

#include "api/core/types.h"
#include "hwy/highway.h"
#include "optimized/machine/tuning.h"
#include "optimized/weights/layout.h"

HWY_BEFORE_NAMESPACE();
namespace tandem {
namespace optimized {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
#error "For a processor without vectors, define HWY_COMPILE_ONLY_EMU128 and HWY_BROKEN_EMU128=0 (--config=scalar)"
#endif

// A vector is at most as long as a block: kernels walk a block in 16 / kLanes vectors.
using F32Tag = hn::CappedTag<float, kBlock>;
using S32Tag = hn::RebindToSigned<F32Tag>;
using F32Vec = hn::Vec<F32Tag>;
constexpr Dim kLanes = hn::MaxLanes(F32Tag());
using S32Vec = hn::Vec<S32Tag>;
// Vectors in a block.
constexpr int kBlockVectors = static_cast<int>(kBlock / kLanes);

// The numbers that all processors of the target share. `most_rows` of a tile is the largest that one of them has.
constexpr Tuning kTuning = TuningOf(HWY_TARGET, Processor::kOther);

// The weights of one group of k: the vectors of a block lie side by side, those of the next block `stream` further.
template <class W, int GROUP>
struct Weights {
  const W* HWY_RESTRICT at;
  Dim stream;
  int first = 0;  // vector of the block at `at`
  HWY_INLINE const W* Vector(int j) const {
    return at + (first + j) / kBlockVectors * stream + (first + j) % kBlockVectors * (kLanes * GROUP);
  }
};

#if (HWY_ARCH_X86 && HWY_TARGET > HWY_AVX2) || HWY_TARGET == HWY_EMU128 || HWY_TARGET == HWY_WASM
constexpr bool kWidensF16 = false;  // in one instruction
// This code serves processors that cannot widen f16. (Highway 1.2.0 has code for them, in 33 instructions instead of 18, which
// returns numbers from 65536 on for infinities and NaN.) No operand is a subnormal number of f32, which a processor may take for
// zero.
HWY_INLINE F32Vec WidenF16(hn::Vec<hn::Rebind<hwy::float16_t, F32Tag>> v) {
  const F32Tag d;
  const S32Tag di;
  constexpr int kExponent = 23;  // its lowest bit in f32
  constexpr int kBias = 112;     // of f32's exponents over those of f16
  const S32Vec bits = hn::ShiftLeft<13>(hn::PromoteTo(di, hn::BitCast(hn::Rebind<int16_t, F32Tag>(), v)));
  const S32Vec magnitude = hn::And(bits, hn::Set(di, 0x0fffe000));
  const S32Vec sign = hn::And(bits, hn::SignBit(di));
  const S32Vec bias = hn::Set(di, kBias << kExponent);
  // Infinities and NaN: to the highest exponent.
  const auto is_special = hn::Gt(magnitude, hn::Set(di, (31 << kExponent) - 1));
  S32Vec wide = hn::Add(hn::Add(magnitude, bias), hn::IfThenElseZero(is_special, bias));
  // Zero and subnormal numbers: 2^-14 (1 + mantissa), less 2^-14.
  const auto is_small = hn::Lt(magnitude, hn::Set(di, 1 << kExponent));
  const S32Vec smallest_normal = hn::IfThenElseZero(is_small, hn::Set(di, (kBias + 1) << kExponent));
  wide = hn::Or(wide, smallest_normal);
  const F32Vec value = hn::Sub(hn::BitCast(d, wide), hn::BitCast(d, smallest_normal));
  return hn::Or(value, hn::BitCast(d, sign));
}
#else
constexpr bool kWidensF16 = true;
HWY_INLINE F32Vec WidenF16(hn::Vec<hn::Rebind<hwy::float16_t, F32Tag>> v) { return hn::PromoteTo(F32Tag(), v); }
#endif

// Returns u a + (1 - u) b. An infinite b stays infinite: b - u b would be NaN.
HWY_INLINE F32Vec Mixed(F32Vec u, F32Vec a, F32Vec b) {
  return hn::MulAdd(u, a, hn::Mul(hn::Sub(hn::Set(F32Tag(), 1.f), u), b));
}

// MR rows of A.
template <class T, int MR>
struct OperandRows {
  const T* at[MR];
};
template <int MR, class T>
HWY_INLINE OperandRows<T, MR> OperandRowsAt(const T* a, Dim a_row) {
  OperandRows<T, MR> rows;
  HWY_UNROLL(16)
  for (int i = 0; i < MR; ++i) rows.at[i] = a + i * a_row;
  return rows;
}

#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
constexpr int kRegisters = 32;
#else
constexpr int kRegisters = 16;
#endif

// MR x NV accumulators of one vector each.
template <class V, int MR, int NV>
struct Accumulators {
  V at[MR][NV];
};

// AVX2 has 16 registers: 3 x 4 accumulators leave 4, enough for 3 values of A and one weight, but not for 4 weights and
// one value of A. An f32 weight needs no register, being an operand in memory; a widened one does.
//
// NEON has 32, and no operands in memory: passes over several blocks have too many weights.
constexpr bool kFewRegisters = HWY_TARGET == HWY_AVX2;
constexpr bool kOperandsInMemory = !HWY_ARCH_ARM_A64;
// SSE2 to SSE4: a product takes a register before it is added.
constexpr bool kProductsTakeRegisters = HWY_ARCH_X86 && !HWY_NATIVE_FMA;
template <int MR, int NV>
constexpr bool kWeightsOneByOne = kFewRegisters ? MR == 3 : !kOperandsInMemory && (NV > 8 || MR * NV + NV > 30);

}  // namespace HWY_NAMESPACE
}  // namespace optimized
}  // namespace tandem
HWY_AFTER_NAMESPACE();

#endif  // TANDEM_OPTIMIZED_KERNELS_VECTORS_INL_H_
