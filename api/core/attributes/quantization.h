// The formulas between real values and integer storage: reorders, packing and the int8 cells all round and saturate
// here. Real is float in `optimized`, double in `reference` and in the oracle.
#ifndef TANDEM_API_CORE_ATTRIBUTES_QUANTIZATION_H_
#define TANDEM_API_CORE_ATTRIBUTES_QUANTIZATION_H_

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
// set_rnn_data_qparams has it. kOnednn: scale * x + shift.
template <class Real>
Real ScaleAndShift(Real x, const DataQparams& q) {
  const Real scale = q.scale, shift = q.shift;
  return q.reading == Reading::kSpec ? scale * (x + shift) : scale * x + shift;
}

template <class Int, class Real>
Int QuantizeData(Real x, const DataQparams& q) {
  return SaturateAndRound<Int>(ScaleAndShift(x, q));
}

// The inverse: the real value that the stored integer `value` stands for.
template <class Real>
Real DequantizeData(Real value, const DataQparams& q) {
  const Real scale = q.scale, shift = q.shift;
  return q.reading == Reading::kSpec ? value / scale - shift : (value - shift) / scale;
}

// The unrounded quantized value of 0. In both readings x = (stored - ZeroImage) / scale, so a product of stored values
// and integer weights is too large by ZeroImage times the sum of the weights.
template <class Real>
Real ZeroImage(const DataQparams& q) {
  return ScaleAndShift(Real(0), q);
}

// rnn_weights_qparams and rnn_weights_projection_qparams multiply; the scales of set_scales_mask divide.
template <class Real>
int8_t QuantizeWeight(Real weight, float scale) {
  return SaturateAndRound<int8_t>(weight * static_cast<Real>(scale));
}
template <class Real>
Real DequantizeWeight(int8_t weight, float scale) {
  return static_cast<Real>(weight) / static_cast<Real>(scale);
}

// The scale of one output. weights_layer and weights_iter have one for each gate and channel, the same for every layer
// and direction (mask (1 << 3) | (1 << 4)), or one for all (mask 0).
inline float WeightsScale(const Attributes& attr, Dim gate, Dim channel, Dim dhc) {
  return attr.rnn_weights.At(gate * dhc + channel);
}
// weights_projection has one for each output channel (mask 1 << 3), or one for all (mask 0).
inline float ProjectionScale(const Attributes& attr, Dim channel) { return attr.rnn_weights_projection.At(channel); }

}  // namespace tandem

#endif  // TANDEM_API_CORE_ATTRIBUTES_QUANTIZATION_H_
