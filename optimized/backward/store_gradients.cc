// This file turns the sums over all rows into the user's diff_weights_* and diff_bias. Backward adds to them or overwrites them.
#include <algorithm>

#include "api/core/gates.h"
#include "optimized/backward/backward_run.h"

namespace tandem {
namespace optimized {
namespace {

struct Destination {
  float* to;
  Dim stride;
  DiffWeightsMode mode;
};

void StoreSum(const float* from, Dim n, const Destination& at) {
  if (at.mode == DiffWeightsMode::kAccumulate) {
    for (Dim i = 0; i < n; ++i) at.to[i * at.stride] += from[i];
  } else {
    for (Dim i = 0; i < n; ++i) at.to[i * at.stride] = from[i];
  }
}

}  // namespace

void BackwardRun::StoreGradients(const TeamThread& thread, Dim l, Dim d) {
  StoreWeights(thread, kDiffWeightsLayer, l, d);
  if (problem_.Has(kDiffWeightsIter)) StoreWeights(thread, kDiffWeightsIter, l, d);
  if (problem_.HasProjection()) StoreProjection(thread, l, d);
  if (thread.index != 0) return;
  if (problem_.Has(kDiffBias)) StoreBias(l, d);
  if (problem_.HasPeephole()) StorePeephole(l, d);
  if (problem_.attr.rnn_layer_norm.given()) StoreNorms(l, d);
}

// Eight input channels at a time, all their units. In ldigo rows lie pages apart: eight rows of four gates touch no more
// pages than the first-level TLB holds while 16 units after the other are stored.
void BackwardRun::StoreWeights(const TeamThread& thread, Tensor tensor, Dim l, Dim d) {
  constexpr Dim kChannels = 8;
  const MemoryDesc& md = problem_.md[tensor];
  const Range channels = Share(md.dims[2], thread.index, thread.team);
  for (Dim i = channels.begin; i < channels.end; i += kChannels) {
    panels_.ForEach([&](const GatePanel& panel) {
      const GatePanel in_scratch = panels_.InScratch(panel);
      if (in_scratch.columns == 0) return;
      const Rows sums = ScratchSum(tensor, in_scratch);
      const float* from = sums.At(i);
      // The same channels of the next panel lie pages away: the processor's prefetchers do not follow.
      const float* next = from + sums.row * md.dims[2];
      for (Dim at = 0; at < kChannels * sums.row; at += kBlock) __builtin_prefetch(next + at, 0, 3);
      panels_.ForEachUnits(in_scratch, [&](const PanelUnits& units) {
        const Dim index[] = {l, d, i, units.gate, units.unit};
        const Dim rows = std::min(kChannels, channels.end - i);
        StoreBlock({from + units.at, sums.row}, rows, units.n, tensor, index);
      });
    });
  }
}

// Up to 16 units of `rows` input channels, from the one at `index` on.
void BackwardRun::StoreBlock(ConstRows from, Dim rows, Dim units, Tensor tensor, const Dim* index) {
  const MemoryDesc& md = problem_.md[tensor];
  float* to = static_cast<float*>(buffers_.tensor[tensor]) + OffsetAt(md, index);
  const DiffWeightsMode mode = problem_.diff_weights_mode();
  if (Strides(md)[4] == 1) {
    return plan_.backward_kernels_.store_block({from, {to, Strides(md)[2]}, rows, units, mode});
  }
  for (Dim row = 0; row < rows; ++row) StoreSum(from.At(row), units, {to + row * Strides(md)[2], Strides(md)[4], mode});
}

void BackwardRun::StoreProjection(const TeamThread& thread, Dim l, Dim d) {
  const MemoryDesc& md = problem_.md[kDiffWeightsProjection];
  float* base = static_cast<float*>(buffers_.tensor[kDiffWeightsProjection]);
  const Range channels = Share(problem_.dhc, thread.index, thread.team);
  for (Dim i = channels.begin; i < channels.end; ++i) {
    for (Dim column = 0; column < problem_.dic; column += kPanelColumns) {
      const Dim columns = std::min(kPanelColumns, plan_.h_row_ - column);
      const Dim index[] = {l, d, i, column};
      StoreSum(Scratch(at_.diff_weights_projection, column * problem_.dhc + i * columns),
               std::min(columns, problem_.dic - column),
               {base + OffsetAt(md, index), Strides(md)[3], problem_.diff_weights_mode()});
    }
  }
}

// The gradient of u', which only the bias of LBR cells has, is that of the candidate as U sees it.
void BackwardRun::StoreBias(Dim l, Dim d) {
  const MemoryDesc& md = problem_.md[kDiffBias];
  float* base = static_cast<float*>(buffers_.tensor[kDiffBias]);
  const CellTraits& traits = TraitsOf(problem_.cell);
  for (Dim gate = 0; gate < problem_.n_bias_gates; ++gate) {
    const bool iter = traits.gate[gate].role == GateRole::kUPrime;
    const Dim of_weights = iter ? FindGate(traits, GateRole::kCandidate) : gate;
    const float* sums = Scratch(iter ? at_.diff_bias_iter : at_.diff_bias);
    const Dim index[] = {l, d, gate, 0};
    if (NormalizesGates()) {  // the bias joins behind a norm, as its offset does
      StoreColumns(Scratch(at_.diff_norm_offset, iter ? Columns() : 0), of_weights, kDiffBias, index);
      continue;
    }
    StoreSum(sums + panels_.PositionOfGate(of_weights), problem_.dhc,
             {base + OffsetAt(md, index), Strides(md)[3], problem_.diff_weights_mode()});
  }
}

// The units of a gate from sums in Column() order.
void BackwardRun::StoreColumns(const float* sums, Dim gate, Tensor tensor, const Dim* index) {
  const MemoryDesc& md = problem_.md[tensor];
  float* to = static_cast<float*>(buffers_.tensor[tensor]) + OffsetAt(md, index);
  for (Dim unit = 0; unit < problem_.dhc; unit += kBlock) {
    StoreSum(sums + Column(plan_.columns_, gate, unit), std::min(kBlock, problem_.dhc - unit),
             {to + unit * Strides(md)[3], Strides(md)[3], problem_.diff_weights_mode()});
  }
}

void BackwardRun::StoreNorms(Dim l, Dim d) {
  const LayerNorm& norm = problem_.attr.rnn_layer_norm;
  for (const Tensor tensor : {kDiffNormGain, kDiffNormOffset}) {
    const bool is_gain = tensor == kDiffNormGain;
    Dim index[] = {l, d, 0, 0};
    for (Dim product = 0; product < norm.NumProducts(); ++product) {
      const float* sums = Scratch(is_gain ? at_.diff_norm_gain : at_.diff_norm_offset, product * Columns());
      for (Dim gate = 0; gate < problem_.n_gates; ++gate, ++index[2]) StoreColumns(sums, gate, tensor, index);
    }
    if (norm.cell == CellNorm::kNone) continue;
    const MemoryDesc& md = problem_.md[tensor];
    StoreSum(Scratch(is_gain ? at_.diff_cell_gain : at_.diff_cell_offset), problem_.dhc,
             {static_cast<float*>(buffers_.tensor[tensor]) + OffsetAt(md, index), Strides(md)[3],
              problem_.diff_weights_mode()});
  }
}

void BackwardRun::StorePeephole(Dim l, Dim d) {
  const MemoryDesc& md = problem_.md[kDiffWeightsPeephole];
  float* base = static_cast<float*>(buffers_.tensor[kDiffWeightsPeephole]);
  for (Dim gate = 0; gate < NumPeepholes(problem_.cell); ++gate) {
    const Dim index[] = {l, d, gate, 0};
    StoreSum(Scratch(at_.diff_peephole, gate * plan_.unit_row_), problem_.dhc,
             {base + OffsetAt(md, index), Strides(md)[3], problem_.diff_weights_mode()});
  }
}

}  // namespace optimized
}  // namespace tandem
