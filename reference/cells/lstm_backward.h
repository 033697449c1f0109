// Gradient of one step of the LSTM cell: plain, with peephole, and through the projection that may follow either.
#ifndef TANDEM_REFERENCE_CELLS_LSTM_BACKWARD_H_
#define TANDEM_REFERENCE_CELLS_LSTM_BACKWARD_H_

#include <tuple>
#include <vector>

#include "reference/cells/cell_backward.h"

namespace tandem {
namespace reference {

// The weights' gradients and those of x and h_{t-1}, from the deltas as stored. A peephole does not change them.
template <class N>
CellDiffResult<N> LstmLinearBackward(const N& num, const CellParameters<N>& p, const CellInput<N>& in,
                                     const std::vector<typename N::Mat>& delta, ParameterGradients<N>* grad) {
  AddOuterProducts(num, delta, in.x, &grad->W);       // [LSTM.B7]
  AddOuterProducts(num, delta, in.h_prev, &grad->U);  // [LSTM.B8]
  AddBiasGradients(num, delta, &grad->B);             // [LSTM.B9]
  CellDiffResult<N> result;
  result.diff_x = num.Value(SumOverGates(num, p.W, delta));       // [LSTM.B10]
  result.diff_h_prev = num.Value(SumOverGates(num, p.U, delta));  // [LSTM.B11]
  return result;
}

// What the gate o saw of c_t, and i and f of c_{t-1}, changes diff_c and diff_c_prev: [PEEP.B2] and [PEEP.B3].
template <class N>
CellDiffResult<N> LstmBackward(const N& num, const CellParameters<N>& p, const SavedStep<N>& step,
                               const CellDiffInput<N>& diff, ParameterGradients<N>* grad) {
  using Mat = typename N::Mat;
  const bool has_peephole = !p.P.empty();
  const Mat& c_prev = step.in.c_prev;
  const auto& [i, f, c_tilde, o] = step.out.gate;
  const Mat tanh_c = num.Tanh(step.out.c);
  const Mat delta_o = diff.diff_h * tanh_c * num.SigmoidSlope(o);            // [LSTM.B1] [PEEP.B1]
  Mat diff_c = diff.diff_c + diff.diff_h * o * num.TanhSlope(tanh_c);        // [LSTM.B2]
  if (has_peephole) diff_c = diff_c + delta_o * p.P[LstmPeephole::kOutput];  // [PEEP.B2]
  const Mat delta_f = diff_c * c_prev * num.SigmoidSlope(f);                 // [LSTM.B3]
  const Mat delta_i = diff_c * c_tilde * num.SigmoidSlope(i);                // [LSTM.B4]
  const Mat delta_c_tilde = diff_c * i * num.TanhSlope(c_tilde);             // [LSTM.B5]
  Mat diff_c_prev = diff_c * f;                                              // [LSTM.B6]

  const std::vector<Mat> stored = {num.StoreDelta(delta_i), num.StoreDelta(delta_f), num.StoreDelta(delta_c_tilde),
                                   num.StoreDelta(delta_o)};
  CellDiffResult<N> result = LstmLinearBackward(num, p, step.in, stored, grad);
  if (has_peephole) {
    const auto& [P_i, P_f] = std::tie(p.P[LstmPeephole::kInput], p.P[LstmPeephole::kForget]);
    diff_c_prev = diff_c_prev + delta_f * P_f + delta_i * P_i;                                // [PEEP.B3]
    num.AddColumns(stored[LstmGate::kInput] * c_prev, &grad->P[LstmPeephole::kInput]);        // [PEEP.B4]
    num.AddColumns(stored[LstmGate::kForget] * c_prev, &grad->P[LstmPeephole::kForget]);      // [PEEP.B5]
    num.AddColumns(stored[LstmGate::kOutput] * step.out.c, &grad->P[LstmPeephole::kOutput]);  // [PEEP.B6]
  }
  result.diff_c_prev = std::move(diff_c_prev);
  return result;
}

// As LstmBackward, which gets the gradient of what was projected.
template <class N>
CellDiffResult<N> LstmProjectionBackward(const N& num, const CellParameters<N>& p, const SavedStep<N>& step,
                                         const CellDiffInput<N>& diff, ParameterGradients<N>* grad) {
  const typename N::Mat diff_h = num.StoreDelta(diff.diff_h);
  num.AddOuter(diff_h, step.out.h_hat, &grad->R[0]);  // [PROJ.B1]
  CellDiffInput<N> unprojected;
  unprojected.diff_h = num.Value(num.DotTransposed(p.R[0], diff_h));  // [PROJ.B2]
  unprojected.diff_c = diff.diff_c;
  return LstmBackward(num, p, step, unprojected, grad);
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_CELLS_LSTM_BACKWARD_H_
