// One step of the GRU cell. u_t weighs the old state.
#ifndef TANDEM_REFERENCE_CELLS_GRU_H_
#define TANDEM_REFERENCE_CELLS_GRU_H_

#include "reference/cells/cell.h"

namespace tandem {
namespace reference {

// W_g h_{t,l-1} + U_g h_{t-1,l} + B_g: the whole pre-activation of u and r in every GRU.
template <class N>
typename N::Sum GruLinear(const N& num, const CellParameters<N>& p, const CellInput<N>& in, int gate) {
  return num.Dot(p.W[gate], in.x) + num.Dot(p.U[gate], in.h_prev) + num.Term(p.B[gate]);
}

template <class N>
struct GruGates {
  typename N::Mat u;
  typename N::Mat r;
  typename N::Mat o;
};

template <class N>
GruGates<N> ComputeGruGates(const N& num, const CellParameters<N>& p, const CellInput<N>& in) {
  using Mat = typename N::Mat;
  const Mat h_prev = num.Widen(in.h_prev);
  const Mat u = num.Sigmoid(GruLinear(num, p, in, GruGate::kUpdate));  // [GRU.1]
  const Mat r = num.Sigmoid(GruLinear(num, p, in, GruGate::kReset));   // [GRU.2]
  const Mat r_h = num.StoreState(r * h_prev);
  const Mat o = num.Tanh(num.Dot(p.W[GruGate::kCandidate], in.x) + num.Dot(p.U[GruGate::kCandidate], r_h) +
                         num.Term(p.B[GruGate::kCandidate]));  // [GRU.3]
  return {u, r, o};
}

// Shapes: x [slc, mb], h_prev [dhc, mb] -> h [dhc, mb].
template <class N>
CellResult<N> GruCell(const N& num, const CellParameters<N>& p, const CellInput<N>& in) {
  const auto [u, r, o] = ComputeGruGates(num, p, in);
  const typename N::Mat h = num.Mix(u, num.Widen(in.h_prev), o);  // [GRU.4]
  return {{u, r, o, {}}, {}, {}, {}, num.StoreState(h)};
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_CELLS_GRU_H_
