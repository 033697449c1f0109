// Finds the values of a mask in the client's memory (docs/rnn_masks.md).
#ifndef TANDEM_OPTIMIZED_FORWARD_MASKS_H_
#define TANDEM_OPTIMIZED_FORWARD_MASKS_H_

#include "api/core/memory/memory_desc.h"
#include "api/core/rnn/implementation.h"

namespace tandem {
namespace optimized {

// One row of one step: n is the client's row.
struct MaskPlace {
  Dim l, d, t, n;
};

// Returns the values of a row from channel `first` on. mask_iter is the same at all times.
inline const float* MaskAt(const RnnProblem& problem, const RnnBuffers& buffers, Tensor mask, const MaskPlace& at,
                           Dim first = 0) {
  const Dim with_time[] = {at.l, at.d, at.t, at.n, first}, without[] = {at.l, at.d, at.n, first};
  const Dim offset = OffsetAt(problem.md[mask], mask == kMaskIter ? without : with_time);
  return static_cast<const float*>(buffers.tensor[mask]) + offset;
}

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_FORWARD_MASKS_H_
