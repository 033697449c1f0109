#include "conformance/mutants/faulty.h"

#include <memory>

#include "conformance/mutants/faulty_backward.h"
#include "conformance/mutants/faulty_forward.h"

namespace tandem::conformance {
namespace {

void SpoilInputs(const RnnProblem& problem, TensorSet* tensors) {
  TensorBuffer& w = (*tensors)[kWeightsLayer];
  if (w.size() < 2) return;
  const double first = w.Get(0);
  w.Set(0, w.Get(w.size() - 1));
  w.Set(w.size() - 1, first == w.Get(0) ? first + 1 : first);
  (void)problem;
}

RunResult Run(Mutation mutation, const RnnProblem& problem, TensorSet* tensors, CallMemory* memory) {
  if (mutation == Mutation::kSmallKCrash && problem.slc / 4 == 0) return {RunStatus::kCrash, "division by zero"};
  const FaultyArithmetic math(problem, mutation);
  const FaultyNetwork net(problem, math, *tensors, memory);
  const FaultyTrace trace = RunFaultyForward(net, *memory);
  StoreFaultyForward(net, trace, tensors);
  if (problem.IsBackward()) RunFaultyBackward(net, trace, tensors);
  ++memory->calls;
  memory->last_h.clear();
  for (Dim stack = 0; stack < problem.n_layer * problem.n_dir; ++stack) {
    const FaultyStep& step = trace.steps[static_cast<size_t>(stack * problem.n_iter)];
    memory->last_h.insert(memory->last_h.end(), step.h.begin(), step.h.end());
  }
  if (mutation == Mutation::kInputModified) SpoilInputs(problem, tensors);
  return {};
}

}  // namespace

Implementation MakeFaulty(Mutation mutation) {
  const auto memory = std::make_shared<CallMemory>();
  return [mutation, memory](const RnnProblem& problem, TensorSet* tensors) {
    return Run(mutation, problem, tensors, memory.get());
  };
}

}  // namespace tandem::conformance
