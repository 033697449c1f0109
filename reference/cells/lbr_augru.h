// One step of the linear-before-reset GRU cell with attention: a scales the update gate. The result keeps u itself,
// which backward needs.
#ifndef TANDEM_REFERENCE_CELLS_LBR_AUGRU_H_
#define TANDEM_REFERENCE_CELLS_LBR_AUGRU_H_

#include "reference/cells/cell.h"

namespace tandem {
namespace reference {

// Shapes: x [slc, mb], h_prev [dhc, mb], a [dhc, mb] -> h [dhc, mb].
template <class N>
CellResult<N> LbrAugruCell(const N& num, const CellParameters<N>& p, const CellInput<N>& in) {
  using Mat = typename N::Mat;
  using Real = typename N::Real;
  const auto [W_u, W_r, W_o] = GruGates(p.W);
  const auto [U_u, U_r, U_o] = GruGates(p.U);
  const auto [B_u, B_r, B_o] = GruGates(p.B);
  const Mat& B_u_prime = p.B[GruGate::kUPrime];
  const Mat& x = in.x;
  const Mat& h_prev = in.h_prev;
  const Mat& h_kept = in.Kept();

  const Mat u = num.Sigmoid(num.Dot(W_u, x) + num.Dot(U_u, h_prev) + num.Term(B_u));  // [LBR.1]
  const Mat r = num.Sigmoid(num.Dot(W_r, x) + num.Dot(U_r, h_prev) + num.Term(B_r));  // [LBR.2]
  const Mat linear = num.Value(num.Dot(U_o, h_prev) + num.Term(B_u_prime));
  const Mat o = num.Tanh(num.Dot(W_o, x) + num.Term(r * linear) + num.Term(B_o));  // [LBR.3]
  const Mat u_tilde = (Real(1.0) - in.a) * u;                                      // [AUGRU.1]
  const Mat h = num.Mix(u_tilde, num.Widen(h_kept), o);                            // [AUGRU.2] u~ * h' + (1 - u~) * o

  CellResult<N> result;
  result.gate = {u, r, o};
  result.linear = linear;
  result.h = num.StoreState(h);
  return result;
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_CELLS_LBR_AUGRU_H_
