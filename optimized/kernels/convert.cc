// Rows of tensors to and from the kernels' operand type, and to bytes by their own range.
#define TANDEM_TARGETS (HWY_SSE2 | HWY_SSE4 | HWY_AVX2 | HWY_AVX3 | HWY_AVX3_ZEN4)
#include "optimized/machine/compiled_targets.h"
// After the targets:
#include <algorithm>
#include <cstring>

#include "api/core/attributes/quantization.h"
#include "optimized/kernels/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/convert.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After foreach_target.h:
#include "hwy/highway.h"
#include "optimized/kernels/contracts.h"
#include "optimized/kernels/state-inl.h"
#include "optimized/kernels/vectors-inl.h"
#include "optimized/machine/dispatch.h"

HWY_BEFORE_NAMESPACE();
namespace tandem {
namespace optimized {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class Lane>
hn::Vec<hn::Rebind<Lane, F32Tag>> LoadLanes(const void* base, Dim at, size_t n) {
  const hn::Rebind<Lane, F32Tag> d;
  const Lane* from = static_cast<const Lane*>(base) + at;
  return n >= hn::MaxLanes(d) ? hn::LoadU(d, from) : hn::LoadN(d, from, n);
}

template <class V>
void StoreLanes(V v, void* base, Dim at, size_t n) {
  const hn::DFromV<V> d;
  auto* to = static_cast<hn::TFromV<V>*>(base) + at;
  if (n >= hn::MaxLanes(d)) {
    hn::StoreU(v, d, to);
  } else {
    hn::StoreN(v, d, to, n);
  }
}

// Bytes as integers of their own value.
S32Vec LoadBytes(const void* base, DataType type, Dim at, size_t n, const Quantizer& q) {
  const S32Tag d;
  if (type == DataType::kS8) return hn::PromoteTo(d, LoadLanes<int8_t>(base, at, n));
  return hn::Sub(hn::PromoteTo(d, LoadLanes<uint8_t>(base, at, n)), q.offset);
}

void StoreBytes(S32Vec v, void* base, DataType type, Dim at, size_t n, const Quantizer& q) {
  if (type == DataType::kS8) {
    StoreLanes(hn::DemoteTo(hn::Rebind<int8_t, F32Tag>(), v), base, at, n);
  } else {
    StoreLanes(hn::DemoteTo(hn::Rebind<uint8_t, F32Tag>(), hn::Add(v, q.offset)), base, at, n);
  }
}

F32Vec LoadReal(const void* base, DataType type, Dim at, size_t n, const Quantizer& q) {
  const F32Tag d;
  switch (type) {
    case DataType::kF32:
      return LoadLanes<float>(base, at, n);
    case DataType::kBf16:
      return hn::PromoteTo(d, LoadLanes<hwy::bfloat16_t>(base, at, n));
    case DataType::kF16:
      return WidenF16(LoadLanes<hwy::float16_t>(base, at, n));
    case DataType::kU8:
    case DataType::kS8:
      return Dequantize(q, LoadBytes(base, type, at, n, q));
    case DataType::kS32:
    case DataType::kUndef:
      break;
  }
  HWY_ABORT("no conversion from data type %d", static_cast<int>(type));
}

void StoreReal(F32Vec v, void* base, DataType type, Dim at, size_t n, const Quantizer& q) {
  switch (type) {
    case DataType::kF32:
      return StoreLanes(v, base, at, n);
    case DataType::kBf16:
      return StoreLanes(hn::DemoteTo(hn::Rebind<hwy::bfloat16_t, F32Tag>(), v), base, at, n);
    case DataType::kF16:
      return StoreLanes(hn::DemoteTo(hn::Rebind<hwy::float16_t, F32Tag>(), v), base, at, n);
    case DataType::kU8:
    case DataType::kS8:
      return StoreBytes(Quantize(q, v), base, type, at, n, q);
    case DataType::kS32:
    case DataType::kUndef:
      break;
  }
  HWY_ABORT("no conversion to data type %d", static_cast<int>(type));
}

// Elements [at, at + n) of a sum of two directions whose states are bytes.
void SumBytes(const ConvertArgs& args, Dim at, size_t n, const Quantizer& q) {
  const F32Tag d;
  const S32Vec byte = LoadBytes(args.from, args.from_type, at, n, q);
  if (args.mode == StoreMode::kFirstOfSum) {
    if (IsByte(args.to_type)) return StoreBytes(byte, args.to, args.to_type, at, n, q);
    return StoreReal(hn::ConvertTo(d, byte), args.to, args.to_type, at, n, q);
  }
  if (IsByte(args.to_type)) {
    const S32Vec first = LoadBytes(args.to, args.to_type, at, n, q);
    return StoreBytes(SumOfDirections(q, first, byte), args.to, args.to_type, at, n, q);
  }
  const S32Vec first = hn::ConvertTo(S32Tag(), LoadReal(args.to, args.to_type, at, n, q));
  StoreReal(RealSumOfDirections(q, first, byte), args.to, args.to_type, at, n, q);
}

void Convert(const ConvertArgs& args) {
  Check(args);
  const bool bytes = IsByte(args.from_type);
  const bool second = args.mode == StoreMode::kSecondOfSum;
  if (!second && args.from_type == args.to_type) {
    std::memcpy(args.to, args.from, static_cast<size_t>(args.n) * SizeOf(args.from_type));
    return;
  }
  const Quantizer q(args.quantization);
  constexpr size_t kLanes = hn::MaxLanes(F32Tag());
  for (Dim at = 0; at < args.n; at += kLanes) {
    const size_t n = static_cast<size_t>(args.n - at);
    if (bytes && args.mode != StoreMode::kAssign) {
      SumBytes(args, at, n, q);
    } else if (bytes && IsByte(args.to_type)) {
      StoreBytes(LoadBytes(args.from, args.from_type, at, n, q), args.to, args.to_type, at, n, q);
    } else {
      F32Vec v = LoadReal(args.from, args.from_type, at, n, q);
      if (second) v = hn::Add(LoadReal(args.to, args.to_type, at, n, q), v);
      StoreReal(v, args.to, args.to_type, at, n, q);
    }
  }
}

// Dynamic quantization.

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

ConvertFunction MakeConvert() { return &Convert; }
QuantizeRowFunction MakeQuantizeRow() { return &QuantizeRow; }

}  // namespace HWY_NAMESPACE
}  // namespace optimized
}  // namespace tandem
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tandem {
namespace optimized {

HWY_EXPORT(MakeConvert);
ConvertFunction ConvertFor(const Target& target) { return TANDEM_DISPATCH(MakeConvert, target)(); }

HWY_EXPORT(MakeQuantizeRow);
QuantizeRowFunction QuantizeRowFor(const Target& target) { return TANDEM_DISPATCH(MakeQuantizeRow, target)(); }

}  // namespace optimized
}  // namespace tandem
#endif  // HWY_ONCE
