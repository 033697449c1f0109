// One step of the LSTM cell: plain, with peephole, and the projection that may follow either.
#ifndef TANDEM_REFERENCE_CELLS_LSTM_H_
#define TANDEM_REFERENCE_CELLS_LSTM_H_

#include <utility>

#include "reference/cells/gate_functions.h"
#include "reference/cells/layer_norm.h"

namespace tandem {
namespace reference {

// Shapes: x [slc, mb], h_prev [sic, mb], c_prev [dhc, mb] -> h, c [dhc, mb].
template <class N>
CellResult<N> LstmCell(const N& num, const CellParameters<N>& p, const CellInput<N>& in) {
  using Mat = typename N::Mat;
  const auto [W_i, W_f, W_c, W_o] = LstmGates(p.W);
  const auto [U_i, U_f, U_c, U_o] = LstmGates(p.U);
  const auto [B_i, B_f, B_c, B_o] = LstmGates(p.B);
  const Mat& x = in.x;
  const Mat& h_prev = in.h_prev;
  CellResult<N> result;
  const Gates<N> gates(num, p, &result);

  const Mat i = gates.Recurrent(LstmGate::kInput, num.Dot(W_i, x) + num.Dot(U_i, h_prev) + num.Term(B_i));   // [LSTM.1]
  const Mat f = gates.Forget(LstmGate::kForget, num.Dot(W_f, x) + num.Dot(U_f, h_prev) + num.Term(B_f), i);  // [LSTM.2]
  const Mat c_tilde =
      gates.Candidate(LstmGate::kCandidate, num.Dot(W_c, x) + num.Dot(U_c, h_prev) + num.Term(B_c));         // [LSTM.3]
  const Mat c = KeptCellState(num, p, Mat(f * in.c_prev + i * c_tilde));                                     // [LSTM.4]
  const Mat o = gates.Recurrent(LstmGate::kOutput, num.Dot(W_o, x) + num.Dot(U_o, h_prev) + num.Term(B_o));  // [LSTM.5]
  const Mat h = OutputOf(num, p, ShownCellState(num, p, c)) * o;                                             // [LSTM.6]

  result.gate = {i, f, c_tilde, o};
  result.c = num.StoreCellState(c);
  result.h = num.StoreState(h);
  return result;
}

// It is LstmCell, but that the gates i and f also see c_{t-1}, and the gate o sees c_t before it is stored.
template <class N>
CellResult<N> LstmPeepholeCell(const N& num, const CellParameters<N>& p, const CellInput<N>& in) {
  using Mat = typename N::Mat;
  const auto [W_i, W_f, W_c, W_o] = LstmGates(p.W);
  const auto [U_i, U_f, U_c, U_o] = LstmGates(p.U);
  const auto [B_i, B_f, B_c, B_o] = LstmGates(p.B);
  const auto [P_i, P_f, P_o] = PeepholeGates(p.P);
  const Mat& x = in.x;
  const Mat& h_prev = in.h_prev;
  const Mat& c_prev = in.c_prev;
  CellResult<N> result;
  const Gates<N> gates(num, p, &result);

  const Mat i = gates.Recurrent(
      LstmGate::kInput, num.Dot(W_i, x) + num.Dot(U_i, h_prev) + num.Term(B_i) + num.Term(P_i * c_prev));  // [PEEP.1]
  const Mat f =
      gates.Forget(LstmGate::kForget, num.Dot(W_f, x) + num.Dot(U_f, h_prev) + num.Term(B_f) + num.Term(P_f * c_prev),
                   i);  // [PEEP.2]
  const Mat c_tilde =
      gates.Candidate(LstmGate::kCandidate, num.Dot(W_c, x) + num.Dot(U_c, h_prev) + num.Term(B_c));  // [PEEP.3]
  const Mat c = KeptCellState(num, p, Mat(f * c_prev + i * c_tilde));                                 // [PEEP.4]
  const Mat o = gates.Recurrent(
      LstmGate::kOutput, num.Dot(W_o, x) + num.Dot(U_o, h_prev) + num.Term(B_o) + num.Term(P_o * c));  // [PEEP.5]
  const Mat h = OutputOf(num, p, ShownCellState(num, p, c)) * o;                                       // [PEEP.6]

  result.gate = {i, f, c_tilde, o};
  result.c = num.StoreCellState(c);
  result.h = num.StoreState(h);
  return result;
}

// h^ [dhc, mb] -> h [dic, mb]. What is projected is a stored state, and so is the result. `result` has h^ as its h.
template <class N>
CellResult<N> Projected(const N& num, const CellParameters<N>& p, CellResult<N> result) {
  result.h_hat = std::move(result.h);
  result.h = num.StoreState(num.Value(num.Dot(p.R[0], result.h_hat)));  // [PROJ.1]
  return result;
}

template <class N>
CellResult<N> LstmProjectionCell(const N& num, const CellParameters<N>& p, const CellInput<N>& in) {
  CellResult<N> result = LstmCell(num, p, in);  // h^ for h
  return Projected(num, p, std::move(result));
}

template <class N>
CellResult<N> LstmPeepholeProjectionCell(const N& num, const CellParameters<N>& p, const CellInput<N>& in) {
  CellResult<N> result = LstmPeepholeCell(num, p, in);  // h^ for h
  return Projected(num, p, std::move(result));
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_CELLS_LSTM_H_
