#include "api/core/rnn/rnn_problem.h"

#include "api/core/rnn/rnn_checks.h"

namespace tandem {

// Data types before dims, dims before attributes: a problem with several mistakes gets the status that oneDNN gives it.
void Validate(RnnProblem* problem) {
  CheckEnumerators(*problem);
  CheckDescriptors(*problem);
  // A tensor without dims is absent, whatever else a client has left in its descriptor.
  for (const Tensor tensor : kTensors) {
    if (!problem->Has(tensor)) problem->md[tensor] = {};
  }
  CheckPresence(*problem);
  CheckAttentionCell(*problem);
  CheckKnown(*problem);
  CheckTypes(*problem);
  DeriveAndCheckDims(problem);
  CheckLayouts(*problem);
  CheckAttributes(*problem);
  CheckLayerNorm(*problem);
}

namespace {

DataType TypeOfFirst(const RnnProblem& problem, Tensor first, Tensor second, DataType otherwise) {
  for (const Tensor tensor : {first, second}) {
    if (problem.Has(tensor)) return TypeOf(problem.md[tensor]);
  }
  return otherwise;
}

}  // namespace

RnnProblem ForwardOf(const RnnProblem& problem) {
  RnnProblem forward = problem;
  forward.propagation = Propagation::kForwardTraining;
  for (const Tensor tensor : kDiffTensors) forward.md[tensor] = MemoryDesc{};
  return forward;
}

DataType IterStateType(const RnnProblem& problem) {
  return TypeOfFirst(problem, kSrcIter, kDstIter, problem.SrcType());
}

DataType CellStateType(const RnnProblem& problem) { return TypeOfFirst(problem, kSrcIterC, kDstIterC, DataType::kF32); }

FpmathMode EffectiveFpmathMode(const RnnProblem& problem) {
  // By the data type table, an f32 src_layer means that every other tensor is f32 too, or that the weights are bytes.
  const bool all_f32 = problem.SrcType() == DataType::kF32 && !problem.HasByteWeights();
  return all_f32 ? problem.attr.fpmath_mode : FpmathMode::kStrict;
}

}  // namespace tandem
