// Writes the stack's matrices to the user's tensors, rounded to each tensor's type.
#ifndef TANDEM_REFERENCE_STACK_STACK_OUTPUT_H_
#define TANDEM_REFERENCE_STACK_STACK_OUTPUT_H_

#include <vector>

#include "reference/stack/stack_input.h"

namespace tandem {
namespace reference {

// [t] of [channels, mb] -> {T, N, C}.
template <class Real>
void StoreSequence(const BoundProblem& bound, Tensor tensor, const std::vector<Mat<Real>>& sequence) {
  const TensorView view = bound.View(tensor);
  for (size_t t = 0; t < sequence.size(); ++t) {
    const Dim index[] = {static_cast<Dim>(t), 0, 0};
    view.StoreSlice(index, 2, 1, sequence[t].template cast<double>());
  }
}

// [(l, d)] of [channels, mb] -> {L, D, N, C}. Does nothing if the tensor is absent.
template <class Real>
void StoreStates(const BoundProblem& bound, Tensor tensor, const std::vector<Mat<Real>>& states) {
  if (!bound.problem.Has(tensor)) return;
  const TensorView view = bound.View(tensor);
  for (Dim layer = 0; layer < bound.problem.n_layer; ++layer) {
    for (Dim dir = 0; dir < bound.problem.n_dir; ++dir) {
      const Dim index[] = {layer, dir, 0, 0};
      view.StoreSlice(index, 3, 2,
                      states[static_cast<size_t>(layer * bound.problem.n_dir + dir)].template cast<double>());
    }
  }
}

template <class N>
void StoreStackOutput(const BoundProblem& bound, const StackOutput<N>& out) {
  StoreSequence<typename N::Real>(bound, kDstLayer, out.dst_layer);
  StoreStates<typename N::Real>(bound, kDstIter, out.dst_iter);
  StoreStates<typename N::Real>(bound, kDstIterC, out.dst_iter_c);
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_STACK_STACK_OUTPUT_H_
