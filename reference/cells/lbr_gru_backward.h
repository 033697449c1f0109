// Gradient of one step of the linear-before-reset GRU cell.
#ifndef TANDEM_REFERENCE_CELLS_LBR_GRU_BACKWARD_H_
#define TANDEM_REFERENCE_CELLS_LBR_GRU_BACKWARD_H_

#include "reference/cells/layer_norm_backward.h"

namespace tandem {
namespace reference {

template <class N>
CellDiffResult<N> LbrGruBackward(const N& num, const CellParameters<N>& p, const SavedStep<N>& step,
                                 const CellDiffInput<N>& diff, ParameterGradients<N>* grad) {
  using Mat = typename N::Mat;
  using Real = typename N::Real;
  const auto [U_u, U_r, U_o] = GruGates(p.U);
  const auto [u, r, o] = GruGates(step.out.gate);
  const Mat& linear = step.out.linear;
  const Mat& x = step.in.x;
  const Mat& h_prev = step.in.h_prev;
  const Mat& h_kept = step.in.Kept();
  const Mat& diff_h = diff.diff_h;
  const GateDeltas<N> deltas(num, p, step.out);
  CellDiffResult<N> result;

  const Mat delta_u = num.StoreDelta(deltas.Recurrent(GruGate::kUpdate, diff_h * (h_kept - o)));  // [GRU.B1]
  const Mat delta_o = deltas.Candidate(GruGate::kCandidate, diff_h * (Real(1.0) - u));            // [GRU.B2]
  const Mat delta_r = num.StoreDelta(deltas.Recurrent(GruGate::kReset, linear * delta_o));        // [LBR.B1]
  const Mat delta_u_prime = num.StoreDelta(delta_o * r);                                          // [LBR.B2]
  const Mat stored_delta_o = num.StoreDelta(delta_o);
  const ProductDeltas<N> through =
      ThroughNorms(num, p, {x, h_prev}, {{delta_u, delta_r, stored_delta_o}, {delta_u, delta_r, delta_u_prime}}, grad);
  const auto [iter_u, iter_r, iter_o] = GruGates(through.iter);

  AddOuterProducts(num, through.layer, x, &grad->W);                                   // [LBR.B3]
  AddOuterProducts(num, through.iter, h_prev, &grad->U);                               // [LBR.B4]
  AddBiasGradients(num, {delta_u, delta_r, stored_delta_o, delta_u_prime}, &grad->B);  // [LBR.B5]
  result.diff_x = num.Value(SumOverGates(num, p.W, through.layer));                    // [LBR.B6]
  result.diff_h_prev =
      num.Value(num.Term(diff_h * u) + ThroughMask(num, step.in,
                                                   num.DotTransposed(U_u, iter_u) + num.DotTransposed(U_r, iter_r) +
                                                       num.DotTransposed(U_o, iter_o)));  // [LBR.B7]
  return result;
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_CELLS_LBR_GRU_BACKWARD_H_
