// Reads a problem's tensors into the matrices of the stack, for any policy. Reading is exact.
#ifndef TANDEM_REFERENCE_STACK_STACK_INPUT_H_
#define TANDEM_REFERENCE_STACK_STACK_INPUT_H_

#include <vector>

#include "api/core/rnn/implementation.h"
#include "reference/cells/cell_dispatch.h"
#include "reference/stack/stack.h"
#include "reference/stack/tensor_view.h"

namespace tandem {
namespace reference {

// Every descriptor of a problem plain, and the memory that goes with it.
struct BoundProblem {
  const RnnProblem& problem;
  const RnnBuffers& buffers;

  TensorView View(Tensor tensor) const { return TensorView(problem.md[tensor], buffers.tensor[tensor]); }
};

inline StackShape ShapeOf(const BoundProblem& bound) {
  const RnnProblem& problem = bound.problem;
  StackShape shape;
  shape.direction = problem.direction;
  shape.n_layer = problem.n_layer;
  shape.n_dir = problem.n_dir;
  shape.n_iter = problem.n_iter;
  shape.mb = problem.mb;
  shape.sic = problem.sic;
  shape.dhc = problem.dhc;
  shape.lengths = SequenceLengths(problem, bound.buffers);
  return shape;
}

// src_layer and its like: {T, N, C} -> [t] of [channels, mb]. What lies beyond a row's length is not read: zeros.
template <class N>
std::vector<typename N::Mat> LoadSequence(const BoundProblem& bound, Tensor tensor) {
  std::vector<typename N::Mat> sequence;
  const TensorView view = bound.View(tensor);
  const SequenceLengths lengths(bound.problem, bound.buffers);
  for (Dim t = 0; t < bound.problem.n_iter; ++t) {
    if (!lengths.given()) {
      const Dim index[] = {t, 0, 0};
      sequence.push_back(view.Slice(index, 2, 1).template cast<typename N::Real>());
      continue;
    }
    sequence.push_back(Zeros<typename N::Real>(bound.problem.md[tensor].dims[2], bound.problem.mb));
    for (Dim n = 0; n < bound.problem.mb; ++n) {
      const Dim index[] = {t, n, 0};
      if (lengths.IsLive(t, n))
        sequence[t].col(n) = view.Slice(index, 2, kSingleColumn).template cast<typename N::Real>();
    }
  }
  return sequence;
}

// src_iter and its like: {L, D, N, C} -> [(l, d)] of [channels, mb]. Empty if the tensor is absent.
template <class N>
std::vector<typename N::Mat> LoadStates(const BoundProblem& bound, Tensor tensor) {
  std::vector<typename N::Mat> states;
  if (!bound.problem.Has(tensor)) return states;
  const TensorView view = bound.View(tensor);
  for (Dim layer = 0; layer < bound.problem.n_layer; ++layer) {
    for (Dim dir = 0; dir < bound.problem.n_dir; ++dir) {
      const Dim index[] = {layer, dir, 0, 0};
      states.push_back(view.Slice(index, 3, 2).template cast<typename N::Real>());
    }
  }
  return states;
}

// The attention {T, N, 1}, repeated for each channel.
template <class N>
std::vector<typename N::Mat> LoadAttention(const BoundProblem& bound) {
  std::vector<typename N::Mat> attention;
  if (!bound.problem.Has(kAugruAttention)) return attention;
  for (const typename N::Mat& row : LoadSequence<N>(bound, kAugruAttention)) {
    attention.push_back(row.replicate(bound.problem.dhc, 1));
  }
  return attention;
}

// mask_layer and its like: {L, D, T, N, C} -> [(l, d, t)] of [channels, mb]; mask_iter {L, D, N, C} -> [(l, d)]. Empty if the
// tensor is absent. Values where a row has no step are replaced by zeros.
template <class N>
std::vector<typename N::Mat> LoadMask(const BoundProblem& bound, Tensor tensor) {
  std::vector<typename N::Mat> masks;
  const RnnProblem& problem = bound.problem;
  if (!problem.Has(tensor)) return masks;
  const TensorView view = bound.View(tensor);
  const StackShape shape = ShapeOf(bound);
  const bool has_time = AxisOf(tensor, 't') >= 0;
  const Dim times = has_time ? problem.n_iter : 1;
  for (Dim i = 0; i < problem.n_layer * problem.n_dir * times; ++i) {
    const Dim time = i % times, dir = i / times % problem.n_dir, layer = i / times / problem.n_dir;
    const Dim with_time[] = {layer, dir, time, 0, 0}, without[] = {layer, dir, 0, 0};
    const int last = RankOf(tensor) - 1;
    masks.push_back(view.Slice(has_time ? with_time : without, last, last - 1).template cast<typename N::Real>());
    SetZero(shape.DeadRows(time), &masks.back());
  }
  return masks;
}

template <class N>
StackMasks<N> LoadMasks(const BoundProblem& bound) {
  return {LoadMask<N>(bound, kMaskLayer), LoadMask<N>(bound, kMaskIter), LoadMask<N>(bound, kZoneoutIter),
          LoadMask<N>(bound, kZoneoutIterC)};
}

// weights_layer or weights_iter {L, D, I, G, O} -> [gate] of [O, I].
template <class N>
std::vector<typename N::WeightMatrix> LoadWeights(const N& num, const BoundProblem& bound, WeightRole role, Dim layer,
                                                  Dim dir) {
  std::vector<typename N::WeightMatrix> weights;
  const Tensor tensor = role == WeightRole::kLayer ? kWeightsLayer : kWeightsIter;
  if (!bound.problem.Has(tensor)) return weights;
  const TensorView view = bound.View(tensor);
  for (Dim gate = 0; gate < bound.problem.n_gates; ++gate) {
    const Dim index[] = {layer, dir, 0, gate, 0};
    weights.push_back(num.MakeWeights(view.Slice(index, 4, 2), role, gate));
  }
  return weights;
}

// bias, peephole or gains {L, D, G, O} -> [gate] of [O, mb]. An absent tensor gives zeros.
template <class N>
std::vector<typename N::Mat> LoadColumns(const BoundProblem& bound, Tensor tensor, Dim num_gates, Dim layer, Dim dir) {
  std::vector<typename N::Mat> columns(static_cast<size_t>(num_gates),
                                       Zeros<typename N::Real>(bound.problem.dhc, bound.problem.mb));
  if (!bound.problem.Has(tensor)) return columns;
  const TensorView view = bound.View(tensor);
  for (Dim gate = 0; gate < num_gates; ++gate) {
    const Dim index[] = {layer, dir, gate, 0};
    const typename N::Mat column = view.Slice(index, 3, kSingleColumn).template cast<typename N::Real>();
    columns[gate] = RepeatColumn<typename N::Real>(column, bound.problem.mb);
  }
  return columns;
}

// One cell's weights. Reads the problem and its buffers, both of which must outlive the stack's run.
template <class N>
CellParameters<N> LoadParameters(const N& num, const BoundProblem& bound, Dim layer, Dim dir) {
  const RnnProblem& problem = bound.problem;
  CellParameters<N> parameters;
  parameters.W = LoadWeights(num, bound, WeightRole::kLayer, layer, dir);
  parameters.U = LoadWeights(num, bound, WeightRole::kIter, layer, dir);
  parameters.B = LoadColumns<N>(bound, kBias, problem.n_bias_gates, layer, dir);
  if (problem.HasPeephole())
    parameters.P = LoadColumns<N>(bound, kWeightsPeephole, NumPeepholes(problem.cell), layer, dir);
  if (problem.HasProjection()) {
    const Dim index[] = {layer, dir, 0, 0};
    const Mat<double> raw = bound.View(kWeightsProjection).Slice(index, 3, 2);
    parameters.R.push_back(num.MakeWeights(raw, WeightRole::kProjection, 0));
  }
  parameters.activation = problem.Function();
  parameters.functions = problem.Gates();
  parameters.norm = problem.attr.rnn_layer_norm;
  if (parameters.norm.given()) {
    const Dim norms = parameters.norm.NumNorms(problem.n_gates);
    parameters.norm_gain = LoadColumns<N>(bound, kNormGain, norms, layer, dir);
    parameters.norm_offset = LoadColumns<N>(bound, kNormOffset, norms, layer, dir);
  }
  return parameters;
}

template <class N>
StackInput<N> LoadStackInput(const N& num, const BoundProblem& bound) {
  StackInput<N> in;
  in.shape = ShapeOf(bound);
  in.cell = CellOf<N>(bound.problem);
  in.parameters = [&num, bound](Dim layer, Dim dir) { return LoadParameters(num, bound, layer, dir); };
  in.src_layer = LoadSequence<N>(bound, kSrcLayer);
  in.src_iter = LoadStates<N>(bound, kSrcIter);
  in.src_iter_c = LoadStates<N>(bound, kSrcIterC);
  in.augru_attention = LoadAttention<N>(bound);
  in.masks = LoadMasks<N>(bound);
  return in;
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_STACK_STACK_INPUT_H_
