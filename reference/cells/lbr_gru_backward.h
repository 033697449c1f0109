// Gradient of one step of the linear-before-reset GRU cell, with attention or without.
#ifndef TANDEM_REFERENCE_CELLS_LBR_GRU_BACKWARD_H_
#define TANDEM_REFERENCE_CELLS_LBR_GRU_BACKWARD_H_

#include <utility>
#include <vector>

#include "reference/cells/gru_backward.h"

namespace tandem {
namespace reference {

template <class N, UpdateGateFunction<N> Update>
CellDiffResult<N> LbrGruBackward(const N& num, const CellParameters<N>& p, const SavedStep<N>& step,
                                 const CellDiffInput<N>& diff, ParameterGradients<N>* grad) {
  using Mat = typename N::Mat;
  const Mat& r = step.out.gate[GruGate::kReset];
  const Mat& o = step.out.gate[GruGate::kCandidate];
  UpdateGateDiff<N> update = Update(num, step, diff.diff_h);
  const Mat unstored_delta_o = CandidateDelta(num, diff.diff_h, update.weight, o);
  const Mat delta_u = num.StoreDelta(update.delta_u);
  const Mat delta_o = num.StoreDelta(unstored_delta_o);
  const Mat delta_r = num.StoreDelta(step.out.linear * unstored_delta_o * num.SigmoidSlope(r));  // [LBR.B1]
  const Mat delta_u_prime = num.StoreDelta(unstored_delta_o * r);                                // [LBR.B2]
  const std::vector<Mat> layer_delta = {delta_u, delta_r, delta_o};
  const std::vector<Mat> iter_delta = {delta_u, delta_r, delta_u_prime};
  AddOuterProducts(num, layer_delta, step.in.x, &grad->W);                      // [LBR.B3]
  AddOuterProducts(num, iter_delta, step.in.h_prev, &grad->U);                  // [LBR.B4]
  AddBiasGradients(num, {delta_u, delta_r, delta_o, delta_u_prime}, &grad->B);  // [LBR.B5]
  CellDiffResult<N> result;
  result.diff_x = num.Value(SumOverGates(num, p.W, layer_delta));  // [LBR.B6]
  result.diff_h_prev =
      num.Value(num.Term(diff.diff_h * update.weight) + SumOverGates(num, p.U, iter_delta));  // [LBR.B7]
  result.diff_a = std::move(update.diff_a);
  return result;
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_CELLS_LBR_GRU_BACKWARD_H_
