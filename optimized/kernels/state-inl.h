// Loading and storing a vector of hidden state: tails, rounding to the 16-bit types, quantization.

// Per-target include guard.
#if defined(TANDEM_OPTIMIZED_KERNELS_STATE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_OPTIMIZED_KERNELS_STATE_INL_H_
#undef TANDEM_OPTIMIZED_KERNELS_STATE_INL_H_
#else
#define TANDEM_OPTIMIZED_KERNELS_STATE_INL_H_
#endif

#include "hwy/highway.h"
#include "optimized/kernels/kernels.h"
#include "optimized/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tandem {
namespace optimized {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The nearest values of a floating type; the values themselves for all others.
HWY_INLINE F32Vec RoundTo(DataType type, F32Vec v) {
  const F32Tag d;
  if (type == DataType::kBf16) {
    const hn::Rebind<hwy::bfloat16_t, F32Tag> db;
    return hn::PromoteTo(d, hn::DemoteTo(db, v));
  }
  if (type == DataType::kF16) {
    const hn::Rebind<hwy::float16_t, F32Tag> dh;
    return WidenF16(hn::DemoteTo(dh, v));
  }
  return v;
}

// A StateQuantization in vectors, which many lanes share.
struct Quantizer {
  HWY_INLINE explicit Quantizer(const StateQuantization& q)
      : reading(q.reading),
        scale(hn::Set(F32Tag(), q.scale)),
        shift(hn::Set(F32Tag(), q.shift)),
        lowest(hn::Set(F32Tag(), q.lowest)),
        highest(hn::Set(F32Tag(), q.highest)),
        zero_image(hn::Set(F32Tag(), ZeroImage(q))),
        offset(hn::Set(S32Tag(), q.lowest < 0.f ? 128 : 0)) {}
  Reading reading;
  F32Vec scale, shift, lowest, highest, zero_image;
  S32Vec offset;  // signed bytes are kept as byte + 128, so that one unsigned x signed product serves both
};

// The operations of api/core/attributes/quantization.h, in its order, with no multiply-add.

// Saturated and rounded to nearest even; NaN becomes 0.
HWY_INLINE S32Vec SaturateAndRound(const Quantizer& q, F32Vec x) {
  const F32Tag d;
  const S32Tag di;
  // Adding 1.5 * 2^23 rounds small numbers and leaves the integer in the low bits. (NearestInt() takes more instructions, for
  // large numbers.)
  const F32Vec magic = hn::Set(d, 12582912.f);
  const F32Vec rounded = hn::Add(hn::Min(hn::Max(x, q.lowest), q.highest), magic);
  const S32Vec bytes = hn::Sub(hn::BitCast(di, rounded), hn::BitCast(di, magic));
  return hn::IfThenElseZero(hn::RebindMask(di, hn::Eq(x, x)), bytes);
}

// scale * (x + shift) or scale * x + shift, as the byte's own value.
HWY_INLINE S32Vec Quantize(const Quantizer& q, F32Vec x) {
  return SaturateAndRound(
      q, q.reading == Reading::kSpec ? hn::Mul(hn::Add(x, q.shift), q.scale) : hn::Add(hn::Mul(x, q.scale), q.shift));
}

HWY_INLINE F32Vec Dequantize(const Quantizer& q, S32Vec bytes) {
  const F32Vec value = hn::ConvertTo(F32Tag(), bytes);
  return q.reading == Reading::kSpec ? hn::Sub(hn::Div(value, q.scale), q.shift)
                                     : hn::Div(hn::Sub(value, q.shift), q.scale);
}

// bidirectional_sum of two states as bytes and as real values.
HWY_INLINE S32Vec SumOfDirections(const Quantizer& q, S32Vec a, S32Vec b) {
  const F32Vec sum = hn::ConvertTo(F32Tag(), hn::Add(a, b));
  return SaturateAndRound(q, q.reading == Reading::kSpec ? hn::Sub(sum, q.zero_image) : sum);
}

HWY_INLINE F32Vec RealSumOfDirections(const Quantizer& q, S32Vec a, S32Vec b) {
  if (q.reading == Reading::kSpec) return hn::Add(Dequantize(q, a), Dequantize(q, b));
  Quantizer twice = q;
  twice.shift = hn::Add(q.shift, q.shift);
  return Dequantize(twice, SumOfDirections(q, a, b));
}

// `n` > 0 valid lanes at `to`.
HWY_INLINE void StoreState(const Quantizer&, F32Vec v, float* HWY_RESTRICT to, Dim n) {
  const F32Tag d;
  if (n >= static_cast<Dim>(hn::MaxLanes(d))) {
    hn::StoreU(v, d, to);
  } else {
    hn::StoreN(v, d, to, static_cast<size_t>(n));
  }
}

HWY_INLINE void StoreState(const Quantizer& q, F32Vec v, uint8_t* HWY_RESTRICT to, Dim n) {
  const hn::Rebind<uint8_t, F32Tag> du;
  const auto bytes = hn::DemoteTo(du, hn::Add(Quantize(q, v), q.offset));
  if (n >= static_cast<Dim>(hn::MaxLanes(du))) {
    hn::StoreU(bytes, du, to);
  } else {
    hn::StoreN(bytes, du, to, static_cast<size_t>(n));
  }
}

HWY_INLINE void StoreState(const Quantizer&, F32Vec v, hwy::bfloat16_t* HWY_RESTRICT to, Dim n) {
  const hn::Rebind<hwy::bfloat16_t, F32Tag> db;
  const auto rounded = hn::DemoteTo(db, v);
  if (n >= static_cast<Dim>(hn::MaxLanes(db))) {
    hn::StoreU(rounded, db, to);
  } else {
    hn::StoreN(rounded, db, to, static_cast<size_t>(n));
  }
}

HWY_INLINE F32Vec LoadState(const Quantizer&, const hwy::bfloat16_t* HWY_RESTRICT from, Dim n) {
  const hn::Rebind<hwy::bfloat16_t, F32Tag> db;
  return hn::PromoteTo(F32Tag(), n >= static_cast<Dim>(hn::MaxLanes(db)) ? hn::LoadU(db, from)
                                                                         : hn::LoadN(db, from, static_cast<size_t>(n)));
}

HWY_INLINE F32Vec LoadState(const Quantizer&, const float* HWY_RESTRICT from, Dim n) {
  const F32Tag d;
  if (n >= static_cast<Dim>(hn::MaxLanes(d))) return hn::LoadU(d, from);
  return hn::LoadN(d, from, static_cast<size_t>(n));
}

HWY_INLINE F32Vec LoadState(const Quantizer& q, const uint8_t* HWY_RESTRICT from, Dim n) {
  const hn::Rebind<uint8_t, F32Tag> du;
  const auto bytes =
      n >= static_cast<Dim>(hn::MaxLanes(du)) ? hn::LoadU(du, from) : hn::LoadN(du, from, static_cast<size_t>(n));
  return Dequantize(q, hn::Sub(hn::PromoteTo(S32Tag(), bytes), q.offset));
}

}  // namespace HWY_NAMESPACE
}  // namespace optimized
}  // namespace tandem
HWY_AFTER_NAMESPACE();

#endif  // TANDEM_OPTIMIZED_KERNELS_STATE_INL_H_
