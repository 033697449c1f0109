// One step of the LSTM cell: plain, with peephole, and the projection that may follow either.
#ifndef TANDEM_REFERENCE_CELLS_LSTM_H_
#define TANDEM_REFERENCE_CELLS_LSTM_H_

#include <utility>

#include "reference/cells/cell.h"

namespace tandem {
namespace reference {

// W_g h_{t,l-1} + U_g h_{t-1,l} + B_g, the sum that all four gates begin with.
template <class N>
typename N::Sum LstmLinear(const N& num, const CellParameters<N>& p, const CellInput<N>& in, int gate) {
  return num.Dot(p.W[gate], in.x) + num.Dot(p.U[gate], in.h_prev) + num.Term(p.B[gate]);
}

// Shapes: x [slc, mb], h_prev [sic, mb], c_prev [dhc, mb] -> h, c [dhc, mb].
template <class N>
CellResult<N> LstmCell(const N& num, const CellParameters<N>& p, const CellInput<N>& in) {
  using Mat = typename N::Mat;
  const auto linear = [&](int gate) -> typename N::Sum { return LstmLinear(num, p, in, gate); };
  const Mat i = num.Sigmoid(linear(LstmGate::kInput));         // [LSTM.1]
  const Mat f = num.Sigmoid(linear(LstmGate::kForget));        // [LSTM.2]
  const Mat c_tilde = num.Tanh(linear(LstmGate::kCandidate));  // [LSTM.3]
  const Mat c = f * in.c_prev + i * c_tilde;                   // [LSTM.4]
  const Mat o = num.Sigmoid(linear(LstmGate::kOutput));        // [LSTM.5]
  const Mat h = num.Tanh(c) * o;                               // [LSTM.6]
  CellResult<N> result;
  result.gate = {i, f, c_tilde, o};
  result.c = num.StoreCellState(c);
  result.h = num.StoreState(h);
  return result;
}

// As LstmCell; the gates i and f also see c_{t-1}, the gate o sees c_t as it is before it is stored.
template <class N>
CellResult<N> LstmPeepholeCell(const N& num, const CellParameters<N>& p, const CellInput<N>& in) {
  using Mat = typename N::Mat;
  using Sum = typename N::Sum;
  const auto linear = [&](int gate) -> Sum { return LstmLinear(num, p, in, gate); };
  const auto peephole = [&](int gate, const Mat& c) -> Sum { return num.Term(p.P[gate] * c); };
  const Mat i = num.Sigmoid(linear(LstmGate::kInput) + peephole(LstmPeephole::kInput, in.c_prev));    // [PEEP.1]
  const Mat f = num.Sigmoid(linear(LstmGate::kForget) + peephole(LstmPeephole::kForget, in.c_prev));  // [PEEP.2]
  const Mat c_tilde = num.Tanh(linear(LstmGate::kCandidate));                                         // [PEEP.3]
  const Mat c = f * in.c_prev + i * c_tilde;                                                          // [PEEP.4]
  const Mat o = num.Sigmoid(linear(LstmGate::kOutput) + peephole(LstmPeephole::kOutput, c));          // [PEEP.5]
  const Mat h = num.Tanh(c) * o;                                                                      // [PEEP.6]
  CellResult<N> result;
  result.gate = {i, f, c_tilde, o};
  result.c = num.StoreCellState(c);
  result.h = num.StoreState(h);
  return result;
}

// h [dhc, mb] -> h [dic, mb]. What is projected is a stored state, and so is the result.
template <class N>
CellResult<N> Projected(const N& num, const CellParameters<N>& p, CellResult<N> result) {
  result.h_hat = std::move(result.h);
  result.h = num.StoreState(num.Value(num.Dot(p.R[0], result.h_hat)));  // [PROJ.1]
  return result;
}

template <class N>
CellResult<N> LstmProjectionCell(const N& num, const CellParameters<N>& p, const CellInput<N>& in) {
  return Projected(num, p, LstmCell(num, p, in));
}

template <class N>
CellResult<N> LstmPeepholeProjectionCell(const N& num, const CellParameters<N>& p, const CellInput<N>& in) {
  return Projected(num, p, LstmPeepholeCell(num, p, in));
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_CELLS_LSTM_H_
