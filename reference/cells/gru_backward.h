// Gradient of one step of the GRU cell.
#ifndef TANDEM_REFERENCE_CELLS_GRU_BACKWARD_H_
#define TANDEM_REFERENCE_CELLS_GRU_BACKWARD_H_

#include "reference/cells/layer_norm_backward.h"

namespace tandem {
namespace reference {

template <class N>
CellDiffResult<N> GruBackward(const N& num, const CellParameters<N>& p, const SavedStep<N>& step,
                              const CellDiffInput<N>& diff, ParameterGradients<N>* grad) {
  using Mat = typename N::Mat;
  using Real = typename N::Real;
  const auto [U_u, U_r, U_o] = GruGates(p.U);
  const auto [u, r, o] = GruGates(step.out.gate);
  const Mat& x = step.in.x;
  const Mat& h_prev = step.in.h_prev;
  const Mat& h_kept = step.in.Kept();
  const Mat& diff_h = diff.diff_h;
  const GateDeltas<N> deltas(num, p, step.out);
  CellDiffResult<N> result;

  const Mat delta_u = num.StoreDelta(deltas.Recurrent(GruGate::kUpdate, diff_h * (h_kept - o)));        // [GRU.B1]
  const Mat delta_o = num.StoreDelta(deltas.Candidate(GruGate::kCandidate, diff_h * (Real(1.0) - u)));  // [GRU.B2]
  const Mat r_h = num.StoreState(r * h_prev);
  const ProductDeltas<N> through_o = ThroughNorms(num, p, {x, r_h}, {{delta_o}, {delta_o}}, grad, GruGate::kCandidate);
  const Mat s = num.Value(num.DotTransposed(U_o, through_o.iter[0]));                 // [GRU.B3]
  const Mat delta_r = num.StoreDelta(deltas.Recurrent(GruGate::kReset, s * h_prev));  // [GRU.B4]
  const std::vector<Mat> delta_u_r = {delta_u, delta_r};
  const ProductDeltas<N> through = ThroughNorms(num, p, {x, h_prev}, {delta_u_r, delta_u_r}, grad);
  const std::vector<Mat> through_layer = {through.layer[0], through.layer[1], through_o.layer[0]};

  AddOuterProducts(num, through_layer, x, &grad->W);                    // [GRU.B5]
  AddOuterProducts(num, through.iter, h_prev, &grad->U);                // [GRU.B6]
  num.AddOuter(through_o.iter[0], r_h, &grad->U[GruGate::kCandidate]);  // [GRU.B7]
  AddBiasGradients(num, {delta_u, delta_r, delta_o}, &grad->B);         // [GRU.B8]
  result.diff_x = num.Value(SumOverGates(num, p.W, through_layer));     // [GRU.B9]
  result.diff_h_prev = num.Value(
      num.Term(diff_h * u) + ThroughMask(num, step.in, num.Term(s * r)) +
      ThroughMask(num, step.in,
                  num.DotTransposed(U_u, through.iter[0]) + num.DotTransposed(U_r, through.iter[1])));  // [GRU.B10]
  return result;
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_CELLS_GRU_BACKWARD_H_
