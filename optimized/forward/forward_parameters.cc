#include "optimized/forward/forward_parameters.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "api/core/attributes/quantization.h"
#include "api/core/gates.h"
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

// The bias of a slice, or gains or offsets, as they lie in the client's memory. No bias: base is null.
struct BiasRows {
  const char* base = nullptr;
  DataType type = DataType::kF32;
  Dim gate = 0, unit = 0;  // strides
};

BiasRows RowsOf(const RunMemory& run, Tensor tensor, Dim l, Dim d) {
  if (!run.problem.Has(tensor)) return {};
  const MemoryDesc& md = run.problem.md[tensor];
  return {run.UserElement(tensor, {l, d, 0, 0}), TypeOf(md), Strides(md)[2], Strides(md)[3]};
}

// Gate `bias_gate` of `bias`, block by block, into the columns of gate `gate` of the weights.
void CopyBias(const RunMemory& run, const BiasRows& bias, Dim bias_gate, Dim gate, Range blocks, float* columns) {
  const PackedLayout& layout = run.plan.layer.layout;
  const Dim first_column = Column(layout, gate, 0);
  const Dim step = blocks.end > 1 ? Column(layout, gate, kBlock) - first_column : 0;
  float* to = columns + first_column + blocks.begin * step;
  const Dim first = bias_gate * bias.gate;
  for (Dim block = blocks.begin; block < blocks.end; ++block, to += step) {
    const Dim unit = block * kBlock;
    const Dim n = bias.base == nullptr ? 0 : std::min(kBlock, run.problem.dhc - unit);
    if (n == kBlock && bias.unit == 1 && bias.type == DataType::kF32) {
      std::memcpy(to, bias.base + static_cast<size_t>(first + unit) * sizeof(float), kBlock * sizeof(float));
    } else {
      if (n > 0) LoadFloats(bias.base, bias.type, first + unit * bias.unit, bias.unit, n, to);
      std::fill(to + n, to + kBlock, 0.f);
    }
  }
}

void PreparePeephole(const RunMemory& run, Dim l, Dim d, Range blocks) {
  const MemoryDesc& md = run.problem.md[kWeightsPeephole];
  const Dim unit = blocks.begin * kBlock;
  const Dim valid = std::min(blocks.end * kBlock, run.problem.dhc) - unit;
  for (Dim gate = 0; gate < NumPeepholes(run.problem.cell) && valid > 0; ++gate) {
    float* to = run.Scratch(run.at.peephole,
                            (run.SliceIndex(l, d) * NumPeepholes(run.problem.cell) + gate) * run.plan.u_row + unit);
    LoadFloats(run.UserElement(kWeightsPeephole, {l, d, gate, unit}), TypeOf(md), 0, Strides(md)[3], valid, to);
    std::fill(to + valid, to + blocks.size() * kBlock, 0.f);
  }
}

// Gains and offsets into the order of the columns that they scale.
void PrepareNorms(const RunMemory& run, Dim l, Dim d, Range blocks) {
  const LayerNorm& norm = run.problem.attr.rnn_layer_norm;
  const Dim columns = run.plan.layer.layout.columns, first = run.SliceIndex(l, d) * columns;
  for (const bool is_gain : {true, false}) {
    const BiasRows rows = RowsOf(run, is_gain ? kNormGain : kNormOffset, l, d);
    Dim place = 0;
    for (Dim product = 0; product < norm.NumProducts(); ++product) {
      const Region<float>& to = is_gain ? run.at.norm_gain : run.at.norm_offset;
      float* of_product = run.Scratch(to, product * run.plan.NormColumns() + first);
      for (Dim gate = 0; gate < run.problem.n_gates; ++gate) CopyBias(run, rows, place++, gate, blocks, of_product);
    }
    if (norm.cell == CellNorm::kNone) continue;
    float* of_c = run.Scratch(is_gain ? run.at.cell_gain : run.at.cell_offset, run.SliceIndex(l, d) * run.plan.u_row);
    std::fill(of_c, of_c + run.plan.u_row, 0.f);
    for (Dim i = 0; i < run.problem.dhc; ++i) {
      of_c[i] = LoadFloat(rows.base, rows.type, place * rows.gate + i * rows.unit);
    }
  }
}

// The kernels multiply byte - offset of an operand; the operand of a signed value is its byte + 128.
int32_t OperandOffset(const RunMemory& run) {
  return run.plan.kernels.offset - (run.plan.quantization.lowest < 0.f ? 128 : 0);
}

