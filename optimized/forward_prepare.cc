// What every execution does before the first step: weights, bias and peephole into the kernels' layout and type.
#include <algorithm>
#include <cstring>

#include "api/core/float16.h"
#include "optimized/forward_run.h"

namespace tandem {
namespace optimized {
namespace {

// Column sums are the client's bytes: those that no reorder wrote may be anything, and must not overflow a signed int.
int32_t WrappingSum(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}
int32_t WrappingProduct(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) * static_cast<uint32_t>(b));
}

float LoadFloat(const char* base, DataType type, Dim offset) {
  if (type == DataType::kF32) return reinterpret_cast<const float*>(base)[offset];
  const uint16_t bits = reinterpret_cast<const uint16_t*>(base)[offset];
  return type == DataType::kBf16 ? Bf16ToFloat(bits) : Fp16ToFloat(bits);
}

// `n` elements, `stride` apart, then zeros up to `padded`.
void LoadFloats(const char* base, DataType type, Dim offset, Dim stride, Dim n, Dim padded, float* to) {
  if (type == DataType::kF32 && stride == 1) {
    std::memcpy(to, reinterpret_cast<const float*>(base) + offset, static_cast<size_t>(n) * sizeof(float));
  } else {
    for (Dim i = 0; i < n; ++i) to[i] = LoadFloat(base, type, offset + i * stride);
  }
  std::fill(to + n, to + padded, 0.f);
}

// x = byte / scale - RealShift: the reading decides whether the shift was scaled.
float RealShift(const DataQuantization& q) { return q.reading == Reading::kSpec ? q.shift : q.shift / q.scale; }

// Weight scales are one for all or one per gate and channel, gate-major.
float WeightScale(const ScaleVector& scales, Dim gate, Dim unit, Dim units) {
  return scales.mask == 0 ? scales.values[0] : scales.values[static_cast<size_t>(gate * units + unit)];
}

}  // namespace

void ForwardRun::PackWeights(int thread, int team) {
  const auto pack = [&](const RnnForward::Weights& weights, Tensor tensor, size_t offset) {
    if (!weights.packer) return;
    for (Dim strip = thread; strip < weights.packer->strips(); strip += team) {
      weights.packer->PackStrip(strip, UserTensor(tensor), scratch_ + offset);
    }
  };
  pack(plan_.layer_, kWeightsLayer, at_.weights_layer);
  pack(plan_.iter_, kWeightsIter, at_.weights_iter);
  pack(plan_.projection_, kWeightsProjection, at_.weights_projection);
}

// One gate of `bias`, block by block, to where the columns of weights gate `gate` begin.
void ForwardRun::CopyBias(Dim l, Dim d, Dim bias_gate, Dim gate, float* columns) const {
  const PackedLayout& layout = plan_.layer_.layout;
  for (Dim unit = 0; unit < problem_.dhc; unit += kBlock) {
    float* to = columns + Column(layout, gate, unit);
    const Dim n = std::min(kBlock, problem_.dhc - unit);
    if (!problem_.Has(kBias)) {
      std::fill(to, to + kBlock, 0.f);
      continue;
    }
    const MemoryDesc& md = problem_.md[kBias];
    const Dim index[] = {l, d, bias_gate, unit};
    LoadFloats(UserTensor(kBias), TypeOf(md), OffsetAt(md, index), Strides(md)[3], n, kBlock, to);
  }
}

void ForwardRun::PrepareSlice(Dim l, Dim d) {
  const Dim columns = plan_.layer_.layout.columns;
  const size_t where = problem_.IsInt8() ? at_.column_bias : at_.bias;
  float* bias = Scratch<float>(where, SliceIndex(l, d) * columns);
  for (Dim gate = 0; gate < problem_.n_gates; ++gate) CopyBias(l, d, gate, gate, bias);
  if (IsLinearBeforeReset(problem_.cell)) {
    float* iter_bias = Scratch<float>(at_.iter_bias, SliceIndex(l, d) * columns);
    std::fill(iter_bias, iter_bias + columns, 0.f);
    CopyBias(l, d, 3, 2, iter_bias);
  }
  if (problem_.HasPeephole()) PreparePeephole(l, d);
  if (problem_.IsInt8()) PrepareInt8Slice(l, d);
  if (problem_.HasProjection()) PrepareProjection(l, d);
}

