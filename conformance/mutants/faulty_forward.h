// A second implementation of the forward equations, scalar and flat, with injection points.
#ifndef TANDEM_CONFORMANCE_MUTANTS_FAULTY_FORWARD_H_
#define TANDEM_CONFORMANCE_MUTANTS_FAULTY_FORWARD_H_

#include <array>
#include <vector>

#include "conformance/mutants/faulty_network.h"

namespace tandem::conformance {

// One step of one layer and direction, kept for backward; rows of n.
struct FaultyStep {
  Dim width = 0;  // of x
  Floats x, h_prev, c_prev;
  std::array<Floats, 4> gate;
  Floats linear;  // LBR: U h + b; vanilla RNN: the pre-activation
  Floats h_hat;   // before a projection
  Floats c, h;
  Floats c_seen;  // c before it is stored
};

struct FaultyTrace {
  std::vector<FaultyStep> steps;  // [(l * n_dir + d) * n_iter + t]
  FaultyStep& At(const RnnProblem& p, Dim l, Dim d, Dim t) {
    return steps[static_cast<size_t>((l * p.n_dir + d) * p.n_iter + t)];
  }
  const FaultyStep& At(const RnnProblem& p, Dim l, Dim d, Dim t) const {
    return steps[static_cast<size_t>((l * p.n_dir + d) * p.n_iter + t)];
  }
};

// Computes all steps.
FaultyTrace RunFaultyForward(const FaultyNetwork& net, const CallMemory& memory);
// Writes dst_layer, dst_iter and dst_iter_c.
void StoreFaultyForward(const FaultyNetwork& net, const FaultyTrace& trace, TensorSet* tensors);

// One step of `l`, `d` at time `t`; x, h_prev and c_prev are in `step`.
void RunFaultyCell(const FaultyNetwork& net, Dim l, Dim d, Dim t, FaultyStep* step);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_MUTANTS_FAULTY_FORWARD_H_
