#include "reference/stack/layout.h"

namespace tandem {
namespace reference {
namespace {

bool IsS8Projection(const RnnProblem& problem, Tensor tensor) {
  return tensor == kWeightsProjection && TypeOf(problem.md[tensor]) == DataType::kS8;
}

// The dims' order in memory, outermost first: "abdec" is ldgoi. Backward reads weights with the input channels
// innermost, as it multiplies by their transpose. So are s8 weights of a projection: what is stored so is no state, and a
// reorder that is given the attributes of the whole LSTM takes the right ones of them.
const char* PlainOrder(const RnnProblem& problem, Tensor tensor) {
  const bool is_transposed = problem.IsBackward() && IsWeights(tensor) && !IsDiff(tensor);
  const int rank = RankOf(tensor);
  if (rank == 5) return is_transposed ? "abdec" : "abcde";
  if (rank == 4) return is_transposed || IsS8Projection(problem, tensor) ? "abdc" : "abcd";
  return "abc";
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
    if (IsS8Projection(*problem, tensor) && (md.dims[2] == 1 || md.dims[3] == 1)) md.extra.flags = kChosenForWeights;
  }
  return true;
}

}  // namespace reference
}  // namespace tandem
