// The second implementation's gradients, with injection points.
#ifndef TANDEM_CONFORMANCE_FAULTY_FAULTY_BACKWARD_H_
#define TANDEM_CONFORMANCE_FAULTY_FAULTY_BACKWARD_H_

#include <array>

#include "conformance/faulty/faulty_forward.h"

namespace tandem::conformance {

// The gradients of one cell's equations for one step, in rows of n; the products with the weights come after.
struct FaultyDelta {
  std::array<Floats, 4> bias;       // of the pre-activations, for the bias
  std::array<Floats, 4> gate;       // for dx, dW: differs where a norm is between
  std::array<Floats, 4> iter_gate;  // for dh, dU: differs in the linear-before-reset cells, too
  Floats hidden_bias;               // of b_u'
  Floats h_direct;                  // the part of dh that passes no product
  Floats c_prev;
  Floats r_h;  // GRU: h of the product for dU_o
};

// The gradient that arrives at one step.
struct FaultyArrival {
  Dim l, d, t;
  Floats h;  // [n][dhc], behind a projection
  Floats c;
  bool first_step;  // of the sequence, in the order of forward
};

// What one step of a cell adds to, besides the products with the weights.
struct FaultySums {
  Floats *attention, *peephole, *norm_gain, *norm_offset;
};

FaultyDelta FaultyCellBackward(const FaultyNetwork& net, const FaultyStep& step, const FaultyArrival& in,
                               const FaultySums& sums);

// Everything, from diff_dst_* to diff_src_* and the gradients of the weights.
void RunFaultyBackward(const FaultyNetwork& net, const FaultyTrace& trace, const TensorViews& tensors);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_FAULTY_FAULTY_BACKWARD_H_
