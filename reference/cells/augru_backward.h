// What attention changes in the gradient of a GRU step: the update gate, and the gradient of the attention itself.
#ifndef TANDEM_REFERENCE_CELLS_AUGRU_BACKWARD_H_
#define TANDEM_REFERENCE_CELLS_AUGRU_BACKWARD_H_

#include "reference/cells/gru.h"
#include "reference/cells/gru_backward.h"

namespace tandem {
namespace reference {

// Reading `spec` (docs/readings.md): the gradient of the forward equations.
template <class N>
UpdateGateDiff<N> AugruUpdateDiff(const N& num, const SavedStep<N>& step, const typename N::Mat& diff_h) {
  using Mat = typename N::Mat;
  using Real = typename N::Real;
  const Mat& u = step.out.gate[GruGate::kUpdate];
  const Mat& o = step.out.gate[GruGate::kCandidate];
  const Mat diff_u_tilde = diff_h * (step.in.h_prev - o);  // [AUGRU.B1]
  UpdateGateDiff<N> diff;
  diff.weight = AttendedUpdate<N>(step.in.a, u);
  diff.delta_u = diff_u_tilde * (Real(1.0) - step.in.a) * num.SigmoidSlope(u);  // [AUGRU.B2]
  diff.diff_a = num.SumChannels(-diff_u_tilde * u);                             // [AUGRU.B3]
  return diff;
}

// Reading `onednn`: the old state's weight is u in place of (1 - a) u, and diff_a has the additional factor u (1 - u).
// It is the gradient of the forward equations only if a = 0.
template <class N>
UpdateGateDiff<N> OnednnAugruUpdateDiff(const N& num, const SavedStep<N>& step, const typename N::Mat& diff_h) {
  using Mat = typename N::Mat;
  using Real = typename N::Real;
  const Mat& u = step.out.gate[GruGate::kUpdate];
  const Mat& o = step.out.gate[GruGate::kCandidate];
  const Mat t = diff_h * (step.in.h_prev - o) * num.SigmoidSlope(u);  // [AUGRU.B4]
  UpdateGateDiff<N> diff;
  diff.weight = u;
  diff.delta_u = t * (Real(1.0) - step.in.a);  // [AUGRU.B5]
  diff.diff_a = num.SumChannels(-t * u);       // [AUGRU.B6]
  return diff;
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_CELLS_AUGRU_BACKWARD_H_
