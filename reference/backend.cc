#include "reference/backend.h"

#include "reference/numerics/numerics.h"
#include "reference/numerics/numerics_dynamic.h"
#include "reference/numerics/numerics_int8.h"
#include "reference/stack/layout.h"
#include "reference/stack/saved_steps.h"
#include "reference/stack/stack_diff_io.h"
#include "reference/stack/stack_output.h"
#include "reference/stack/training_workspace.h"

namespace tandem {
namespace reference {
namespace {

constexpr char kName[] = "ref:scalar";

// Matrices are Eigen temporaries, so that code reads like the equations. These plans therefore allocate while they
// execute, and need no scratchpad.
class ReferencePlan : public RnnPlan {
 public:
  explicit ReferencePlan(const RnnProblem& problem) { problem_ = problem; }
  std::string name() const override { return kName; }
};

template <class N>
class InferencePlan : public ReferencePlan {
 public:
  using ReferencePlan::ReferencePlan;

  void Execute(const RnnBuffers& buffers) const override {
    const BoundProblem bound = {problem_, buffers};
    const N num(problem_);
    StoreStackOutput(bound, RunStack(num, LoadStackInput(num, bound)));
  }
};

using Training = StorageNumerics<double>;

class TrainingPlan : public ReferencePlan {
 public:
  explicit TrainingPlan(const RnnProblem& problem) : ReferencePlan(problem), layout_(problem) {
    workspace_bytes_ = layout_.bytes();
  }

 protected:
  WorkspaceLayout layout_;
};

// Writes every step into the workspace.
struct RecordingHook : NoHook {
  const Training& num;
  const WorkspaceLayout& layout;
  void* workspace;

  RecordingHook(const Training& n, const WorkspaceLayout& l, void* w) : num(n), layout(l), workspace(w) {}
  void AfterStep(const StepIndex& index, const CellInput<Training>&, CellResult<Training>* out) {
    layout.Save(workspace, index, Saved(num, *out));
  }
};

class ForwardTrainingPlan : public TrainingPlan {
 public:
  using TrainingPlan::TrainingPlan;

  void Execute(const RnnBuffers& buffers) const override {
    const BoundProblem bound = {problem_, buffers};
    const Training num(problem_);
    RecordingHook hook(num, layout_, buffers.workspace);
    StoreStackOutput(bound, RunStack(num, LoadStackInput(num, bound), &hook));
    SealWorkspace(buffers, problem_, kName);
  }
};

class BackwardPlan : public TrainingPlan {
 public:
  using TrainingPlan::TrainingPlan;

  void Execute(const RnnBuffers& buffers) const override {
    CheckWorkspace(buffers, problem_, kName);
    const BoundProblem bound = {problem_, buffers};
    const Training num(problem_);
    const SavedSteps steps(num, bound, layout_);
    StackDiffInput<Training> in = LoadStackDiffInput(num, bound);
    in.saved = [&steps](const StepIndex& index) { return steps.At(index); };
    in.weights_sink = [&bound](Dim layer, Dim dir, const ParameterGradients<Training>& grad) {
      StoreGradients(bound, layer, dir, grad);
    };
    StoreStackDiffOutput(bound, RunStackBackward(num, in));
  }
};

}  // namespace

std::unique_ptr<const RnnPlan> CreateRnn(const RnnProblem& problem, std::string* why_not) {
  RnnProblem resolved = problem;
  if (!ResolveLayouts(&resolved, why_not)) return nullptr;
  if (problem.IsBackward()) return std::make_unique<BackwardPlan>(resolved);
  if (problem.IsTraining()) return std::make_unique<ForwardTrainingPlan>(resolved);
  if (problem.IsInt8()) return std::make_unique<InferencePlan<QuantizedNumerics<double>>>(resolved);
  if (problem.IsDynamic()) return std::make_unique<InferencePlan<DynamicNumerics<double>>>(resolved);
  return std::make_unique<InferencePlan<StorageNumerics<double>>>(resolved);
}

}  // namespace reference
}  // namespace tandem
