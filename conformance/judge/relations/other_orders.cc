// The same data in another order, through another call.
#include "conformance/judge/relations/other_orders.h"

#include <algorithm>
#include <string>

#include "conformance/problem/batch_rows.h"
#include "conformance/problem/row_lengths.h"

namespace tandem::conformance {
namespace {

void CheckInOrder(const RnnProblem& other, const IndexMap& map, RelationRun* run) {
  TensorSet tensors = Rearranged(other, run->in().inputs, map);
  if (!run->Run(other, &tensors)) return;
  TensorSet all = run->in().inputs;
  TakeOutputs(run->p(), tensors, map, &all);
  run->JudgeAlternative(all);
}

IndexMap RowsFrom(Dim first) {
  return [first](Tensor t, Dim* index) {
    const int axis = AxisOf(t, 'n');
    if (axis >= 0) index[axis] += first;
  };
}

// A rotation of n things that moves each of them.
Dim Rotation(uint64_t number, Dim n) { return n < 2 ? 0 : 1 + static_cast<Dim>(number % static_cast<uint64_t>(n - 1)); }

// Rotations of the inputs of layer 0, of the units, of the channels of h, and of those of src_iter where they are not
// the channels of h.
struct UnitOrder {
  UnitOrder(const RnnProblem& p, uint64_t number)
      : slc{Rotation(number, p.slc), p.slc},
        dhc{Rotation(number / 3, p.dhc), p.dhc},
        dic(p.HasProjection() ? Cycle{Rotation(number / 7, p.dic), p.dic} : dhc),
        sic(p.sic == p.dic ? dic : Cycle{Rotation(number / 11, p.sic), p.sic}) {}
  struct Cycle {
    Dim by, of;
    // Each group of `of` channels in the same order: the halves of a concatenation, the gates of a scale.
    Dim operator()(Dim i) const { return i / of * of + (i % of + by) % of; }
  };
  void Map(Tensor t, Dim* index) const {
    if (t == kAugruAttention) return;  // of all units
    const auto turn = [t, index](char letter, const Cycle& cycle) {
      const int axis = AxisOf(t, letter);
      if (axis >= 0) index[axis] = cycle(index[axis]);
    };
    const Dim layer = t == kWeightsLayer ? index[AxisOf(t, 'l')] : 0;
    const Dim of_mask = t == kMaskLayer ? index[AxisOf(t, 'l')] : 1;
    turn('c', t == kSrcLayer || of_mask == 0 ? slc : t == kSrcIter || t == kMaskIter ? sic : HasUnits(t) ? dhc : dic);
    turn('i', t == kWeightsProjection ? dhc : t == kWeightsIter ? sic : layer == 0 ? slc : dic);
    turn('o', t == kWeightsProjection ? dic : dhc);
  }
  static bool HasUnits(Tensor t) { return t == kSrcIterC || t == kDstIterC || t == kZoneoutIterC; }
  Cycle slc, dhc, dic, sic;
};

void RotateScales(const UnitOrder::Cycle& cycle, ScaleVector* scales) {
  if (scales->values.size() < 2) return;
  const std::vector<float> old = scales->values;
  for (Dim i = 0; i < static_cast<Dim>(old.size()); ++i) {
    scales->values[static_cast<size_t>(i)] = old[static_cast<size_t>(cycle(i))];
  }
}

MemoryDesc Laid(const MemoryDesc& md, const std::vector<int>& order, Dim padding) {
  Dims strides(static_cast<size_t>(md.ndims));
  Dim stride = 1;
  for (size_t i = order.size(); i-- > 0;) {
    const int axis = order[i];
    strides[static_cast<size_t>(axis)] = stride;
    stride *= std::max<Dim>(md.dims[axis], 1);
    if (i + 1 == order.size()) stride += padding;
  }
  return MakeStrided(Dims(md.dims, md.dims + md.ndims), TypeOf(md), strides);
}

bool Ascends(const MemoryDesc& md, int a, int b) { return Strides(md)[a] < Strides(md)[b]; }

// tnc and ntc, ldigo and ldgoi, ldio and ldoi take each other's place; padded rows lose their padding, others get some.
MemoryDesc OtherLayout(Tensor t, const MemoryDesc& md, bool other_order, Dim padding) {
  const std::string axes = AxesOf(t);
  if (axes == "tnc" && WithoutDiff(t) != kAugruAttention) {
    const bool ntc = Ascends(md, 0, 1) != other_order;
    return Laid(md, ntc ? std::vector<int>{1, 0, 2} : std::vector<int>{0, 1, 2}, padding);
  }
  if (axes == "ldigo") {
    const bool ldgoi = Ascends(md, 2, 4) != other_order;
    return Laid(md, ldgoi ? std::vector<int>{0, 1, 3, 4, 2} : std::vector<int>{0, 1, 2, 3, 4}, 0);
  }
  if (axes == "ldio") {
    const bool ldoi = Ascends(md, 2, 3) != other_order;
    return Laid(md, ldoi ? std::vector<int>{0, 1, 3, 2} : std::vector<int>{0, 1, 2, 3}, 0);
  }
  return axes == "ldnc" ? Laid(md, {0, 1, 2, 3}, padding) : md;
}

}  // namespace

void TakeOutputs(const RnnProblem& p, const TensorSet& got, const IndexMap& map, TensorSet* all) {
  for (const Tensor t : kForwardOutputs) {
    if (p.Has(t)) PutBack(t, got[t], map, &(*all)[t]);
  }
  for (const Tensor t : Outputs(p)) PutBack(t, got[t], map, &(*all)[t]);
}

void CheckReversal(RelationRun* run) {
  RnnProblem other = run->p();
  const std::vector<Dim> lengths = RowLengthsOf(run->p(), run->in().inputs);
  other.direction = other.direction == Direction::kRight2Left ? Direction::kLeft2Right : Direction::kRight2Left;
  const auto flip = [&lengths](Tensor t, Dim* index) {
    const int time = AxisOf(t, 't'), row = AxisOf(t, 'n');
    if (time < 0) return;
    const Dim length = lengths[static_cast<size_t>(index[row])];
    if (index[time] < length) index[time] = length - 1 - index[time];
  };
  CheckInOrder(other, flip, run);
}

void CheckBatchOrder(uint64_t number, RelationRun* run) {
  const Dim rows = run->p().mb, by = Rotation(number, rows);
  const auto rotate = [rows, by](Tensor t, Dim* index) {
    const int axis = AxisOf(t, 'n');
    if (axis >= 0) index[axis] = (index[axis] + by) % rows;
  };
  CheckInOrder(run->p(), rotate, run);
}

void CheckBatchHalves(RelationRun* run) {
  const RnnProblem& p = run->p();
  const bool overwrite = p.diff_weights_mode() == DiffWeightsMode::kOverwrite;
  const Dim half = p.mb / 2;
  TensorSet all = run->in().inputs;
  for (const Dim first : {Dim{0}, half}) {
    const RnnProblem part = WithBatch(p, first == 0 ? half : p.mb - half);
    // If gradients accumulate, the second half adds to those of the first.
    TensorSet tensors = Rearranged(part, all, RowsFrom(first));
    if (!run->Run(part, &tensors)) return;
    if (overwrite && first > 0) {
      for (const Tensor t : kDiffParameters) {
        TensorBuffer& sum = tensors[t];
        for (size_t k = 0; k < sum.size(); ++k) sum.Set(k, sum.Get(k) + all[t].Get(k));
      }
    }
    TakeOutputs(p, tensors, RowsFrom(first), &all);
  }
  run->JudgeAlternative(all);
}

void CheckUnitOrder(uint64_t number, RelationRun* run) {
  const UnitOrder order(run->p(), number);
  RnnProblem other = run->p();
  RotateScales(order.dhc, &other.attr.rnn_weights);
  RotateScales(order.dic, &other.attr.rnn_weights_projection);
  CheckInOrder(
      other, [&order](Tensor t, Dim* index) { order.Map(t, index); }, run);
}

void CheckLayout(uint64_t number, RelationRun* run) {
  // The number chooses from three kinds of change, at least one.
  const uint64_t kinds = 1 + number % 7;
  RnnProblem other = run->p();
  const Dim row = other.dic;
  const bool padded = Strides(other.md[kDstLayer])[2] == 1 &&
                      std::min(Strides(other.md[kDstLayer])[0], Strides(other.md[kDstLayer])[1]) > other.dlc;
  const Dim padding = ((kinds & 1) != 0) != padded ? 1 + row % 5 : 0;
  for (int i = 0; i < kNumTensors; ++i) {
    const Tensor t = static_cast<Tensor>(i);
    if (!other.Has(t) || IsByAttribute(t)) continue;
    other.md[i] = OtherLayout(t, other.md[i], (kinds & (IsWeights(t) ? 2 : 4)) != 0, padding);
  }
  Validate(&other);
  const auto identity = [](Tensor, Dim*) {};
  TensorSet tensors = Rearranged(other, run->in().inputs, identity);
  if (!run->RunInGivenLayouts(other, &tensors)) return;
  TensorSet all = run->in().inputs;
  TakeOutputs(run->p(), tensors, identity, &all);
  run->JudgeAlternative(all);
}

}  // namespace tandem::conformance
