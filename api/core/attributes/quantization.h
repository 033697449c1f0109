// The formulas between real values and integer storage: reorders, packing and the int8 cells all round and saturate
// here, or do the same operations on vectors (optimized/kernels/state-inl.h).
//
// The specification applies the parameters in f32. Which f32 operations, and in which order, is decided here: each
// operation below is rounded once, to nearest even, and no product is fused with a sum (-ffp-contract=off). So
// reorders, both implementations and every vector target give the same byte, at ties as well.
#ifndef TANDEM_API_CORE_ATTRIBUTES_QUANTIZATION_H_
#define TANDEM_API_CORE_ATTRIBUTES_QUANTIZATION_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "api/core/attributes/attributes.h"

namespace tandem {

// The largest value of Int that Real holds. f32 does not have 2^31 - 1; the next below is 2147483520 = 2^31 - 128.
template <class Int, class Real>
constexpr Real UpperBound() {
  return std::numeric_limits<Real>::digits < std::numeric_limits<Int>::digits
             ? static_cast<Real>(2147483520)
             : static_cast<Real>(std::numeric_limits<Int>::max());
}

// Saturates, then rounds to nearest, ties to even. NaN becomes 0.
template <class Int, class Real>
Int SaturateAndRound(Real value) {
  static_assert(sizeof(Int) <= sizeof(int32_t), "bounds above are those of at most 32 bits");
  constexpr Real kLowest = static_cast<Real>(std::numeric_limits<Int>::lowest());
  constexpr Real kHighest = UpperBound<Int, Real>();
  if (std::isnan(value)) return 0;
  if (value <= kLowest) return std::numeric_limits<Int>::lowest();
  if (value >= kHighest) return static_cast<Int>(kHighest);
  return static_cast<Int>(std::nearbyint(value));
}

// rnn_data_qparams: how src_layer, src_iter, dst_layer and dst_iter are stored in u8 or s8.
struct DataQparams {
  float scale = 1.f;
  float shift = 0.f;
  Reading reading = Reading::kSpec;
};

inline DataQparams DataQparamsOf(const Attributes& attr) {
  return {attr.rnn_data_scale, attr.rnn_data_shift, attr.reading};
}

// The quantized value of `x` before rounding. kSpec: scale * (x + shift), as the specification's description of
// set_rnn_data_qparams has it. kOnednn: scale * x + shift. A value that is not f32 is rounded to f32 first.
inline float ScaleAndShift(float x, const DataQparams& q) {
  return q.reading == Reading::kSpec ? q.scale * (x + q.shift) : q.scale * x + q.shift;
}

template <class Int>
Int QuantizeData(float x, const DataQparams& q) {
  return SaturateAndRound<Int>(ScaleAndShift(x, q));
}

// The inverse: the real value that the stored integer `value` stands for.
inline float DequantizeData(float value, const DataQparams& q) {
  return q.reading == Reading::kSpec ? value / q.scale - q.shift : (value - q.shift) / q.scale;
}

// The unrounded quantized value of 0. In both readings x = (stored - ZeroImage) / scale, so a product of stored values
// and integer weights is too large by ZeroImage times the sum of the weights.
inline float ZeroImage(const DataQparams& q) { return ScaleAndShift(0.f, q); }

// bidirectional_sum of two stored states, as a byte of dst_layer. The integers are added exactly. kSpec: the sum of the
// two real values, quantized once, is q1 + q2 - ZeroImage before rounding. kOnednn: the sum has the zero point twice.
template <class Int>
Int SumOfDirections(Int q1, Int q2, const DataQparams& q) {
  const float sum = static_cast<float>(q1 + q2);
  return SaturateAndRound<Int>(q.reading == Reading::kSpec ? sum - ZeroImage(q) : sum);
}

// The same as an f32 of dst_layer. kSpec: the sum of the two real values. kOnednn: the real value of the byte, with both
// zero points taken off.
template <class Int>
float RealSumOfDirections(Int q1, Int q2, const DataQparams& q) {
  if (q.reading == Reading::kSpec) return DequantizeData(q1, q) + DequantizeData(q2, q);
  return (static_cast<float>(SumOfDirections(q1, q2, q)) - 2.f * q.shift) / q.scale;
}

// Pre-activation of one channel: PreActivation(acc, ProductScale(), bias - ProductOffset()), where acc is the exact sum
// of the products of bytes, over src_layer and src_iter, and `weights_sum` that of the weights alone.
inline float PreActivation(float acc, float scale, float bias) { return acc * scale + bias; }

// 1 / (data scale * weight scale), but finite even where that product underflows: times a sum of 0 it must not be NaN.
inline float ProductScale(float weight_scale, const DataQparams& q) {
  constexpr float kMost = std::numeric_limits<float>::max();
  return std::max(-kMost, std::min(1.f / (weight_scale * q.scale), kMost));
}
// The shift in real units.
inline float RealShift(const DataQparams& q) { return q.reading == Reading::kSpec ? q.shift : q.shift / q.scale; }
// The part of acc that the zero point contributes, in real units.
inline float ProductOffset(float weights_sum, float weight_scale, float real_shift) {
  return weights_sum * real_shift / weight_scale;
}

// rnn_weights_qparams and rnn_weights_projection_qparams multiply; the scales of set_scales_mask divide.
inline int8_t QuantizeWeight(float weight, float scale) { return SaturateAndRound<int8_t>(weight * scale); }
inline float DequantizeWeight(int8_t weight, float scale) { return static_cast<float>(weight) / scale; }

// The scale of one output. weights_layer and weights_iter have one for each gate and channel, the same for every layer
// and direction (mask (1 << 3) | (1 << 4)), or one for all (mask 0).
inline float WeightsScale(const Attributes& attr, Dim gate, Dim channel, Dim dhc) {
  return attr.rnn_weights.At(gate * dhc + channel);
}
// weights_projection has one for each output channel (mask 1 << 3), or one for all (mask 0).
inline float ProjectionScale(const Attributes& attr, Dim channel) { return attr.rnn_weights_projection.At(channel); }

// rnn_dynamic_quantization: one row of an f32 operand as bytes of u8, for one product. A byte stands for
// scale * (byte - zero_point).
struct RowQuantization {
  float scale = 1.f;
  float zero_point = 0.f;
};

// The values of a row, and 0, lie in [lowest, highest]. Below the least scale a row counts as zeros: it would depend on how
// subnormals are treated. A range that is not finite makes NaN of every product.
constexpr float kLeastRowScale = 0x1p-100f;
inline RowQuantization RowQuantizationOf(float lowest, float highest) {
  const float scale = (highest - lowest) / 255.f;
  if (!std::isfinite(scale)) return {std::numeric_limits<float>::quiet_NaN(), 0.f};
  if (scale < kLeastRowScale) return {};
  return {scale, static_cast<float>(SaturateAndRound<uint8_t>(-lowest / scale))};
}
inline float QuantizeInRow(float x, const RowQuantization& row) {
  return static_cast<float>(SaturateAndRound<uint8_t>(std::nearbyint(x / row.scale) + row.zero_point));
}

}  // namespace tandem

#endif  // TANDEM_API_CORE_ATTRIBUTES_QUANTIZATION_H_
