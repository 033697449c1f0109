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
#include "optimized/kernels/storage-inl.h"

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

// The operations of api/core/attributes/quantization.h, in its order, with no multiply-add.

// Saturated and rounded to nearest even; NaN becomes 0.
HWY_INLINE S32Vec SaturateAndRound(const StateQuantization& q, F32Vec x) {
  const F32Tag d;
  const F32Vec number = hn::IfThenElseZero(hn::Eq(x, x), x);
  return hn::NearestInt(hn::Min(hn::Max(number, hn::Set(d, q.lowest)), hn::Set(d, q.highest)));
}

// scale * (x + shift) or scale * x + shift, as the byte's own value.
HWY_INLINE S32Vec Quantize(const StateQuantization& q, F32Vec x) {
  const F32Tag d;
  const F32Vec scale = hn::Set(d, q.scale);
  const F32Vec shift = hn::Set(d, q.shift);
  return SaturateAndRound(
      q, q.reading == Reading::kSpec ? hn::Mul(hn::Add(x, shift), scale) : hn::Add(hn::Mul(x, scale), shift));
}

HWY_INLINE F32Vec Dequantize(const StateQuantization& q, S32Vec bytes) {
  const F32Tag d;
  const F32Vec value = hn::ConvertTo(d, bytes);
  const F32Vec scale = hn::Set(d, q.scale);
  const F32Vec shift = hn::Set(d, q.shift);
  return q.reading == Reading::kSpec ? hn::Sub(hn::Div(value, scale), shift) : hn::Div(hn::Sub(value, shift), scale);
}

HWY_INLINE S32Vec Saturate(const StateQuantization& q, S32Vec bytes) {
  const S32Tag d;
  return hn::Min(hn::Max(bytes, hn::Set(d, static_cast<int32_t>(q.lowest))),
                 hn::Set(d, static_cast<int32_t>(q.highest)));
}

// bidirectional_sum of two states as bytes and as real values.
HWY_INLINE S32Vec SumOfDirections(const StateQuantization& q, S32Vec a, S32Vec b) {
  const F32Tag d;
  const S32Vec sum = hn::Add(a, b);
  if (q.reading == Reading::kOnednn) return Saturate(q, sum);
  return SaturateAndRound(q, hn::Sub(hn::ConvertTo(d, sum), hn::Set(d, ZeroImage(q))));
}

HWY_INLINE F32Vec RealSumOfDirections(const StateQuantization& q, S32Vec a, S32Vec b) {
  if (q.reading == Reading::kSpec) return hn::Add(Dequantize(q, a), Dequantize(q, b));
  StateQuantization twice = q;
  twice.shift = 2.f * q.shift;
  return Dequantize(twice, SumOfDirections(q, a, b));
}

// Signed bytes are kept as byte + 128, so that one unsigned x signed product serves both.
HWY_INLINE int32_t SignedOffset(const StateQuantization& q) { return q.lowest < 0.f ? 128 : 0; }

// `n` > 0 valid lanes at `to`.
HWY_INLINE void StoreState(const CellArgs&, F32Vec v, float* HWY_RESTRICT to, Dim n) {
  const F32Tag d;
  if (n >= static_cast<Dim>(hn::MaxLanes(d))) {
    hn::StoreU(v, d, to);
  } else {
    hn::StoreN(v, d, to, static_cast<size_t>(n));
  }
}

HWY_INLINE void StoreState(const CellArgs& args, F32Vec v, uint8_t* HWY_RESTRICT to, Dim n) {
  const S32Tag ds;
  const hn::Rebind<uint8_t, F32Tag> du;
  const S32Vec q = hn::Add(Quantize(args.quantization, v), hn::Set(ds, SignedOffset(args.quantization)));
  const auto bytes = hn::DemoteTo(du, q);
  if (n >= static_cast<Dim>(hn::MaxLanes(du))) {
    hn::StoreU(bytes, du, to);
  } else {
    hn::StoreN(bytes, du, to, static_cast<size_t>(n));
  }
}

HWY_INLINE void StoreState(const CellArgs&, F32Vec v, hwy::bfloat16_t* HWY_RESTRICT to, Dim n) {
  const hn::Rebind<hwy::bfloat16_t, F32Tag> db;
  const auto rounded = hn::DemoteTo(db, v);
  if (n >= static_cast<Dim>(hn::MaxLanes(db))) {
    hn::StoreU(rounded, db, to);
  } else {
    hn::StoreN(rounded, db, to, static_cast<size_t>(n));
  }
}

HWY_INLINE F32Vec LoadState(const CellArgs&, const hwy::bfloat16_t* HWY_RESTRICT from, Dim n) {
  const hn::Rebind<hwy::bfloat16_t, F32Tag> db;
  return hn::PromoteTo(F32Tag(), n >= static_cast<Dim>(hn::MaxLanes(db)) ? hn::LoadU(db, from)
                                                                         : hn::LoadN(db, from, static_cast<size_t>(n)));
}

HWY_INLINE F32Vec LoadState(const CellArgs&, const float* HWY_RESTRICT from, Dim n) {
  const F32Tag d;
  if (n >= static_cast<Dim>(hn::MaxLanes(d))) return hn::LoadU(d, from);
  return hn::LoadN(d, from, static_cast<size_t>(n));
}

HWY_INLINE F32Vec LoadState(const CellArgs& args, const uint8_t* HWY_RESTRICT from, Dim n) {
  const S32Tag ds;
  const hn::Rebind<uint8_t, F32Tag> du;
  const auto bytes =
      n >= static_cast<Dim>(hn::MaxLanes(du)) ? hn::LoadU(du, from) : hn::LoadN(du, from, static_cast<size_t>(n));
  return Dequantize(args.quantization, hn::Sub(hn::PromoteTo(ds, bytes), hn::Set(ds, SignedOffset(args.quantization))));
}

}  // namespace HWY_NAMESPACE
}  // namespace optimized
}  // namespace tandem
HWY_AFTER_NAMESPACE();

#endif  // TANDEM_OPTIMIZED_KERNELS_STATE_INL_H_
