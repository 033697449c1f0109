// One step of the two GRU cells with attention. The attention a_t weakens the update gate; the rest
// is GRU, or GRU with linear before reset.
#ifndef TANDEM_REFERENCE_CELLS_AUGRU_H_
#define TANDEM_REFERENCE_CELLS_AUGRU_H_

#include "reference/cells/gru.h"
#include "reference/cells/lbr_gru.h"

namespace tandem {
namespace reference {

// The gate that weighs the old state. The result of a step keeps u itself: backward needs it.
template <class N>
typename N::Mat AttendedUpdate(const typename N::Mat& a, const typename N::Mat& u) {
  return (typename N::Real(1.0) - a) * u;  // [AUGRU.1]
}

// Shapes: x [slc, mb], h_prev [dhc, mb], a [dhc, mb] -> h [dhc, mb].
template <class N>
CellResult<N> AugruCell(const N& num, const CellParameters<N>& p, const CellInput<N>& in) {
  const auto [u, r, o] = ComputeGruGates(num, p, in);
  const typename N::Mat u_tilde = AttendedUpdate<N>(in.a, u);
  const typename N::Mat h = num.Mix(u_tilde, num.Widen(in.h_prev), o);  // [AUGRU.2]
  return {{u, r, o, {}}, {}, {}, {}, num.StoreState(h)};
}

template <class N>
CellResult<N> LbrAugruCell(const N& num, const CellParameters<N>& p, const CellInput<N>& in) {
  const auto [gates, linear] = ComputeLbrGruGates(num, p, in);
  const typename N::Mat u_tilde = AttendedUpdate<N>(in.a, gates.u);
  const typename N::Mat h = num.Mix(u_tilde, num.Widen(in.h_prev), gates.o);  // [AUGRU.2]
  return {{gates.u, gates.r, gates.o, {}}, linear, {}, {}, num.StoreState(h)};
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_CELLS_AUGRU_H_
