// Gradient of one step of the GRU cell. The cell with attention differs in its update gate only.
#ifndef TANDEM_REFERENCE_CELLS_GRU_BACKWARD_H_
#define TANDEM_REFERENCE_CELLS_GRU_BACKWARD_H_

#include <utility>
#include <vector>

#include "reference/cells/cell_backward.h"

namespace tandem {
namespace reference {

// The part of the gradient that attention changes.
template <class N>
struct UpdateGateDiff {
  typename N::Mat weight;   // of the old state in h_t: u, or (1 - a) u
  typename N::Mat delta_u;  // [dhc, mb], not yet stored
  typename N::Mat diff_a;   // [1, mb], AUGRU
};

template <class N>
using UpdateGateFunction = UpdateGateDiff<N> (*)(const N&, const SavedStep<N>&, const typename N::Mat& diff_h);

template <class N>
UpdateGateDiff<N> GruUpdateDiff(const N& num, const SavedStep<N>& step, const typename N::Mat& diff_h) {
  const typename N::Mat& u = step.out.gate[GruGate::kUpdate];
  const typename N::Mat& o = step.out.gate[GruGate::kCandidate];
  UpdateGateDiff<N> diff;
  diff.weight = u;
  diff.delta_u = diff_h * (step.in.h_prev - o) * num.SigmoidSlope(u);  // [GRU.B1]
  return diff;
}

// The gradient of o's pre-activation, the same in all four GRU cells.
template <class N>
typename N::Mat CandidateDelta(const N& num, const typename N::Mat& diff_h, const typename N::Mat& weight,
                               const typename N::Mat& o) {
  return diff_h * (typename N::Real(1.0) - weight) * num.TanhSlope(o);  // [GRU.B2]
}

// `Update` is GruUpdateDiff or, with attention, a function of augru_backward.h.
template <class N, UpdateGateFunction<N> Update>
CellDiffResult<N> GruBackward(const N& num, const CellParameters<N>& p, const SavedStep<N>& step,
                              const CellDiffInput<N>& diff, ParameterGradients<N>* grad) {
  using Mat = typename N::Mat;
  const Mat& h_prev = step.in.h_prev;
  const Mat& r = step.out.gate[GruGate::kReset];
  const Mat& o = step.out.gate[GruGate::kCandidate];
  UpdateGateDiff<N> update = Update(num, step, diff.diff_h);
  const Mat delta_u = num.StoreDelta(update.delta_u);
  const Mat delta_o = num.StoreDelta(CandidateDelta(num, diff.diff_h, update.weight, o));
  const Mat diff_r_h = num.Value(num.DotTransposed(p.U[GruGate::kCandidate], delta_o));  // [GRU.B3]
  const Mat delta_r = num.StoreDelta(diff_r_h * h_prev * num.SigmoidSlope(r));           // [GRU.B4]
  const std::vector<Mat> delta = {delta_u, delta_r, delta_o};
  AddOuterProducts(num, delta, step.in.x, &grad->W);                                 // [GRU.B5]
  AddOuterProducts(num, {delta_u, delta_r}, h_prev, &grad->U);                       // [GRU.B6]
  num.AddOuter(delta_o, num.StoreState(r * h_prev), &grad->U[GruGate::kCandidate]);  // [GRU.B7]
  AddBiasGradients(num, delta, &grad->B);                                            // [GRU.B8]
  CellDiffResult<N> result;
  result.diff_x = num.Value(SumOverGates(num, p.W, delta));  // [GRU.B9]
  result.diff_h_prev = num.Value(num.Term(diff.diff_h * update.weight) + num.Term(diff_r_h * r) +
                                 SumOverGates(num, p.U, {delta_u, delta_r}));  // [GRU.B10]
  result.diff_a = std::move(update.diff_a);
  return result;
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_CELLS_GRU_BACKWARD_H_
