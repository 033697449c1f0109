#include <string>

#include "api/core/error.h"
#include "api/core/rnn/rnn_checks.h"

namespace tandem {
namespace {

bool MayBeOpaque(Tensor tensor) {
  switch (tensor) {
    case kWeightsLayer:
    case kWeightsIter:
    case kWeightsProjection:
    case kDiffWeightsLayer:
    case kDiffWeightsIter:
    case kDiffWeightsProjection:
      return true;
    default:
      return false;
  }
}

bool IsWritten(Tensor tensor) {
  switch (tensor) {
    case kDstLayer:
    case kDstIter:
    case kDstIterC:
      return true;
    case kDiffDstLayer:
    case kDiffDstIter:
    case kDiffDstIterC:
      return false;
    default:
      return IsDiff(tensor);
  }
}

}  // namespace

void CheckLayouts(const RnnProblem& problem) {
  for (int i = 0; i < kNumTensors; ++i) {
    const Tensor tensor = static_cast<Tensor>(i);
    const MemoryDesc& md = problem.md[tensor];
    const std::string name = ToString(tensor);
    if (IsOpaque(md) && !MayBeOpaque(tensor)) {
      ThrowUnimplemented(name + ": has opaque layout " + std::to_string(md.format_desc.packed.layout) +
                         ", but only weights_layer, weights_iter and weights_projection can be opaque");
    }
    if (IsWritten(tensor) && problem.IsBackward() == IsDiff(tensor) && HasBroadcast(md)) {
      ThrowInvalid(name + ": a dim of " + DimsToString(md) +
                   " has stride 0, but two elements of an output cannot share a place");
    }
  }
}

}  // namespace tandem