// acc * ColumnScales::product + column_bias is the pre-activation: the product of the real values of the bytes, plus
// the bias.
void PrepareInt8Slice(const RunMemory& run, Dim l, Dim d, Range blocks) {
  const PackedLayout& layout = run.plan.layer.layout;
  const Dim slice = run.SliceIndex(l, d) * layout.columns;
  const int32_t* layer_sums = run.ColumnSums(kWeightsLayer, l, d);
  const int32_t* iter_sums = run.ColumnSums(kWeightsIter, l, d);
  const bool apart = run.at.iter_init.IsPresent();  // W x and U h
  const Dim apart_gate = apart ? FindGate(TraitsOf(run.problem.cell), GateRole::kCandidate) : -1;
  const float* scales = run.plan.gate_scales.weight.data();
  const int32_t offset = OperandOffset(run);
  const float shift = RealShift(run.plan.quantization);
  for (Dim gate = 0; gate < layout.gates; ++gate) {
    for (Dim block = blocks.begin; block < blocks.end; ++block) {
      const Dim first = Column(layout, gate, block * kBlock);
      const BlockSums layer = SumsAt(layer_sums + first), iter = SumsAt(iter_sums + first);
      InitBlock(apart ? layer : layer + iter, offset, run.at.init.As<int32_t>(run.scratch, slice + first));
      if (apart) InitBlock(iter, offset, run.at.iter_init.As<int32_t>(run.scratch, slice + first));
      float* bias = run.Scratch(run.at.column_bias, slice + first);
      if (gate == apart_gate) {
        CompensateBlock(layer, scales + first, shift, bias);
        CompensateBlock(iter, scales + first, shift, run.Scratch(run.at.iter_bias, slice + first));
      } else {
        CompensateBlock(layer + iter, scales + first, shift, bias);
      }
    }
  }
}

void PrepareProjection(const RunMemory& run, Dim l, Dim d, Range blocks) {
  const PackedLayout& layout = run.plan.projection.layout;
  const Dim slice = run.SliceIndex(l, d) * layout.columns;
  const Dim first_column = slice + blocks.begin * kBlock, n = blocks.size() * kBlock;
  if (run.plan.ScalesColumns()) ZeroSums(run.Scratch(run.at.projection_bias, first_column), n);
  if (!run.problem.IsInt8()) return ZeroSums(run.Scratch(run.at.projection_init, first_column), n);
  const int32_t* sums = run.ColumnSums(kWeightsProjection, l, d);
  const float* scales = run.plan.projection_scales.weight.data();
  const int32_t offset = OperandOffset(run);
  const float shift = RealShift(run.plan.quantization);
  for (Dim first = blocks.begin * kBlock; first < blocks.end * kBlock; first += kBlock) {
    InitBlock(SumsAt(sums + first), offset, run.at.projection_init.As<int32_t>(run.scratch, slice + first));
    CompensateBlock(SumsAt(sums + first), scales + first, shift, run.Scratch(run.at.projection_bias, slice + first));
  }
}

void PrepareSlice(const RunMemory& run, Dim l, Dim d, Range blocks, Range projected_blocks) {
  const PackedLayout& layout = run.plan.layer.layout;
  const Dim first = run.SliceIndex(l, d) * layout.columns;
  const BiasRows bias = RowsOf(run, kBias, l, d);
  float* column_bias = run.Scratch(run.at.column_bias, first);
  for (Dim gate = 0; gate < run.problem.n_gates; ++gate) CopyBias(run, bias, gate, gate, blocks, column_bias);
  if (IsLinearBeforeReset(run.problem.cell)) {
    float* iter_bias = run.Scratch(run.at.iter_bias, first);
    const Dim block_columns = layout.gates * kBlock;
    std::fill(iter_bias + blocks.begin * block_columns, iter_bias + blocks.end * block_columns, 0.f);
    const CellTraits& traits = TraitsOf(run.problem.cell);
    CopyBias(run, bias, FindGate(traits, GateRole::kUPrime), FindGate(traits, GateRole::kCandidate), blocks, iter_bias);
  }
  if (run.problem.HasPeephole()) PreparePeephole(run, l, d, blocks);
  if (run.plan.Normalizes()) PrepareNorms(run, l, d, blocks);
  if (run.problem.IsInt8()) {
    PrepareInt8Slice(run, l, d, blocks);
  } else {
    for (int part = 0; part < layout.n_parts; ++part) {
      const Dim begin = layout.part[part].first_column, block_columns = layout.part[part].gates * kBlock;
      ZeroSums(run.Scratch(run.at.init, first + begin + blocks.begin * block_columns), blocks.size() * block_columns);
    }
  }
  if (run.problem.HasProjection()) PrepareProjection(run, l, d, projected_blocks);
}

void PackWeights(const RunMemory& run, const TeamThread& thread) {
  for (const Tensor tensor : {kWeightsLayer, kWeightsIter, kWeightsProjection}) {
    run.WeightsOf(tensor).PackShare(thread.index, thread.team, run.UserTensor(tensor), run.scratch);
  }
  thread.all->Wait();
}

}  // namespace

// When work is divided by units, each thread prepares only its own columns, so no barrier is needed.
void PrepareParameters(const RunMemory& run, const TeamThread& thread) {
  if (run.plan.packs) PackWeights(run, thread);
  if (thread.divided_rows) {
    const Dim slices = run.problem.n_layer * run.problem.n_dir;
    for (Dim slice = thread.index; slice < slices; slice += thread.team) {
      PrepareSlice(run, slice / run.problem.n_dir, slice % run.problem.n_dir, {0, run.plan.layer.layout.blocks},
                   {0, run.plan.projection.layout.blocks});
    }
    thread.all->Wait();
    return;
  }
  for (Dim d = thread.role.dirs.begin; d < thread.role.dirs.end; ++d) {
    for (Dim l = 0; l < run.problem.n_layer; ++l) PrepareSlice(run, l, d, thread.blocks, thread.projected_blocks);
  }
}

}  // namespace optimized
}  // namespace tandem
