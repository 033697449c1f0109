// Gradient of one step of the GRU cell.
#ifndef TANDEM_REFERENCE_CELLS_GRU_BACKWARD_H_
#define TANDEM_REFERENCE_CELLS_GRU_BACKWARD_H_

#include "reference/cells/cell_backward.h"

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
  const Mat& diff_h = diff.diff_h;
  const GateDeltas<N> deltas(num, p, step.out);
  CellDiffResult<N> result;

  const Mat delta_u = num.StoreDelta(deltas.Recurrent(GruGate::kUpdate, diff_h * (h_prev - o)));        // [GRU.B1]
  const Mat delta_o = num.StoreDelta(deltas.Candidate(GruGate::kCandidate, diff_h * (Real(1.0) - u)));  // [GRU.B2]
  const Mat s = num.Value(num.DotTransposed(U_o, delta_o));                                             // [GRU.B3]
  const Mat delta_r = num.StoreDelta(deltas.Recurrent(GruGate::kReset, s * h_prev));                    // [GRU.B4]

  AddOuterProducts(num, {delta_u, delta_r, delta_o}, x, &grad->W);                   // [GRU.B5]
  AddOuterProducts(num, {delta_u, delta_r}, h_prev, &grad->U);                       // [GRU.B6]
  num.AddOuter(delta_o, num.StoreState(r * h_prev), &grad->U[GruGate::kCandidate]);  // [GRU.B7]
  AddBiasGradients(num, {delta_u, delta_r, delta_o}, &grad->B);                      // [GRU.B8]
  result.diff_x = num.Value(SumOverGates(num, p.W, {delta_u, delta_r, delta_o}));    // [GRU.B9]
  result.diff_h_prev = num.Value(num.Term(diff_h * u) + num.Term(s * r) +
                                 (num.DotTransposed(U_u, delta_u) + num.DotTransposed(U_r, delta_r)));  // [GRU.B10]
  return result;
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_CELLS_GRU_BACKWARD_H_
