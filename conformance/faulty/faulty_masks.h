// Dropout and zoneout in the second implementation, with injection points: what the masks do to a step, and to its gradients.
#ifndef TANDEM_CONFORMANCE_FAULTY_FAULTY_MASKS_H_
#define TANDEM_CONFORMANCE_FAULTY_FAULTY_MASKS_H_

#include "conformance/faulty/faulty_backward.h"

namespace tandem::conformance {

struct FaultyVisit {
  Dim l, d, t;
  bool first_step;  // of the sequence, in the order of forward
};

// Before the cell: multiplies x and h_prev; h_kept is h_prev as it was.
void MaskInputs(const FaultyNetwork& net, const FaultyVisit& at, FaultyStep* step);
// After it: mixes h and c with those before the step; c_cell is c as the cell computed it.
void MixStates(const FaultyNetwork& net, const FaultyVisit& at, FaultyStep* step);

// The number by which the gradient of a product with weights_iter is multiplied.
float MaskOfIterGradient(const FaultyNetwork& net, const FaultyArrival& in, Dim n, Dim k);
// diff_x [n][width] of one step, from that of the masked x.
void MaskLayerGradient(const FaultyNetwork& net, const FaultyArrival& in, Dim width, float* diff_x);

// Divides gradients that arrive at h and c of a step: returns the part that passes by the cell, and leaves the cell's.
struct PassingGradients {
  Floats h, c;
};
PassingGradients TakePassingGradients(const FaultyNetwork& net, const FaultyArrival& in, Floats* h, Floats* c);
void AddPassingGradients(const PassingGradients& passing, Floats* h, Floats* c);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_FAULTY_FAULTY_MASKS_H_
