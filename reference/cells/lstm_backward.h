// Gradient of one step of the LSTM cell: plain, with peephole, and through the projection that may
// follow either.
#ifndef TANDEM_REFERENCE_CELLS_LSTM_BACKWARD_H_
#define TANDEM_REFERENCE_CELLS_LSTM_BACKWARD_H_

#include <tuple>
#include <vector>

#include "reference/cells/cell_backward.h"

namespace tandem {
namespace reference {

// The gradient of c_t that comes through h_t and from step t + 1.
template <class N>
typename N::Mat DiffCellState(const N& num, const CellDiffInput<N>& diff, const typename N::Mat& o,
                              const typename N::Mat& tanh_c) {
  return diff.diff_c + diff.diff_h * o * num.TanhSlope(tanh_c);  // [LSTM.B2]
}

// Once the gates' deltas are known: the linear part of the cell, which a peephole does not change.
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

// delta_i, delta_f, delta_c~ from diff_c, and delta_o; not yet stored.
template <class N>
std::vector<typename N::Mat> LstmDeltas(const N& num, const SavedStep<N>& step, const typename N::Mat& diff_c,
                                        const typename N::Mat& delta_o) {
  using Mat = typename N::Mat;
  const auto& [i, f, c_tilde, o] = step.out.gate;
  const Mat delta_f = diff_c * step.in.c_prev * num.SigmoidSlope(f);  // [LSTM.B3]
  const Mat delta_i = diff_c * c_tilde * num.SigmoidSlope(i);         // [LSTM.B4]
  const Mat delta_c_tilde = diff_c * i * num.TanhSlope(c_tilde);      // [LSTM.B5]
  return {delta_i, delta_f, delta_c_tilde, delta_o};
}

template <class N>
std::vector<typename N::Mat> StoreDeltas(const N& num, std::vector<typename N::Mat> delta) {
  for (typename N::Mat& gate : delta) gate = num.StoreDelta(gate);
  return delta;
}

template <class N>
CellDiffResult<N> LstmBackward(const N& num, const CellParameters<N>& p, const SavedStep<N>& step,
                               const CellDiffInput<N>& diff, ParameterGradients<N>* grad) {
  using Mat = typename N::Mat;
  const auto& [i, f, c_tilde, o] = step.out.gate;
  const Mat tanh_c = num.Tanh(step.out.c);
  const Mat delta_o = diff.diff_h * tanh_c * num.SigmoidSlope(o);  // [LSTM.B1]
  const Mat diff_c = DiffCellState(num, diff, o, tanh_c);
  const std::vector<Mat> delta = LstmDeltas(num, step, diff_c, delta_o);
  CellDiffResult<N> result = LstmLinearBackward(num, p, step.in, StoreDeltas(num, delta), grad);
  result.diff_c_prev = diff_c * f;  // [LSTM.B6]
  return result;
}

// As LstmBackward; o saw c_t, and i and f saw c_{t-1}, so gradients flow back to both.
template <class N>
CellDiffResult<N> LstmPeepholeBackward(const N& num, const CellParameters<N>& p, const SavedStep<N>& step,
                                       const CellDiffInput<N>& diff, ParameterGradients<N>* grad) {
  using Mat = typename N::Mat;
  const auto& [P_i, P_f, P_o] =
      std::tie(p.P[LstmPeephole::kInput], p.P[LstmPeephole::kForget], p.P[LstmPeephole::kOutput]);
  const auto& [i, f, c_tilde, o] = step.out.gate;
  const Mat tanh_c = num.Tanh(step.out.c);
  const Mat delta_o = diff.diff_h * tanh_c * num.SigmoidSlope(o);          // [PEEP.B1]
  const Mat diff_c = DiffCellState(num, diff, o, tanh_c) + delta_o * P_o;  // [PEEP.B2]
  const std::vector<Mat> delta = LstmDeltas(num, step, diff_c, delta_o);
  const std::vector<Mat> stored = StoreDeltas(num, delta);
  CellDiffResult<N> result = LstmLinearBackward(num, p, step.in, stored, grad);
  const Mat& delta_i = delta[LstmGate::kInput];
  const Mat& delta_f = delta[LstmGate::kForget];
  result.diff_c_prev = diff_c * f + delta_f * P_f + delta_i * P_i;  // [PEEP.B3]
  num.AddColumns(stored[LstmGate::kInput] * step.in.c_prev,
                 &grad->P[LstmPeephole::kInput]);  // [PEEP.B4]
  num.AddColumns(stored[LstmGate::kForget] * step.in.c_prev,
                 &grad->P[LstmPeephole::kForget]);  // [PEEP.B5]
  num.AddColumns(stored[LstmGate::kOutput] * step.out.c,
                 &grad->P[LstmPeephole::kOutput]);  // [PEEP.B6]
  return result;
}

// `Inner` is LstmBackward or LstmPeepholeBackward: it gets the gradient of what was projected.
template <class N, CellBackwardFunction<N> Inner>
CellDiffResult<N> ProjectionBackward(const N& num, const CellParameters<N>& p, const SavedStep<N>& step,
                                     const CellDiffInput<N>& diff, ParameterGradients<N>* grad) {
  const typename N::Mat diff_h = num.StoreDelta(diff.diff_h);
  num.AddOuter(diff_h, step.out.h_hat, &grad->R[0]);                                // [PROJ.B1]
  const typename N::Mat diff_h_hat = num.Value(num.DotTransposed(p.R[0], diff_h));  // [PROJ.B2]
  return Inner(num, p, step, {diff_h_hat, diff.diff_c}, grad);
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_CELLS_LSTM_BACKWARD_H_
