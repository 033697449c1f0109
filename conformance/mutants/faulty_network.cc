#include "conformance/mutants/faulty_network.h"

#include <algorithm>
#include <cmath>

namespace tandem::conformance {
namespace {

// Element at any offset, as far as the buffer goes.
float At(const TensorBuffer& buffer, Dim offset) {
  const Dim last = static_cast<Dim>(buffer.size_in_bytes() / SizeOf(buffer.type())) - 1;
  const Dim inside = std::min(std::max<Dim>(offset, 0), last);
  const uint8_t* base = static_cast<const uint8_t*>(buffer.data());
  return static_cast<float>(LoadElement(buffer.type(), base + static_cast<size_t>(inside) * SizeOf(buffer.type())));
}

}  // namespace

FaultyNetwork::FaultyNetwork(const RnnProblem& problem, const FaultyArithmetic& arithmetic, const TensorSet& tensors,
                             CallMemory* memory)
    : p(problem), math(arithmetic) {
  src_layer = LoadSrcLayer(tensors);
  attention = Load(tensors, kAugruAttention);
  w = Load(tensors, kWeightsLayer);
  u = LoadWeightsIter(tensors, memory);
  peephole = Load(tensors, kWeightsPeephole);
  projection = Load(tensors, kWeightsProjection);
  bias = Load(tensors, kBias);
  LoadStates(tensors, *memory);
}

Floats FaultyNetwork::Load(const TensorSet& tensors, Tensor t) const {
  const TensorBuffer& buffer = tensors[t];
  Floats values(buffer.size());
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(buffer.Get(i));
  if (t != kWeightsLayer) return values;
  for (size_t i = 0; i < values.size(); ++i) {
    const Dim offset = static_cast<Dim>(buffer.ByteOffset(i) / SizeOf(buffer.type()));
    if (On(Mutation::kWeightsStridesIgnored)) values[i] = At(buffer, p.md[t].offset0 + static_cast<Dim>(i));
    if (On(Mutation::kOffsetWraps)) values[i] = At(buffer, offset % 32768);
  }
  return values;
}

Floats FaultyNetwork::LoadSrcLayer(const TensorSet& tensors) const {
  const TensorBuffer& buffer = tensors[kSrcLayer];
  const MemoryDesc& md = p.md[kSrcLayer];
  Floats values;
  values.reserve(buffer.size());
  const bool ntc_as_tnc = On(Mutation::kNtcReadAsTnc) && Strides(md)[0] < Strides(md)[1];
  const bool gap_read = On(Mutation::kSrcGapRead) && Strides(md)[1] > p.slc;
  for (Dim t = 0; t < p.n_iter; ++t) {
    for (Dim n = 0; n < p.mb; ++n) {
      const Dim first[3] = {t, n, 0};
      Dim offset = OffsetAt(md, first);
      if (ntc_as_tnc) offset = md.offset0 + (t * p.mb + n) * p.slc;
      if (On(Mutation::kSrcRowStrideIgnored)) offset = md.offset0 + t * Strides(md)[0] + n * p.slc;
      if (On(Mutation::kOffsetIgnored)) offset -= md.offset0;
      if (On(Mutation::kBatchOneStride) && p.mb == 1) offset = md.offset0 + t * p.slc;
      for (Dim k = 0; k < p.slc; ++k) values.push_back(At(buffer, offset + k * Strides(md)[2]));
      if (gap_read) *(values.end() - p.slc) += 0 * At(buffer, offset + p.slc);
    }
  }
  if (On(Mutation::kU8ReadAsS8)) {
    for (float& q : values) q = q > 127 ? q - 256 : q;
  }
  return values;
}

Floats FaultyNetwork::LoadWeightsIter(const TensorSet& tensors, CallMemory* memory) const {
  Floats values = Load(tensors, kWeightsIter);
  if (On(Mutation::kWeightsCached)) {
    if (memory->weights_iter.size() != values.size()) memory->weights_iter = values;
    return memory->weights_iter;
  }
  if (On(Mutation::kDirectionStrideFromSlc) && p.n_dir == 2) {
    const Dim row = p.n_gates * p.dhc;
    Floats shifted = values;
    for (Dim l = 0; l < p.n_layer; ++l) {
      const Dim layer = l * 2 * p.sic * row;
      for (Dim i = 0; i < p.sic * row; ++i) {
        const Dim from = std::min<Dim>(layer + p.slc * row + i, static_cast<Dim>(values.size()) - 1);
        shifted[layer + p.sic * row + i] = values[from];
      }
    }
    return shifted;
  }
  return values;
}

void FaultyNetwork::LoadStates(const TensorSet& tensors, const CallMemory& memory) {
  const size_t count = static_cast<size_t>(p.n_layer * p.n_dir * p.mb * p.sic);
  src_iter = Load(tensors, kSrcIter);
  src_iter_c = Load(tensors, kSrcIterC);
  if (!p.Has(kSrcIter) || On(Mutation::kSrcIterIgnored)) {
    float zero = math.StoreState(0);
    if (On(Mutation::kAbsentSrcIterIsByteZero)) zero = 0;
    if (On(Mutation::kAbsentSrcIterIsOne)) zero = math.StoreState(1);
    src_iter.assign(count, zero);
    if (On(Mutation::kStateLeaks) && memory.last_h.size() == count) src_iter = memory.last_h;
  } else if (p.IsInt8() && TypeOf(p.md[kSrcIter]) == DataType::kF32) {
    for (float& h : src_iter) h = math.StoreState(h);
  }
  if (src_iter_c.empty() || On(Mutation::kSrcIterCIgnored)) {
    src_iter_c.assign(static_cast<size_t>(p.n_layer * p.n_dir * p.mb * p.dhc), 0);
  }
}

Dim FaultyNetwork::MapGate(Dim gate) const {
  const auto swap = [gate](Dim a, Dim b) { return gate == a ? b : gate == b ? a : gate; };
  if (p.cell == Cell::kLstm) {
    const bool wide = On(Mutation::kWideKernelSwapsGates) && p.dhc >= 16;
    if (On(Mutation::kSwapGatesIF) || wide) return swap(0, 1);
    if (On(Mutation::kSwapGatesCO)) return swap(2, 3);
    if (On(Mutation::kSwapGatesFO)) return swap(1, 3);
  } else if (p.cell != Cell::kVanillaRnn) {
    if (On(Mutation::kSwapGatesUR)) return swap(0, 1);
    if (On(Mutation::kSwapGatesRO)) return swap(1, 2);
  }
  return gate;
}

const float* FaultyNetwork::W(Dim l, Dim d, Dim gate, Dim unit) const {
  if (On(Mutation::kLayerUsesFirstLayersWeights)) l = 0;
  if (On(Mutation::kSecondDirectionUsesFirstsW)) d = 0;
  const Dim row = p.n_gates * p.dhc;
  const float* base = w.data() + (l * p.n_dir + d) * p.slc * row + MapGate(gate) * p.dhc;
  // Transposed: the unit is the row. Gates stay where they are, so the distance between inputs is one column.
  return WStride() == 1 ? base + unit * row : base + unit;
}

const float* FaultyNetwork::U(Dim l, Dim d, Dim gate, Dim unit) const {
  if (On(Mutation::kSecondDirectionUsesFirstsU)) d = 0;
  const Dim row = p.n_gates * p.dhc;
  const float* base = u.data() + (l * p.n_dir + d) * p.sic * row + MapGate(gate) * p.dhc;
  return UStride() == 1 ? base + unit * row : base + unit;
}

const float* FaultyNetwork::R(Dim l, Dim d, Dim unit) const {
  const float* base = projection.data() + (l * p.n_dir + d) * p.dhc * p.dic;
  return RStride() == 1 ? base + unit * p.dic : base + unit;
}

float FaultyNetwork::B(Dim l, Dim d, Dim gate, Dim unit) const {
  if (bias.empty() || On(Mutation::kBiasIgnored)) return 0;
  if (On(Mutation::kBiasLastGateIgnored) && gate == p.n_bias_gates - 1) return 0;
  if (On(Mutation::kBiasTailLaneIgnored) && p.dhc % 8 != 0 && unit == p.dhc - 1) return 0;
  if (On(Mutation::kBiasOfFirstLayer)) l = 0;
  if (On(Mutation::kBiasOfFirstDirection)) d = 0;
  if (On(Mutation::kLbrBiasMissing) && gate == 3 && IsLinearBeforeReset(p.cell)) return 0;
  gate = MapGate(gate);
  const Dim last = p.n_bias_gates - 1;
  if (On(Mutation::kBiasGateOrder) && last > 0) gate = gate == last ? last - 1 : gate == last - 1 ? last : gate;
  return bias[static_cast<size_t>(((l * p.n_dir + d) * p.n_bias_gates + gate) * p.dhc + unit)];
}

float FaultyNetwork::P(Dim l, Dim d, Dim gate, Dim unit) const {
  if (peephole.empty() || On(Mutation::kPeepholeIgnored)) return 0;
  if (On(Mutation::kPeepholeOrder)) gate = gate == 1 ? 2 : gate == 2 ? 1 : gate;
  return peephole[static_cast<size_t>(((l * p.n_dir + d) * 3 + gate) * p.dhc + unit)];
}

}  // namespace tandem::conformance
