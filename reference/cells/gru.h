// One step of the GRU cell: the reset gate r multiplies the state before U_o does.
#ifndef TANDEM_REFERENCE_CELLS_GRU_H_
#define TANDEM_REFERENCE_CELLS_GRU_H_

#include "reference/cells/gate_functions.h"

namespace tandem {
namespace reference {

// Shapes: x [slc, mb], h_prev [dhc, mb] -> h [dhc, mb].
template <class N>
CellResult<N> GruCell(const N& num, const CellParameters<N>& p, const CellInput<N>& in) {
  using Mat = typename N::Mat;
  const auto [W_u, W_r, W_o] = GruGates(p.W);
  const auto [U_u, U_r, U_o] = GruGates(p.U);
  const auto [B_u, B_r, B_o] = GruGates(p.B);
  const Mat& x = in.x;
  const Mat& h_prev = in.h_prev;
  const Mat& h_kept = in.Kept();
  CellResult<N> result;
  const Gates<N> gates(num, p, &result);

  const Mat u = gates.Recurrent(GruGate::kUpdate, num.Dot(W_u, x) + num.Dot(U_u, h_prev) + num.Term(B_u));  // [GRU.1]
  const Mat r = gates.Recurrent(GruGate::kReset, num.Dot(W_r, x) + num.Dot(U_r, h_prev) + num.Term(B_r));   // [GRU.2]
  const Mat r_h = num.StoreState(r * num.Widen(h_prev));
  const Mat o = gates.Candidate(GruGate::kCandidate, num.Dot(W_o, x) + num.Dot(U_o, r_h) + num.Term(B_o));  // [GRU.3]
  const Mat h = num.Mix(u, num.Widen(h_kept), o);  // [GRU.4] u * h' + (1 - u) * o

  result.gate = {u, r, o};
  result.h = num.StoreState(h);
  return result;
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_CELLS_GRU_H_
