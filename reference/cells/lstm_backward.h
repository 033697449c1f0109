// Gradient of one step of the LSTM cell: plain, with peephole, and through the projection that may follow either.
#ifndef TANDEM_REFERENCE_CELLS_LSTM_BACKWARD_H_
#define TANDEM_REFERENCE_CELLS_LSTM_BACKWARD_H_

#include <utility>
#include <vector>

#include "reference/cells/layer_norm_backward.h"

namespace tandem {
namespace reference {

// The weights' gradients and those of x and h_{t-1}, from the deltas as stored. A peephole does not change them.
template <class N>
CellDiffResult<N> ThroughLstmProducts(const N& num, const CellParameters<N>& p, const CellInput<N>& in,
                                      const std::vector<typename N::Mat>& delta, ParameterGradients<N>* grad) {
  const ProductDeltas<N> through = ThroughNorms(num, p, {in.x, in.h_prev}, {delta, delta}, grad);
  CellDiffResult<N> result;
  AddOuterProducts(num, through.layer, in.x, &grad->W);                                        // [LSTM.B7]
  AddOuterProducts(num, through.iter, in.h_prev, &grad->U);                                    // [LSTM.B8]
  AddBiasGradients(num, delta, &grad->B);                                                      // [LSTM.B9]
  result.diff_x = num.Value(SumOverGates(num, p.W, through.layer));                            // [LSTM.B10]
  result.diff_h_prev = num.Value(ThroughMask(num, in, SumOverGates(num, p.U, through.iter)));  // [LSTM.B11]
  return result;
}

template <class N>
CellDiffResult<N> LstmBackward(const N& num, const CellParameters<N>& p, const SavedStep<N>& step,
                               const CellDiffInput<N>& diff, ParameterGradients<N>* grad) {
  using Mat = typename N::Mat;
  const auto [i, f, c_tilde, o] = LstmGates(step.out.gate);
  const Mat& c_prev = step.in.c_prev;
  const Mat& diff_h = diff.diff_h;
  const GateDeltas<N> deltas(num, p, step.out);
  const Mat shown_c = ShownCellState(num, p, step.out.c);
  const Mat tanh_c = OutputOf(num, p, shown_c);

  const Mat delta_o = deltas.Recurrent(LstmGate::kOutput, diff_h * tanh_c);  // [LSTM.B1]
  const Mat diff_shown_c = diff_h * o * deltas.OutputSlope(shown_c, tanh_c);
  Mat diff_c = diff.diff_c + ThroughShownCellState(num, p, step, diff_shown_c, grad);  // [LSTM.B2]
  diff_c = ThroughKeptCellState(num, p, step, diff_c, grad);
  const Mat diff_f = diff_c * c_prev, diff_i = diff_c * c_tilde;
  const Mat delta_f = deltas.Forget(LstmGate::kForget, diff_f);                  // [LSTM.B3]
  const Mat delta_i = deltas.Input(LstmGate::kInput, diff_i, diff_f);            // [LSTM.B4]
  const Mat delta_c_tilde = deltas.Candidate(LstmGate::kCandidate, diff_c * i);  // [LSTM.B5]
  const Mat diff_c_prev = diff_c * f;                                            // [LSTM.B6]

  const std::vector<Mat> stored = {num.StoreDelta(delta_i), num.StoreDelta(delta_f), num.StoreDelta(delta_c_tilde),
                                   num.StoreDelta(delta_o)};
  CellDiffResult<N> result = ThroughLstmProducts(num, p, step.in, stored, grad);
  result.diff_c_prev = diff_c_prev;
  return result;
}

// It is LstmBackward, but that the gradient of what the gate o saw of c_t, and i and f of c_{t-1}, joins diff_c and diff_c_prev.
template <class N>
CellDiffResult<N> LstmPeepholeBackward(const N& num, const CellParameters<N>& p, const SavedStep<N>& step,
                                       const CellDiffInput<N>& diff, ParameterGradients<N>* grad) {
  using Mat = typename N::Mat;
  const auto [i, f, c_tilde, o] = LstmGates(step.out.gate);
  const auto [P_i, P_f, P_o] = PeepholeGates(p.P);
  const Mat& c = step.out.c;
  const Mat& c_prev = step.in.c_prev;
  const Mat& diff_h = diff.diff_h;
  const GateDeltas<N> deltas(num, p, step.out);
  const Mat shown_c = ShownCellState(num, p, c);
  const Mat tanh_c = OutputOf(num, p, shown_c);

  const Mat delta_o = deltas.Recurrent(LstmGate::kOutput, diff_h * tanh_c);  // [PEEP.B1]
  const Mat diff_shown_c = diff_h * o * deltas.OutputSlope(shown_c, tanh_c);
  Mat diff_c = diff.diff_c + ThroughShownCellState(num, p, step, diff_shown_c, grad);  // [LSTM.B2]
  diff_c = diff_c + delta_o * P_o;                                                     // [PEEP.B2]
  diff_c = ThroughKeptCellState(num, p, step, diff_c, grad);
  const Mat diff_f = diff_c * c_prev, diff_i = diff_c * c_tilde;
  const Mat delta_f = deltas.Forget(LstmGate::kForget, diff_f);                  // [LSTM.B3]
  const Mat delta_i = deltas.Input(LstmGate::kInput, diff_i, diff_f);            // [LSTM.B4]
  const Mat delta_c_tilde = deltas.Candidate(LstmGate::kCandidate, diff_c * i);  // [LSTM.B5]
  Mat diff_c_prev = diff_c * f;                                                  // [LSTM.B6]
  diff_c_prev = diff_c_prev + delta_f * P_f + delta_i * P_i;                     // [PEEP.B3]

  const std::vector<Mat> stored = {num.StoreDelta(delta_i), num.StoreDelta(delta_f), num.StoreDelta(delta_c_tilde),
                                   num.StoreDelta(delta_o)};
  CellDiffResult<N> result = ThroughLstmProducts(num, p, step.in, stored, grad);
  num.AddColumns(stored[LstmGate::kInput] * c_prev, &grad->P[LstmPeephole::kInput]);    // [PEEP.B4]
  num.AddColumns(stored[LstmGate::kForget] * c_prev, &grad->P[LstmPeephole::kForget]);  // [PEEP.B5]
  num.AddColumns(stored[LstmGate::kOutput] * c, &grad->P[LstmPeephole::kOutput]);       // [PEEP.B6]
  result.diff_c_prev = std::move(diff_c_prev);
  return result;
}

// The gradient of what was projected, as a diff_h.
template <class N>
CellDiffInput<N> ThroughProjection(const N& num, const CellParameters<N>& p, const SavedStep<N>& step,
                                   const CellDiffInput<N>& diff, ParameterGradients<N>* grad) {
  using Mat = typename N::Mat;
  const Mat diff_h = num.StoreDelta(diff.diff_h);
  num.AddOuter(diff_h, step.out.h_hat, &grad->R[0]);                    // [PROJ.B1]
  const Mat diff_h_hat = num.Value(num.DotTransposed(p.R[0], diff_h));  // [PROJ.B2]
  return {diff_h_hat, diff.diff_c};
}

template <class N>
CellDiffResult<N> LstmProjectionBackward(const N& num, const CellParameters<N>& p, const SavedStep<N>& step,
                                         const CellDiffInput<N>& diff, ParameterGradients<N>* grad) {
  const CellDiffInput<N> unprojected = ThroughProjection(num, p, step, diff, grad);
  return LstmBackward(num, p, step, unprojected, grad);  // dh^ for dh
}

template <class N>
CellDiffResult<N> LstmPeepholeProjectionBackward(const N& num, const CellParameters<N>& p, const SavedStep<N>& step,
                                                 const CellDiffInput<N>& diff, ParameterGradients<N>* grad) {
  const CellDiffInput<N> unprojected = ThroughProjection(num, p, step, diff, grad);
  return LstmPeepholeBackward(num, p, step, unprojected, grad);  // dh^ for dh
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_CELLS_LSTM_BACKWARD_H_
