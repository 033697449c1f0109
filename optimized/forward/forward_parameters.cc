// This file brings weights, bias and peephole into the kernels' layout and type, before the first step of each execution.
#include <algorithm>
#include <array>
#include <cstring>

#include "api/core/attributes/quantization.h"
#include "api/core/gates.h"
#include "optimized/forward/forward_run.h"
#include "optimized/weights/element.h"

namespace tandem {
namespace optimized {
namespace {

// Column sums are the client's bytes. If no reorder wrote them they may have any value: signed arithmetic would overflow.
int32_t WrappingSum(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}
int32_t WrappingProduct(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) * static_cast<uint32_t>(b));
}

// The sums of a block's weights.
using BlockSums = std::array<int32_t, kBlock>;

BlockSums SumsAt(const int32_t* column_sums) {
  BlockSums sums;
  std::copy_n(column_sums, kBlock, sums.begin());
  return sums;
}
BlockSums operator+(BlockSums a, const BlockSums& b) {
  for (size_t i = 0; i < a.size(); ++i) a[i] = WrappingSum(a[i], b[i]);
  return a;
}

// Writes the values that sums of products start from.
void InitBlock(const BlockSums& sums, int32_t offset, int32_t* init) {
  for (Dim i = 0; i < kBlock; ++i) init[i] = WrappingProduct(offset, sums[i]);
}

// Subtracts from `bias` what the zero point adds. With `sums` by value and no other result the compiler divides vectors;
// divisions one by one took a fifth of a step of 640 units.
void CompensateBlock(BlockSums sums, const float* HWY_RESTRICT weight_scale, float shift, float* bias) {
  for (Dim i = 0; i < kBlock; ++i) bias[i] -= ProductOffset(static_cast<float>(sums[i]), weight_scale[i], shift);
}

// The sums are f32 or s32.
void ZeroSums(void* sums, Dim n) { std::memset(sums, 0, static_cast<size_t>(n) * sizeof(float)); }

// `n` elements, `stride` apart.
void LoadFloats(const char* base, DataType type, Dim offset, Dim stride, Dim n, float* to) {
  if (type == DataType::kF32 && stride == 1) {
    std::memcpy(to, reinterpret_cast<const float*>(base) + offset, static_cast<size_t>(n) * sizeof(float));
  } else {
    for (Dim i = 0; i < n; ++i) to[i] = LoadFloat(base, type, offset + i * stride);
  }
}

}  // namespace

void ForwardRun::PackWeights(const TeamThread& thread) {
  for (const Tensor tensor : {kWeightsLayer, kWeightsIter, kWeightsProjection}) {
    WeightsOf(tensor).PackShare(thread.index, thread.team, UserTensor(tensor), scratch_);
  }
  thread.all->Wait();
}

// When work is divided by units, each thread prepares only its own columns, so no barrier is needed.
void ForwardRun::PrepareParameters(const TeamThread& thread) {
  if (plan_.packs_) PackWeights(thread);
  if (thread.divided_rows) {
    const Dim slices = problem_.n_layer * problem_.n_dir;
    for (Dim slice = thread.index; slice < slices; slice += thread.team) {
      PrepareSlice(slice / problem_.n_dir, slice % problem_.n_dir, {0, plan_.layer_.layout.blocks},
                   {0, plan_.projection_.layout.blocks});
    }
    thread.all->Wait();
    return;
  }
  for (Dim d = thread.role.dirs.begin; d < thread.role.dirs.end; ++d) {
    for (Dim l = 0; l < problem_.n_layer; ++l) PrepareSlice(l, d, thread.blocks, thread.projected_blocks);
  }
}

ForwardRun::BiasRows ForwardRun::BiasOf(Dim l, Dim d) const {
  if (!problem_.Has(kBias)) return {};
  const MemoryDesc& md = problem_.md[kBias];
  const Dim index[] = {l, d, 0, 0};
  return {UserTensor(kBias), TypeOf(md), OffsetAt(md, index), Strides(md)[2], Strides(md)[3]};
}

// Gate `bias_gate` of `bias`, block by block, into the columns of gate `gate` of the weights.
void ForwardRun::CopyBias(const BiasRows& bias, Dim bias_gate, Dim gate, Range blocks, float* columns) const {
  const PackedLayout& layout = plan_.layer_.layout;
  const Dim first_column = Column(layout, gate, 0);
  const Dim step = blocks.end > 1 ? Column(layout, gate, kBlock) - first_column : 0;
  float* to = columns + first_column + blocks.begin * step;
  const Dim first = bias.first + bias_gate * bias.gate;
  for (Dim block = blocks.begin; block < blocks.end; ++block, to += step) {
    const Dim unit = block * kBlock;
    const Dim n = bias.base == nullptr ? 0 : std::min(kBlock, problem_.dhc - unit);
    if (n == kBlock && bias.unit == 1 && bias.type == DataType::kF32) {
      std::memcpy(to, bias.base + static_cast<size_t>(first + unit) * sizeof(float), kBlock * sizeof(float));
    } else {
      if (n > 0) LoadFloats(bias.base, bias.type, first + unit * bias.unit, bias.unit, n, to);
      std::fill(to + n, to + kBlock, 0.f);
    }
  }
}

