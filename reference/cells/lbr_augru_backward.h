// Gradient of one step of the linear-before-reset GRU cell with attention.
#ifndef TANDEM_REFERENCE_CELLS_LBR_AUGRU_BACKWARD_H_
#define TANDEM_REFERENCE_CELLS_LBR_AUGRU_BACKWARD_H_

#include "reference/cells/cell_backward.h"

namespace tandem {
namespace reference {

// Reading `spec` (docs/readings.md): the gradient of the forward equations.
template <class N>
CellDiffResult<N> LbrAugruBackward(const N& num, const CellParameters<N>& p, const SavedStep<N>& step,
                                   const CellDiffInput<N>& diff, ParameterGradients<N>* grad) {
  using Mat = typename N::Mat;
  using Real = typename N::Real;
  const auto [U_u, U_r, U_o] = GruGates(p.U);
  const auto [u, r, o] = GruGates(step.out.gate);
  const Mat& linear = step.out.linear;
  const Mat& x = step.in.x;
  const Mat& h_prev = step.in.h_prev;
  const Mat& h_kept = step.in.Kept();
  const Mat& a = step.in.a;
  const Mat& diff_h = diff.diff_h;
  CellDiffResult<N> result;

  const Mat u_tilde = (Real(1.0) - a) * u;                                                   // [AUGRU.1]
  const Mat diff_u_tilde = diff_h * (h_kept - o);                                            // [AUGRU.B1]
  const Mat delta_u = num.StoreDelta(diff_u_tilde * (Real(1.0) - a) * num.SigmoidSlope(u));  // [AUGRU.B2]
  result.diff_a = num.SumChannels(-diff_u_tilde * u);                                        // [AUGRU.B3]
  const Mat delta_o = diff_h * (Real(1.0) - u_tilde) * num.TanhSlope(o);                     // [GRU.B2], u~ for u
  const Mat delta_r = num.StoreDelta(linear * delta_o * num.SigmoidSlope(r));                // [LBR.B1]
  const Mat delta_u_prime = num.StoreDelta(delta_o * r);                                     // [LBR.B2]
  const Mat stored_delta_o = num.StoreDelta(delta_o);

  AddOuterProducts(num, {delta_u, delta_r, stored_delta_o}, x, &grad->W);                 // [LBR.B3]
  AddOuterProducts(num, {delta_u, delta_r, delta_u_prime}, h_prev, &grad->U);             // [LBR.B4]
  AddBiasGradients(num, {delta_u, delta_r, stored_delta_o, delta_u_prime}, &grad->B);     // [LBR.B5]
  result.diff_x = num.Value(SumOverGates(num, p.W, {delta_u, delta_r, stored_delta_o}));  // [LBR.B6]
  result.diff_h_prev = num.Value(num.Term(diff_h * u_tilde) +
                                 ThroughMask(num, step.in,
                                             num.DotTransposed(U_u, delta_u) + num.DotTransposed(U_r, delta_r) +
                                                 num.DotTransposed(U_o, delta_u_prime)));  // [LBR.B7], u~ for u
  return result;
}

// Reading `onednn`, as in augru_backward.h.
template <class N>
CellDiffResult<N> OnednnLbrAugruBackward(const N& num, const CellParameters<N>& p, const SavedStep<N>& step,
                                         const CellDiffInput<N>& diff, ParameterGradients<N>* grad) {
  using Mat = typename N::Mat;
  using Real = typename N::Real;
  const auto [U_u, U_r, U_o] = GruGates(p.U);
  const auto [u, r, o] = GruGates(step.out.gate);
  const Mat& linear = step.out.linear;
  const Mat& x = step.in.x;
  const Mat& h_prev = step.in.h_prev;
  const Mat& h_kept = step.in.Kept();
  const Mat& a = step.in.a;
  const Mat& diff_h = diff.diff_h;
  CellDiffResult<N> result;

  const Mat t = diff_h * (h_kept - o) * num.SigmoidSlope(u);                   // [AUGRU.B4]
  const Mat delta_u = num.StoreDelta(t * (Real(1.0) - a));                     // [AUGRU.B5]
  result.diff_a = num.SumChannels(-t * u);                                     // [AUGRU.B6]
  const Mat delta_o = diff_h * (Real(1.0) - u) * num.TanhSlope(o);             // [GRU.B2]
  const Mat delta_r = num.StoreDelta(linear * delta_o * num.SigmoidSlope(r));  // [LBR.B1]
  const Mat delta_u_prime = num.StoreDelta(delta_o * r);                       // [LBR.B2]
  const Mat stored_delta_o = num.StoreDelta(delta_o);

  AddOuterProducts(num, {delta_u, delta_r, stored_delta_o}, x, &grad->W);                 // [LBR.B3]
  AddOuterProducts(num, {delta_u, delta_r, delta_u_prime}, h_prev, &grad->U);             // [LBR.B4]
  AddBiasGradients(num, {delta_u, delta_r, stored_delta_o, delta_u_prime}, &grad->B);     // [LBR.B5]
  result.diff_x = num.Value(SumOverGates(num, p.W, {delta_u, delta_r, stored_delta_o}));  // [LBR.B6]
  result.diff_h_prev =
      num.Value(num.Term(diff_h * u) + ThroughMask(num, step.in,
                                                   num.DotTransposed(U_u, delta_u) + num.DotTransposed(U_r, delta_r) +
                                                       num.DotTransposed(U_o, delta_u_prime)));  // [LBR.B7]
  return result;
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_CELLS_LBR_AUGRU_BACKWARD_H_
