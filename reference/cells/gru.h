// One step of the four GRU cells: GRU, linear-before-reset (LBR) GRU, and both with attention (AUGRU, LBR-AUGRU). They
// share the gates u and r and the last equation; they differ in where the reset gate acts and in the weight of the old
// state.
#ifndef TANDEM_REFERENCE_CELLS_GRU_H_
#define TANDEM_REFERENCE_CELLS_GRU_H_

#include "reference/cells/cell.h"

namespace tandem {
namespace reference {

// The reset gate multiplies the state before U_o is applied to it, or U_o h_{t-1} + B_u' afterwards.
enum class Reset { kBeforeLinear, kAfterLinear };
enum class Attention { kNone, kGiven };

// W_g h_{t,l-1} + U_g h_{t-1,l} + B_g: the whole pre-activation of u and r.
template <class N>
typename N::Sum GruLinear(const N& num, const CellParameters<N>& p, const CellInput<N>& in, int gate) {
  return num.Dot(p.W[gate], in.x) + num.Dot(p.U[gate], in.h_prev) + num.Term(p.B[gate]);
}

// o, and what backward needs of its computation.
template <class N>
struct GruCandidate {
  typename N::Mat o;
  typename N::Mat linear;  // U_o h_{t-1} + B_u'; empty where the reset gate acts before U_o
};

template <class N>
GruCandidate<N> ResetBeforeLinear(const N& num, const CellParameters<N>& p, const CellInput<N>& in,
                                  const typename N::Mat& r) {
  const typename N::Mat r_h = num.StoreState(r * num.Widen(in.h_prev));
  GruCandidate<N> candidate;
  candidate.o = num.Tanh(num.Dot(p.W[GruGate::kCandidate], in.x) + num.Dot(p.U[GruGate::kCandidate], r_h) +
                         num.Term(p.B[GruGate::kCandidate]));  // [GRU.3]
  return candidate;
}

template <class N>
GruCandidate<N> ResetAfterLinear(const N& num, const CellParameters<N>& p, const CellInput<N>& in,
                                 const typename N::Mat& r) {
  GruCandidate<N> candidate;
  candidate.linear = num.Value(num.Dot(p.U[GruGate::kCandidate], in.h_prev) + num.Term(p.B[GruGate::kUPrime]));
  candidate.o = num.Tanh(num.Dot(p.W[GruGate::kCandidate], in.x) + num.Term(r * candidate.linear) +
                         num.Term(p.B[GruGate::kCandidate]));  // [LBR.3]
  return candidate;
}

// The weight of the old state under attention. The result of a step keeps u itself: backward needs it.
template <class N>
typename N::Mat AttendedUpdate(const typename N::Mat& a, const typename N::Mat& u) {
  return (typename N::Real(1.0) - a) * u;  // [AUGRU.1]
}

// Shapes: x [slc, mb], h_prev [dhc, mb], a [dhc, mb] -> h [dhc, mb].
template <class N, Reset kReset, Attention kAttention>
CellResult<N> GruCell(const N& num, const CellParameters<N>& p, const CellInput<N>& in) {
  using Mat = typename N::Mat;
  const Mat u = num.Sigmoid(GruLinear(num, p, in, GruGate::kUpdate));  // [GRU.1] [LBR.1]
  const Mat r = num.Sigmoid(GruLinear(num, p, in, GruGate::kReset));   // [GRU.2] [LBR.2]
  GruCandidate<N> candidate =
      kReset == Reset::kBeforeLinear ? ResetBeforeLinear(num, p, in, r) : ResetAfterLinear(num, p, in, r);
  const Mat weight = kAttention == Attention::kGiven ? AttendedUpdate<N>(in.a, u) : u;
  const Mat h = num.Mix(weight, num.Widen(in.h_prev), candidate.o);  // [GRU.4] [LBR.4] [AUGRU.2]
  CellResult<N> result;
  result.gate = {u, r, candidate.o};
  result.linear = std::move(candidate.linear);
  result.h = num.StoreState(h);
  return result;
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_CELLS_GRU_H_
