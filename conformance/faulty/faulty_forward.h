// A second implementation of the forward equations, scalar and flat, with injection points.
#ifndef TANDEM_CONFORMANCE_FAULTY_FAULTY_FORWARD_H_
#define TANDEM_CONFORMANCE_FAULTY_FAULTY_FORWARD_H_

#include "conformance/faulty/faulty_network.h"

namespace tandem::conformance {

// Computes all steps.
FaultyTrace RunFaultyForward(const FaultyNetwork& net, const CallMemory& memory);
// Writes dst_layer, dst_iter and dst_iter_c.
void StoreFaultyForward(const FaultyNetwork& net, const FaultyTrace& trace, const TensorViews& tensors);

// One step of `l`, `d` at time `t`; x, h_prev and c_prev are in `step`.
void RunFaultyCell(const FaultyNetwork& net, Dim l, Dim d, Dim t, FaultyStep* step);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_FAULTY_FAULTY_FORWARD_H_
