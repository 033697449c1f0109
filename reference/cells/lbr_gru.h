// One step of the linear-before-reset GRU cell: the reset gate r multiplies U_o h_{t-1} and its own bias B_u'.
#ifndef TANDEM_REFERENCE_CELLS_LBR_GRU_H_
#define TANDEM_REFERENCE_CELLS_LBR_GRU_H_

#include "reference/cells/gate_functions.h"

namespace tandem {
namespace reference {

// Shapes: x [slc, mb], h_prev [dhc, mb] -> h [dhc, mb].
template <class N>
CellResult<N> LbrGruCell(const N& num, const CellParameters<N>& p, const CellInput<N>& in) {
  using Mat = typename N::Mat;
  const auto [W_u, W_r, W_o] = GruGates(p.W);
  const auto [U_u, U_r, U_o] = GruGates(p.U);
  const auto [B_u, B_r, B_o] = GruGates(p.B);
  const Mat& B_u_prime = p.B[GruGate::kUPrime];
  const Mat& x = in.x;
  const Mat& h_prev = in.h_prev;
  const Mat& h_kept = in.Kept();
  CellResult<N> result;
  const Gates<N> gates(num, p, &result);

  const Mat u = gates.Recurrent(GruGate::kUpdate, num.Dot(W_u, x) + num.Dot(U_u, h_prev) + num.Term(B_u));  // [LBR.1]
  const Mat r = gates.Recurrent(GruGate::kReset, num.Dot(W_r, x) + num.Dot(U_r, h_prev) + num.Term(B_r));   // [LBR.2]
  const Mat linear = num.Value(num.Dot(U_o, h_prev) + num.Term(B_u_prime));
  const Mat o =
      gates.Candidate(GruGate::kCandidate, num.Dot(W_o, x) + num.Term(r * linear) + num.Term(B_o));  // [LBR.3]
  const Mat h = num.Mix(u, num.Widen(h_kept), o);  // [LBR.4] u * h' + (1 - u) * o

  result.gate = {u, r, o};
  result.linear = linear;
  result.h = num.StoreState(h);
  return result;
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_CELLS_LBR_GRU_H_
