// Backward's tensors: the gradients that come in, and those that go out.
#ifndef TANDEM_REFERENCE_STACK_STACK_DIFF_IO_H_
#define TANDEM_REFERENCE_STACK_STACK_DIFF_IO_H_

#include <vector>

#include "reference/stack/stack_backward.h"
#include "reference/stack/stack_output.h"

namespace tandem {
namespace reference {

// All but `saved` and `weights_sink`, which are the caller's.
template <class N>
StackDiffInput<N> LoadStackDiffInput(const N& num, const BoundProblem& bound) {
  StackDiffInput<N> in;
  in.shape = ShapeOf(bound);
  in.cell = SelectCellBackward<N>(bound.problem);
  in.parameters = [&num, bound](Dim layer, Dim dir) { return LoadParameters(num, bound, layer, dir); };
  in.slc = bound.problem.slc;
  in.dic = bound.problem.dic;
  in.diff_dst_layer = LoadSequence<N>(bound, kDiffDstLayer);
  in.diff_dst_iter = LoadStates<N>(bound, kDiffDstIter);
  in.diff_dst_iter_c = LoadStates<N>(bound, kDiffDstIterC);
  in.masks = LoadMasks<N>(bound);
  return in;
}

// The place of one matrix of ParameterGradients in its tensor.
struct GradientPlace {
  Tensor tensor;
  Dim index[5];
  int row_dim;
  int col_dim;
};

// Calls visit(place, matrix) for every gradient of one (l, d)'s weights whose tensor is present. `Gradients` is a
// ParameterGradients, const or not.
template <class Gradients, class Visit>
void ForEachGradient(const RnnProblem& problem, Dim layer, Dim dir, Gradients& grad, Visit visit) {
  const auto visit_gates = [&](Tensor tensor, auto& gates) {
    for (size_t gate = 0; gate < gates.size(); ++gate) {
      visit(GradientPlace{tensor, {layer, dir, 0, static_cast<Dim>(gate), 0}, 4, 2}, gates[gate]);
    }
  };
  const auto visit_columns = [&](Tensor tensor, auto& gates) {
    if (!problem.Has(tensor)) return;
    for (size_t gate = 0; gate < gates.size(); ++gate) {
      visit(GradientPlace{tensor, {layer, dir, static_cast<Dim>(gate), 0, 0}, 3, kSingleColumn}, gates[gate]);
    }
  };
  visit_gates(kDiffWeightsLayer, grad.W);
  visit_gates(kDiffWeightsIter, grad.U);
  visit_columns(kDiffBias, grad.B);
  visit_columns(kDiffWeightsPeephole, grad.P);
  visit_columns(kDiffNormGain, grad.norm_gain);
  visit_columns(kDiffNormOffset, grad.norm_offset);
  for (auto& r : grad.R) visit(GradientPlace{kDiffWeightsProjection, {layer, dir, 0, 0, 0}, 3, 2}, r);
}

// Adds to what the tensors hold, or overwrites it, as the problem's flags say.
template <class N>
void StoreGradients(const BoundProblem& bound, Dim layer, Dim dir, const ParameterGradients<N>& grad) {
  const bool accumulate = bound.problem.diff_weights_mode() == DiffWeightsMode::kAccumulate;
  ForEachGradient(bound.problem, layer, dir, grad, [&](const GradientPlace& place, const auto& gradient) {
    const TensorView view = bound.View(place.tensor);
    Mat<double> sum = gradient.template cast<double>();
    if (accumulate) sum += view.Slice(place.index, place.row_dim, place.col_dim);
    view.StoreSlice(place.index, place.row_dim, place.col_dim, sum);
  });
}

template <class N>
void StoreStackDiffOutput(const BoundProblem& bound, const StackDiffOutput<N>& out) {
  StoreSequence<typename N::Real>(bound, kDiffSrcLayer, out.diff_src_layer);
  StoreStates<typename N::Real>(bound, kDiffSrcIter, out.diff_src_iter);
  StoreStates<typename N::Real>(bound, kDiffSrcIterC, out.diff_src_iter_c);
  if (bound.problem.Has(kDiffAugruAttention)) {
    StoreSequence<typename N::Real>(bound, kDiffAugruAttention, out.diff_augru_attention);
  }
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_STACK_STACK_DIFF_IO_H_
