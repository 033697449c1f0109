#include "conformance/tests/in_process.h"

#include <memory>
#include <vector>

#include "api/core/error.h"

namespace tandem::conformance {
namespace {

void Execute(const RnnPlan& plan, std::vector<uint8_t>* workspace, TensorSet* tensors) {
  RnnBuffers buffers;
  for (int t = 0; t < kNumTensors; ++t) {
    if (plan.problem().Has(static_cast<Tensor>(t))) buffers.tensor[t] = tensors->tensor[t].data();
  }
  // The bytes are NaN: numbers that nobody wrote must not matter.
  std::vector<uint8_t> scratchpad(plan.scratchpad_bytes() + 1, 0xff);
  workspace->resize(plan.workspace_bytes() + 1, 0xff);
  buffers.workspace = workspace->data();
  buffers.scratchpad = scratchpad.data();
  plan.Execute(buffers);
}

RunResult Run(RnnFactory factory, const RnnProblem& problem, TensorSet* tensors) {
  std::string why_not;
  const std::unique_ptr<const RnnPlan> plan = factory(problem, &why_not);
  if (!plan) return {RunStatus::kNotSupported, why_not};
  std::vector<uint8_t> workspace;
  if (problem.IsBackward()) {
    const std::unique_ptr<const RnnPlan> forward = factory(ForwardOf(problem), &why_not);
    if (!forward) return {RunStatus::kNotSupported, why_not};
    Execute(*forward, &workspace, tensors);
  }
  Execute(*plan, &workspace, tensors);
  return {};
}

}  // namespace

Implementation InProcess(RnnFactory factory) {
  return [factory](const RnnProblem& problem, TensorSet* tensors) -> RunResult {
    try {
      return Run(factory, problem, tensors);
    } catch (const Error& error) {
      return {RunStatus::kError, error.what()};
    }
  };
}

}  // namespace tandem::conformance
