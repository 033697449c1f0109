#include <string>

#include "api/core/error.h"
#include "api/core/rnn/rnn_checks.h"

namespace tandem {

void CheckLayouts(const RnnProblem& problem) {
  for (const Tensor tensor : kTensors) {
    const MemoryDesc& md = problem.md[tensor];
    const std::string name = ToString(tensor);
    if (IsOpaque(md) && (IsDiff(tensor) || !IsWeights(tensor))) {
      ThrowUnimplemented(
          name + ": its layout is opaque, but only weights_layer, weights_iter and weights_projection can be opaque");
    }
    if (IsWritten(problem.propagation, tensor) && HasBroadcast(md)) {
      ThrowInvalid(name + ": a dim of " + DimsToString(md) +
                   " has stride 0, but two elements of an output cannot share a place");
    }
  }
}

}  // namespace tandem