void ForwardRun::PreparePeephole(Dim l, Dim d) {
  const MemoryDesc& md = problem_.md[kWeightsPeephole];
  for (Dim gate = 0; gate < 3; ++gate) {
    const Dim index[] = {l, d, gate, 0};
    LoadFloats(UserTensor(kWeightsPeephole), TypeOf(md), OffsetAt(md, index), Strides(md)[3], problem_.dhc,
               plan_.u_row_, Scratch<float>(at_.peephole, (SliceIndex(l, d) * 3 + gate) * plan_.u_row_));
  }
}

// acc * column_scale + column_bias is the pre-activation: the product of the real values of the bytes, plus the bias.
void ForwardRun::PrepareInt8Slice(Dim l, Dim d) {
  const PackedLayout& layout = plan_.layer_.layout;
  const Dim slice = SliceIndex(l, d);
  const char* layer = plan_.layer_.packer ? scratch_ + at_.weights_layer : UserTensor(kWeightsLayer);
  const char* iter = plan_.iter_.packer ? scratch_ + at_.weights_iter : UserTensor(kWeightsIter);
  const auto* layer_sums = reinterpret_cast<const int32_t*>(layer + ColumnSumsOffset(plan_.layer_.layout, l, d));
  const auto* iter_sums = reinterpret_cast<const int32_t*>(iter + ColumnSumsOffset(plan_.iter_.layout, l, d));
  auto* init = Scratch<int32_t>(at_.bias, slice * layout.columns);
  float* bias = Scratch<float>(at_.column_bias, slice * layout.columns);
  float* scale = Scratch<float>(at_.column_scale);
  const DataQuantization& q = plan_.quantization_;
  const int32_t offset = q.lowest < 0.f ? 128 : 0;
  for (Dim gate = 0; gate < layout.gates; ++gate) {
    for (Dim unit = 0; unit < layout.blocks * kBlock; ++unit) {
      const Dim column = Column(layout, gate, unit);
      const float weight_scale =
          WeightScale(problem_.attr.rnn_weights, gate, std::min(unit, problem_.dhc - 1), problem_.dhc);
      const int32_t sum = WrappingSum(layer_sums[column], iter_sums[column]);
      init[column] = WrappingProduct(-offset, sum);
      bias[column] -= static_cast<float>(sum) * RealShift(q) / weight_scale;
      if (slice == 0) scale[column] = 1.f / (weight_scale * q.scale);
    }
  }
}

void ForwardRun::PrepareProjection(Dim l, Dim d) {
  const PackedLayout& layout = plan_.projection_.layout;
  const Dim slice = SliceIndex(l, d);
  auto* init = Scratch<int32_t>(at_.projection_init, slice * layout.columns);
  std::fill(init, init + layout.columns, 0);  // and 0.f
  if (!problem_.IsInt8()) return;
  const char* packed = plan_.projection_.packer ? scratch_ + at_.weights_projection : UserTensor(kWeightsProjection);
  const auto* sums = reinterpret_cast<const int32_t*>(packed + ColumnSumsOffset(layout, l, d));
  float* bias = Scratch<float>(at_.projection_bias, slice * layout.columns);
  float* scale = Scratch<float>(at_.projection_scale);
  const DataQuantization& q = plan_.quantization_;
  const int32_t offset = q.lowest < 0.f ? 128 : 0;
  for (Dim unit = 0; unit < layout.columns; ++unit) {
    const float weight_scale =
        WeightScale(problem_.attr.rnn_weights_projection, 0, std::min(unit, problem_.dic - 1), problem_.dic);
    init[unit] = WrappingProduct(-offset, sums[unit]);
    bias[unit] = -static_cast<float>(sums[unit]) * RealShift(q) / weight_scale;
    if (slice == 0) scale[unit] = 1.f / (weight_scale * q.scale);
  }
}

}  // namespace optimized
}  // namespace tandem
