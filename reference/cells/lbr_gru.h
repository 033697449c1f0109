// One step of the linear-before-reset GRU cell.
#ifndef TANDEM_REFERENCE_CELLS_LBR_GRU_H_
#define TANDEM_REFERENCE_CELLS_LBR_GRU_H_

#include "reference/cells/gru.h"

namespace tandem {
namespace reference {

template <class N>
struct LbrGruGates {
  GruGates<N> gates;
  typename N::Mat linear;  // what the reset gate is applied to
};

template <class N>
LbrGruGates<N> ComputeLbrGruGates(const N& num, const CellParameters<N>& p, const CellInput<N>& in) {
  using Mat = typename N::Mat;
  const Mat u = num.Sigmoid(GruLinear(num, p, in, GruGate::kUpdate));  // [LBR.1]
  const Mat r = num.Sigmoid(GruLinear(num, p, in, GruGate::kReset));   // [LBR.2]
  const Mat linear = num.Value(num.Dot(p.U[GruGate::kCandidate], in.h_prev) + num.Term(p.B[GruGate::kUPrime]));
  const Mat o = num.Tanh(num.Dot(p.W[GruGate::kCandidate], in.x) + num.Term(r * linear) +
                         num.Term(p.B[GruGate::kCandidate]));  // [LBR.3]
  return {{u, r, o}, linear};
}

// Shapes: x [slc, mb], h_prev [dhc, mb] -> h [dhc, mb].
template <class N>
CellResult<N> LbrGruCell(const N& num, const CellParameters<N>& p, const CellInput<N>& in) {
  const auto [gates, linear] = ComputeLbrGruGates(num, p, in);
  const typename N::Mat h = num.Mix(gates.u, num.Widen(in.h_prev), gates.o);  // [LBR.4]
  return {{gates.u, gates.r, gates.o, {}}, linear, {}, {}, num.StoreState(h)};
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_CELLS_LBR_GRU_H_
