#include "conformance/faulty/faulty_network.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

#include "api/core/gates.h"

namespace tandem::conformance {
namespace {

// The values that the tensor's address had when it was first seen.
Floats Cached(const TensorView& view, const Floats& values, CallMemory* memory) {
  Floats& cached = memory->by_address[view.data()];
  if (cached.size() != values.size()) cached = values;
  return cached;
}

bool SameBytes(const Floats& a, const Floats& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

void ReplaceNan(Floats* values) {
  for (float& value : *values) value = std::isnan(value) ? 0 : value;
}

void Touch(const TensorView& view, Dim offset) {
  volatile double sink = view.At(offset);
  (void)sink;
}

}  // namespace

FaultyNetwork::FaultyNetwork(const RnnProblem& problem, const FaultyArithmetic& arithmetic, const TensorViews& tensors,
                             const FaultyScratch& staging, CallMemory* memory)
    : p(problem), math(arithmetic), scratch(staging) {
  LoadLengths(tensors[kSequenceLengths], memory);
  src_layer = LoadSrcLayer(tensors[kSrcLayer]);
  attention = LoadAttention(tensors[kAugruAttention]);
  w = Load(tensors, kWeightsLayer);
  u = LoadWeightsIter(tensors, memory);
  peephole = Load(tensors, kWeightsPeephole);
  projection = Load(tensors, kWeightsProjection);
  bias = Load(tensors, kBias);
  norm_gain = Load(tensors, kNormGain);
  norm_offset = Load(tensors, kNormOffset);
  if (On(Mutation::kFirstCallDropsBias) && memory->calls == 0) bias.clear();
  if (On(Mutation::kBiasCachedUnderWeights)) {
    if (SameBytes(w, memory->weights_layer) && bias.size() == memory->bias.size()) bias = memory->bias;
    memory->weights_layer = w, memory->bias = bias;
  }
  LoadStates(tensors, memory);
  LoadMasks(tensors, memory);
  if (On(Mutation::kNanInStateLost)) ReplaceNan(&src_iter);
  if (!On(Mutation::kNanInWeightsLost)) return;
  for (Floats* values : {&w, &u, &bias}) ReplaceNan(values);
}

Floats FaultyNetwork::Load(const TensorViews& tensors, Tensor t) const {
  const TensorView& view = tensors[t];
  Floats values(view.size());
  const bool ignores_strides = t == kWeightsLayer && On(Mutation::kWeightsStridesIgnored);
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(ignores_strides ? view.At(static_cast<Dim>(i)) : view.Get(i));
  }
  return values;
}

void FaultyNetwork::LoadLengths(const TensorView& view, CallMemory* memory) {
  lengths.assign(static_cast<size_t>(p.mb), p.n_iter);
  if (view.empty()) return;
  for (size_t n = 0; n < lengths.size(); ++n) lengths[n] = static_cast<Dim>(view.Get(n));
  if (On(Mutation::kLengthsTakenAsSorted)) std::sort(lengths.begin(), lengths.end(), std::greater<Dim>());
  if (On(Mutation::kLengthsCached)) {
    if (memory->first_lengths.size() != lengths.size()) memory->first_lengths = lengths;
    lengths = memory->first_lengths;
    for (Dim& length : lengths) length = std::min(length, p.n_iter);
  }
  const std::vector<Dim>& last = memory->last_lengths;
  if (On(Mutation::kWorkspaceLengthsIgnored) && p.IsBackward() && last.size() == lengths.size()) lengths = last;
  if (!p.IsBackward()) memory->last_lengths = lengths;
}

bool FaultyNetwork::IsLive(Dim l, Dim d, Dim t, Dim n) const {
  Dim length = lengths[static_cast<size_t>(n)];
  if (!p.Has(kSequenceLengths) || (l > 0 && On(Mutation::kUpperLayersIgnoreLengths))) return true;
  if (On(Mutation::kRowRunsOneStepOn)) ++length;
  if (On(Mutation::kRowEndsOneStepEarly) && length < p.n_iter) --length;
  if (On(Mutation::kRight2LeftReversesAllSteps)) t = StepWalk(p, d).Step(t);
  return t < length;
}

Floats FaultyNetwork::LoadAttention(const TensorView& view) const {
  Floats values;
  for (size_t i = 0; i < view.size(); ++i) {
    const Dim t = static_cast<Dim>(i) / p.mb, n = static_cast<Dim>(i) % p.mb;
    values.push_back(IsLive(0, 0, t, n) ? static_cast<float>(view.Get(i)) : 0);
  }
  return values;
}

Floats FaultyNetwork::LoadSrcLayer(const TensorView& view) const {
  const Dim* strides = Strides(view.md());
  Floats values;
  values.reserve(view.size());
  const bool ntc_as_tnc = On(Mutation::kNtcReadAsTnc) && strides[0] < strides[1];
  const bool gap_read = On(Mutation::kSrcGapRead) && strides[1] > p.slc;
  // The bytes beyond the last multiple of 64.
  const uintptr_t beyond = reinterpret_cast<uintptr_t>(view.data()) % 64;
  for (Dim t = 0; t < p.n_iter; ++t) {
    for (Dim n = 0; n < p.mb; ++n) {
      bool live = false;
      for (Dim d = 0; d < p.n_dir; ++d) live = live || IsLive(0, d, t, n);
      if (!live) {
        values.resize(values.size() + static_cast<size_t>(p.slc));
        continue;
      }
      const Dim first[3] = {t, n, 0};
      Dim offset = view.Offset(first);
      if (ntc_as_tnc) offset = (t * p.mb + n) * p.slc;
      if (On(Mutation::kSrcRowStrideIgnored)) offset = t * strides[0] + n * p.slc;
      if (On(Mutation::kAddressRoundedDown)) offset -= static_cast<Dim>(beyond / SizeOf(view.type()));
      if (On(Mutation::kBatchOneStride) && p.mb == 1) offset = t * p.slc;
      for (Dim k = 0; k < p.slc; ++k) values.push_back(static_cast<float>(view.At(offset + k * strides[2])));
      if (gap_read) *(values.end() - p.slc) += 0 * static_cast<float>(view.At(offset + p.slc));
      for (Dim k = p.slc; On(Mutation::kVectorLoadedPastTheEnd) && k % 8 != 0; ++k) Touch(view, offset + k);
    }
  }
  if (On(Mutation::kU8ReadAsS8)) {
    for (float& q : values) q = q > 127 ? q - 256 : q;
  }
  return values;
}

Floats FaultyNetwork::LoadWeightsIter(const TensorViews& tensors, CallMemory* memory) const {
  Floats values = Load(tensors, kWeightsIter);
  if (On(Mutation::kWeightsCached)) {
    if (memory->weights_iter.size() != values.size()) memory->weights_iter = values;
    return memory->weights_iter;
  }
  if (On(Mutation::kWeightsCachedByAddress)) return Cached(tensors[kWeightsIter], values, memory);
  if (On(Mutation::kDirectionStrideFromSlc) && p.n_dir == 2) {
    const TensorView& view = tensors[kWeightsIter];
    const Dim stack = p.sic * p.n_gates * p.dhc, error = (p.slc - p.sic) * Strides(view.md())[2];
    for (size_t i = 0; i < values.size(); ++i) {
      const bool second = static_cast<Dim>(i) / stack % 2 == 1;
      if (second) values[i] = static_cast<float>(view.At(view.Offset(i) + error));
    }
  }
  return values;
}

void FaultyNetwork::LoadStates(const TensorViews& tensors, CallMemory* memory) {
  const size_t count = static_cast<size_t>(p.n_layer * p.n_dir * p.mb * p.sic);
  src_iter = Load(tensors, kSrcIter);
  src_iter_c = Load(tensors, kSrcIterC);
  if (On(Mutation::kStateCachedByAddress) && p.Has(kSrcIter)) src_iter = Cached(tensors[kSrcIter], src_iter, memory);
  if (On(Mutation::kCellStateCachedByAddress) && p.Has(kSrcIterC)) {
    src_iter_c = Cached(tensors[kSrcIterC], src_iter_c, memory);
  }
  if (On(Mutation::kHandedOnCellStateStale) && p.Has(kSrcIterC) && memory->dst_iter_c == tensors[kSrcIterC].data() &&
      memory->last_c_prev.size() == src_iter_c.size()) {
    src_iter_c = memory->last_c_prev;
  }
  if (On(Mutation::kVectorLoadedBeforeTheStart) && p.Has(kSrcIter)) Touch(tensors[kSrcIter], -1);
  if (!p.Has(kSrcIter) || On(Mutation::kSrcIterIgnored)) {
    float zero = math.StoreState(0);
    if (On(Mutation::kAbsentSrcIterIsByteZero)) zero = 0;
    if (On(Mutation::kAbsentSrcIterIsOne)) zero = math.StoreState(1);
    src_iter.assign(count, zero);
    if (On(Mutation::kStateLeaks) && memory->last_h.size() == count) src_iter = memory->last_h;
  } else if (p.IsInt8() && TypeOf(p.md[kSrcIter]) == DataType::kF32) {
    for (float& h : src_iter) h = math.StoreState(h);
  }
  if (src_iter_c.empty() || On(Mutation::kSrcIterCIgnored)) {
    src_iter_c.assign(static_cast<size_t>(p.n_layer * p.n_dir * p.mb * p.dhc), 0);
  }
}

void FaultyNetwork::LoadMasks(const TensorViews& tensors, CallMemory* memory) {
  mask_layer = Load(tensors, kMaskLayer);
  mask_iter = Load(tensors, kMaskIter);
  zoneout_iter = Load(tensors, kZoneoutIter);
  zoneout_iter_c = Load(tensors, kZoneoutIterC);
  if (!On(Mutation::kMasksCached)) return;
  size_t i = 0;
  for (Floats* mask : {&mask_layer, &mask_iter, &zoneout_iter, &zoneout_iter_c}) {
    Floats& first = memory->first_masks[i++];
    if (first.size() != mask->size()) first = *mask;
    *mask = first;
  }
}

Dim FaultyNetwork::MapGate(Dim gate) const {
  const auto swap = [&](GateRole a, GateRole b) -> Dim {
    const int first = FindGate(TraitsOf(p.cell), a), second = FindGate(TraitsOf(p.cell), b);
    if (first < 0 || second < 0) return gate;
    return gate == first ? second : gate == second ? first : gate;
  };
  const bool wide = On(Mutation::kWideKernelSwapsGates) && p.dhc >= 16;
  if (On(Mutation::kSwapGatesIF) || wide) return swap(GateRole::kInput, GateRole::kForget);
  if (On(Mutation::kSwapGatesCO)) return swap(GateRole::kCandidate, GateRole::kOutput);
  if (On(Mutation::kSwapGatesFO)) return swap(GateRole::kForget, GateRole::kOutput);
  if (On(Mutation::kSwapGatesUR)) return swap(GateRole::kUpdate, GateRole::kReset);
  if (On(Mutation::kSwapGatesRO)) return swap(GateRole::kReset, GateRole::kCandidate);
  return gate;
}

const float* FaultyNetwork::W(Dim l, Dim d, Dim gate, Dim unit) const {
  if (On(Mutation::kUnitsIn8Bits)) unit &= 255;
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
  if (On(Mutation::kLayersBeyondFour)) l = std::min<Dim>(l, 3);
  if (On(Mutation::kTwoThreadsDropBias) && threads == 2) return 0;
  if (On(Mutation::kBiasLastGateIgnored) && gate == p.n_bias_gates - 1) return 0;
  if (On(Mutation::kBiasTailLaneIgnored) && p.dhc % 8 != 0 && unit == p.dhc - 1) return 0;
  if (On(Mutation::kBiasOfFirstLayer)) l = 0;
  if (On(Mutation::kBiasOfFirstDirection)) d = 0;
  if (On(Mutation::kLbrBiasMissing) && TraitsOf(p.cell).gate[gate].role == GateRole::kUPrime) return 0;
  gate = MapGate(gate);
  const Dim last = p.n_bias_gates - 1;
  if (On(Mutation::kBiasGateOrder) && last > 0) gate = gate == last ? last - 1 : gate == last - 1 ? last : gate;
  return bias[static_cast<size_t>(((l * p.n_dir + d) * p.n_bias_gates + gate) * p.dhc + unit)];
}

float FaultyNetwork::P(Dim l, Dim d, Dim gate, Dim unit) const {
  if (peephole.empty() || On(Mutation::kPeepholeIgnored)) return 0;
  constexpr Dim kForget = LstmPeephole::kForget, kOutput = LstmPeephole::kOutput;
  if (On(Mutation::kPeepholeOrder)) gate = gate == kForget ? kOutput : gate == kOutput ? kForget : gate;
  return peephole[static_cast<size_t>(((l * p.n_dir + d) * TraitsOf(p.cell).peepholes + gate) * p.dhc + unit)];
}

}  // namespace tandem::conformance
