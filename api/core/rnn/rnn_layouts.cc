#include <string>

#include "api/core/error.h"
#include "api/core/rnn/rnn_checks.h"

namespace tandem {
namespace {

bool IsWritten(const RnnProblem& problem, Tensor tensor) {
  const bool result = RoleOf(tensor) == TensorRole::kResult;
  return problem.IsBackward() ? IsDiff(tensor) && !result : !IsDiff(tensor) && result;
}

}  // namespace

void CheckLayouts(const RnnProblem& problem) {
  for (int i = 0; i < kNumTensors; ++i) {
    const Tensor tensor = static_cast<Tensor>(i);
    const MemoryDesc& md = problem.md[tensor];
    const std::string name = ToString(tensor);
    if (IsOpaque(md) && !IsWeights(tensor)) {
      ThrowUnimplemented(name + ": has opaque layout " + std::to_string(md.format_desc.packed.layout) +
                         ", but only weights_layer, weights_iter and weights_projection can be opaque");
    }
    if (IsWritten(problem, tensor) && HasBroadcast(md)) {
      ThrowInvalid(name + ": a dim of " + DimsToString(md) +
                   " has stride 0, but two elements of an output cannot share a place");
    }
  }
}

}  // namespace tandem