void ForwardRun::PrepareSlice(Dim l, Dim d, Range blocks, Range projected_blocks) {
  const PackedLayout& layout = plan_.layer_.layout;
  const Dim first = SliceIndex(l, d) * layout.columns;
  const BiasRows bias = BiasOf(l, d);
  float* column_bias = Scratch(at_.column_bias, first);
  for (Dim gate = 0; gate < problem_.n_gates; ++gate) CopyBias(bias, gate, gate, blocks, column_bias);
  if (IsLinearBeforeReset(problem_.cell)) {
    float* iter_bias = Scratch(at_.iter_bias, first);
    const Dim block_columns = layout.gates * kBlock;
    std::fill(iter_bias + blocks.begin * block_columns, iter_bias + blocks.end * block_columns, 0.f);
    const CellTraits& traits = TraitsOf(problem_.cell);
    CopyBias(bias, FindGate(traits, GateRole::kUPrime), FindGate(traits, GateRole::kCandidate), blocks, iter_bias);
  }
  if (problem_.HasPeephole()) PreparePeephole(l, d, blocks);
  if (plan_.Normalizes()) PrepareNorms(l, d, blocks);
  if (problem_.IsInt8()) {
    PrepareInt8Slice(l, d, blocks);
  } else {
    for (int part = 0; part < layout.n_parts; ++part) {
      const Dim begin = layout.part[part].first_column, block_columns = layout.part[part].gates * kBlock;
      ZeroSums(Scratch(at_.init, first + begin + blocks.begin * block_columns), blocks.size() * block_columns);
    }
  }
  if (problem_.HasProjection()) PrepareProjection(l, d, projected_blocks);
}

void ForwardRun::PreparePeephole(Dim l, Dim d, Range blocks) {
  const MemoryDesc& md = problem_.md[kWeightsPeephole];
  const Dim unit = blocks.begin * kBlock;
  const Dim valid = std::min(blocks.end * kBlock, problem_.dhc) - unit;
  for (Dim gate = 0; gate < NumPeepholes(problem_.cell) && valid > 0; ++gate) {
    const Dim index[] = {l, d, gate, unit};
    float* to = Scratch(at_.peephole, (SliceIndex(l, d) * NumPeepholes(problem_.cell) + gate) * plan_.u_row_ + unit);
    LoadFloats(UserTensor(kWeightsPeephole), TypeOf(md), OffsetAt(md, index), Strides(md)[3], valid, to);
    std::fill(to + valid, to + blocks.size() * kBlock, 0.f);
  }
}

// The kernels multiply byte - offset of an operand; the operand of a signed value is its byte + 128.
int32_t ForwardRun::OperandOffset() const {
  return plan_.kernels_.offset - (plan_.quantization_.lowest < 0.f ? 128 : 0);
}

// acc * ColumnScales::product + column_bias is the pre-activation: the product of the real values of the bytes, plus
// the bias.
void ForwardRun::PrepareInt8Slice(Dim l, Dim d, Range blocks) {
  const PackedLayout& layout = plan_.layer_.layout;
  const Dim slice = SliceIndex(l, d) * layout.columns;
  const int32_t* layer_sums = ColumnSums(kWeightsLayer, l, d);
  const int32_t* iter_sums = ColumnSums(kWeightsIter, l, d);
  const bool apart = at_.iter_init.IsPresent();  // W x and U h
  const Dim apart_gate = apart ? FindGate(TraitsOf(problem_.cell), GateRole::kCandidate) : -1;
  const float* scales = plan_.gate_scales_.weight.data();
  const int32_t offset = OperandOffset();
  const float shift = RealShift(plan_.quantization_);
  for (Dim gate = 0; gate < layout.gates; ++gate) {
    for (Dim block = blocks.begin; block < blocks.end; ++block) {
      const Dim first = Column(layout, gate, block * kBlock);
      const BlockSums layer = SumsAt(layer_sums + first), iter = SumsAt(iter_sums + first);
      InitBlock(apart ? layer : layer + iter, offset, at_.init.As<int32_t>(scratch_, slice + first));
      if (apart) InitBlock(iter, offset, at_.iter_init.As<int32_t>(scratch_, slice + first));
      float* bias = Scratch(at_.column_bias, slice + first);
      if (gate == apart_gate) {
        CompensateBlock(layer, scales + first, shift, bias);
        CompensateBlock(iter, scales + first, shift, Scratch(at_.iter_bias, slice + first));
      } else {
        CompensateBlock(layer + iter, scales + first, shift, bias);
      }
    }
  }
}

void ForwardRun::PrepareProjection(Dim l, Dim d, Range blocks) {
  const PackedLayout& layout = plan_.projection_.layout;
  const Dim slice = SliceIndex(l, d) * layout.columns;
  const Dim first_column = slice + blocks.begin * kBlock, n = blocks.size() * kBlock;
  if (plan_.ScalesColumns()) ZeroSums(Scratch(at_.projection_bias, first_column), n);
  if (!problem_.IsInt8()) return ZeroSums(Scratch(at_.projection_init, first_column), n);
  const int32_t* sums = ColumnSums(kWeightsProjection, l, d);
  const float* scales = plan_.projection_scales_.weight.data();
  const int32_t offset = OperandOffset();
  const float shift = RealShift(plan_.quantization_);
  for (Dim first = blocks.begin * kBlock; first < blocks.end * kBlock; first += kBlock) {
    InitBlock(SumsAt(sums + first), offset, at_.projection_init.As<int32_t>(scratch_, slice + first));
    CompensateBlock(SumsAt(sums + first), scales + first, shift, Scratch(at_.projection_bias, slice + first));
  }
}

}  // namespace optimized
}  // namespace tandem
