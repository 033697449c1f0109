#include "reference/backend.h"

#include "reference/layout.h"
#include "reference/numerics.h"
#include "reference/stack_output.h"

namespace tandem {
namespace reference {
namespace {

constexpr char kName[] = "ref:scalar";

// Its matrices are Eigen temporaries, for the equations' sake: unlike any other plan it allocates while it executes, and
// so it needs no scratchpad.
class ForwardPlan : public RnnPlan {
 public:
  explicit ForwardPlan(const RnnProblem& problem) { problem_ = problem; }
  std::string name() const override { return kName; }

  void Execute(const RnnBuffers& buffers) const override {
    const BoundProblem bound = {problem_, buffers};
    const StorageNumerics<double> num(problem_);
    StoreStackOutput(bound, RunStack(num, LoadStackInput(num, bound)));
  }
};

}  // namespace

std::unique_ptr<const RnnPlan> CreateRnn(const RnnProblem& problem, std::string* why_not) {
  RnnProblem resolved = problem;
  if (!ResolveLayouts(&resolved, why_not)) return nullptr;
  if (problem.propagation != Propagation::kForwardInference || problem.IsInt8()) {
    if (why_not) *why_not = "the reference serves inference in floating point so far";
    return nullptr;
  }
  return std::make_unique<ForwardPlan>(resolved);
}

}  // namespace reference
}  // namespace tandem
