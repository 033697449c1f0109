#include "reference/stack/layout.h"

namespace tandem {
namespace reference {
namespace {

// The dims' order in memory, outermost first: "abdec" is ldgoi.
const char* PlainOrder(const RnnProblem& problem, Tensor tensor) {
  switch (tensor) {
    case kWeightsLayer:
    case kWeightsIter:
      return problem.IsBackward() ? "abdec" : "abcde";
    case kWeightsProjection:
      return problem.IsBackward() ? "abdc" : "abcd";
    case kDiffWeightsLayer:
    case kDiffWeightsIter:
      return "abcde";
    default:
      return problem.md[tensor].ndims == 3 ? "abc" : "abcd";
  }
}

}  // namespace

bool ResolveLayouts(RnnProblem* problem, std::string* why_not) {
  for (int index = 0; index < kNumTensors; ++index) {
    const Tensor tensor = static_cast<Tensor>(index);
    MemoryDesc& md = problem->md[tensor];
    if (IsZero(md) || IsPlain(md)) continue;
    if (!IsAny(md)) {
      if (why_not) *why_not = std::string(ToString(tensor)) + " has a layout that only another implementation knows";
      return false;
    }
    md = MakePermuted(Dims(md.dims, md.dims + md.ndims), TypeOf(md), PlainOrder(*problem, tensor));
  }
  return true;
}

}  // namespace reference
}  // namespace tandem
