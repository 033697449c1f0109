// One step of the vanilla RNN cell.
#ifndef TANDEM_REFERENCE_CELLS_VANILLA_RNN_H_
#define TANDEM_REFERENCE_CELLS_VANILLA_RNN_H_

#include <tuple>

#include "reference/cells/gate_functions.h"

namespace tandem {
namespace reference {

// Shapes: x [slc, mb], h_prev [sic, mb] -> h [dhc, mb].
template <class N>
CellResult<N> VanillaRnnCell(const N& num, const CellParameters<N>& p, const CellInput<N>& in) {
  const auto [W, U, B] = std::tie(p.W[VanillaGate::kOnly], p.U[VanillaGate::kOnly], p.B[VanillaGate::kOnly]);
  const typename N::Sum a = num.Dot(W, in.x) + num.Dot(U, in.h_prev) + num.Term(B);     // [RNN.1]
  const typename N::Mat h = Activate(num, p.activation, Clipped(num, p.functions, a));  // [RNN.2]
  CellResult<N> result;
  result.linear = num.Value(a);
  result.h = num.StoreState(h);
  return result;
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_CELLS_VANILLA_RNN_H_
