// Gradients through the norms of a step. Backward normalizes its products again: the workspace keeps no norm.
#ifndef TANDEM_REFERENCE_CELLS_LAYER_NORM_BACKWARD_H_
#define TANDEM_REFERENCE_CELLS_LAYER_NORM_BACKWARD_H_

#include <utility>
#include <vector>

#include "reference/cells/cell_backward.h"
#include "reference/cells/layer_norm.h"

namespace tandem {
namespace reference {

// The gradients of W x and of U h', gate by gate.
template <class N>
struct ProductDeltas {
  std::vector<typename N::Mat> layer, iter;
};

template <class N>
typename N::Mat ThroughGain(const N& num, const CellParameters<N>& p, size_t place, const typename N::Mat& v_hat,
                            const typename N::Mat& delta, ParameterGradients<N>* grad) {
  return ThroughScaled(num, p.norm_gain[place], v_hat, delta, &grad->norm_gain[place], &grad->norm_offset[place]);
}

// From the gradients of Norm(v) to those of v, for one product of the gates from `first` on.
template <class N>
std::vector<typename N::Mat> ThroughNorm(const N& num, const CellParameters<N>& p, NormedProduct product, size_t first,
                                         const Operands<N>& operands, const std::vector<typename N::Mat>& delta,
                                         ParameterGradients<N>* grad) {
  using Mat = typename N::Mat;
  const std::vector<Normalized<N>> of = NormalizedProducts(num, p, product, first, delta.size(), operands);
  std::vector<Mat> diff_v_hat, v_hat, root, diff_v;
  for (size_t i = 0; i < delta.size(); ++i) {
    diff_v_hat.push_back(ThroughGain(num, p, NormPlace(p, product, first + i), of[i].v_hat, delta[i], grad));
    v_hat.push_back(of[i].v_hat);
    root.push_back(of[i].root);
  }
  if (p.norm.scope == NormScope::kRow) {
    const Mat row = ThroughNormalize<N>(num, {Stacked(v_hat), Stacked(root)}, Stacked(diff_v_hat));
    for (size_t i = 0; i < delta.size(); ++i) diff_v.push_back(num.StoreDelta(Part(row, i, delta.size())));
    return diff_v;
  }
  for (size_t i = 0; i < delta.size(); ++i) {
    diff_v.push_back(num.StoreDelta(ThroughNormalize(num, of[i], diff_v_hat[i])));
  }
  return diff_v;
}

// From the gradients of the terms of pre-activations, of the gates from `first` on, to those of the products in them: the same
// where nothing is normalized. `delta.layer` and `delta.iter` differ in the linear-before-reset cells only.
template <class N>
ProductDeltas<N> ThroughNorms(const N& num, const CellParameters<N>& p, const Operands<N>& operands,
                              ProductDeltas<N> delta, ParameterGradients<N>* grad, size_t first = 0) {
  if (p.norm.kind == NormKind::kNone) return delta;
  delta.layer = ThroughNorm(num, p, NormedProduct::kLayer, first, operands, delta.layer, grad);
  if (p.norm.kind == NormKind::kSum) return {delta.layer, delta.layer};
  delta.iter = ThroughNorm(num, p, NormedProduct::kIter, first, operands, delta.iter, grad);
  return delta;
}

// From the gradient of a normalized c_t to that of c_t before.
template <class N>
typename N::Mat ThroughCellNorm(const N& num, const CellParameters<N>& p, const typename N::Mat& c,
                                const typename N::Mat& diff, ParameterGradients<N>* grad) {
  const Normalized<N> of = Normalize(num, c, p.norm.epsilon);
  return ThroughNormalize(num, of, ThroughGain(num, p, p.norm_gain.size() - 1, of.v_hat, diff, grad));
}

// The gradient that comes from tanh(c_t), as one of c_t.
template <class N>
typename N::Mat ThroughShownCellState(const N& num, const CellParameters<N>& p, const SavedStep<N>& step,
                                      const typename N::Mat& diff, ParameterGradients<N>* grad) {
  return p.norm.cell == CellNorm::kOutput ? ThroughCellNorm(num, p, step.out.c, diff, grad) : diff;
}
// The whole gradient of c_t, as that of f * c' + i * c~, which the saved gates give again.
template <class N>
typename N::Mat ThroughKeptCellState(const N& num, const CellParameters<N>& p, const SavedStep<N>& step,
                                     const typename N::Mat& diff, ParameterGradients<N>* grad) {
  if (p.norm.cell != CellNorm::kState) return diff;
  const auto [i, f, c_tilde, o] = LstmGates(step.out.gate);
  return ThroughCellNorm(num, p, typename N::Mat(f * step.in.c_prev + i * c_tilde), diff, grad);
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_CELLS_LAYER_NORM_BACKWARD_H_
