// Dynamic quantization: a row of f32 becomes bytes by its own range.
#define TANDEM_TARGETS (HWY_SSE2 | HWY_SSE4 | HWY_AVX2 | HWY_AVX3)
#include "optimized/machine/compiled_targets.h"
// After the targets:
#include <algorithm>
#include <cstring>

#include "api/core/attributes/quantization.h"
#include "optimized/kernels/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/quantize_row.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After foreach_target.h:
#include "hwy/highway.h"
#include "optimized/kernels/state-inl.h"
#include "optimized/kernels/vectors-inl.h"
#include "optimized/machine/dispatch.h"

HWY_BEFORE_NAMESPACE();
namespace tandem {
namespace optimized {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Two of each, so that one minimum does not wait for the one before.
RowQuantization RangeOfRow(const float* HWY_RESTRICT from, Dim n) {
  const F32Tag d;
  constexpr Dim kVector = hn::MaxLanes(F32Tag());
  const F32Vec zero = hn::Zero(d);
  F32Vec low[2] = {zero, zero}, high[2] = {zero, zero}, not_finite[2] = {zero, zero};
  const auto add = [&](int i, F32Vec x) HWY_ATTR {
    low[i] = hn::Min(low[i], x);
    high[i] = hn::Max(high[i], x);
    not_finite[i] = hn::Add(not_finite[i], hn::Sub(x, x));  // NaN, which minima may lose
  };
  Dim at = 0;
  for (; at + 2 * kVector <= n; at += 2 * kVector) {
    add(0, hn::LoadU(d, from + at));
    add(1, hn::LoadU(d, from + at + kVector));
  }
  for (; at < n; at += kVector) add(0, hn::LoadN(d, from + at, static_cast<size_t>(std::min(kVector, n - at))));
  const float lowest = hn::ReduceMin(d, hn::Min(low[0], low[1]));
  const float highest = hn::ReduceMax(d, hn::Max(high[0], high[1]));
  const float nan_or_zero = hn::ReduceSum(d, hn::Add(not_finite[0], not_finite[1]));
  return RowQuantizationOf(nan_or_zero == 0.f ? lowest : nan_or_zero, highest);
}

// The operations of QuantizeInRow(). Adding 1.5 * 2^23 rounds to nearest even; quotients lie within 256 of 0.
RowQuantization QuantizeRow(const float* HWY_RESTRICT from, Dim n, Dim padded, uint8_t* HWY_RESTRICT to) {
  const F32Tag d;
  const hn::Rebind<uint8_t, F32Tag> du;
  constexpr Dim kVector = hn::MaxLanes(F32Tag());
  const RowQuantization row = RangeOfRow(from, n);
  if (row.scale != row.scale) {
    std::memset(to, 0, static_cast<size_t>(padded));
    return row;
  }
  const F32Vec scale = hn::Set(d, row.scale), magic = hn::Set(d, 12582912.f);
  const S32Vec zero_point = hn::Set(S32Tag(), static_cast<int32_t>(row.zero_point));
  const S32Vec shift = hn::Sub(zero_point, hn::BitCast(S32Tag(), magic));
  const auto bytes = [&](F32Vec x) HWY_ATTR {
    const F32Vec rounded = hn::Add(hn::Div(x, scale), magic);
    return hn::DemoteTo(du, hn::Add(hn::BitCast(S32Tag(), rounded), shift));  // saturates
  };
  Dim at = 0;
  for (; at + kVector <= n; at += kVector) hn::StoreU(bytes(hn::LoadU(d, from + at)), du, to + at);
  if (at < n) {
    const size_t rest = static_cast<size_t>(n - at);
    hn::StoreN(bytes(hn::LoadN(d, from + at, rest)), du, to + at, rest);
  }
  std::memset(to + n, 0, static_cast<size_t>(padded - n));
  return row;
}

QuantizeRowFunction MakeQuantizeRow() { return &QuantizeRow; }

}  // namespace HWY_NAMESPACE
}  // namespace optimized
}  // namespace tandem
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tandem {
namespace optimized {

HWY_EXPORT(MakeQuantizeRow);
QuantizeRowFunction QuantizeRowFor(const Target& target) { return TANDEM_DISPATCH(MakeQuantizeRow, target)(); }

}  // namespace optimized
}  // namespace tandem
#endif  // HWY_ONCE
