// Steps as forward saw them, put together from the workspace and the user's tensors.
#ifndef TANDEM_REFERENCE_STACK_SAVED_STEPS_H_
#define TANDEM_REFERENCE_STACK_SAVED_STEPS_H_

#include <utility>
#include <vector>

#include "reference/cells/cell_backward.h"
#include "reference/stack/stack_input.h"
#include "reference/stack/training_workspace.h"

namespace tandem {
namespace reference {

class SavedSteps {
 public:
  using N = StorageNumerics<double>;

  SavedSteps(const N& num, const BoundProblem& bound, const WorkspaceLayout& layout)
      : layout_(layout), workspace_(bound.buffers.workspace), forward_(LoadStackInput(num, bound)) {
    for (size_t stack = 0; stack < forward_.shape.NumStacks(); ++stack) {
      initial_.push_back(InitialCellInput(num, forward_, stack));
    }
  }

  SavedStep<N> At(const StepIndex& index) const {
    SavedStep<N> step;
    step.in = PreviousState(index);
    step.in.x = index.layer == 0 ? forward_.src_layer[static_cast<size_t>(index.time)]
                                 : Load(index.layer - 1, index.dir, index.time).h;
    if (!forward_.augru_attention.empty()) step.in.a = forward_.augru_attention[static_cast<size_t>(index.time)];
    step.out = Load(index.layer, index.dir, index.time);
    return step;
  }

 private:
  CellResult<N> Load(Dim layer, Dim dir, Dim time) const { return layout_.Load(workspace_, {layer, dir, time}); }

  CellInput<N> PreviousState(const StepIndex& index) const {
    const StepWalk walk = forward_.shape.Walk(index.dir);
    const Dim step = walk.Step(index.time);
    const CellInput<N>& initial = initial_[forward_.shape.At(index.layer, index.dir)];
    if (step == 0) return initial;
    CellResult<N> result = Load(index.layer, index.dir, walk.Time(step - 1));
    CellInput<N> state;
    state.h_prev = std::move(result.h);
    state.c_prev = std::move(result.c);
    const Columns starting = forward_.shape.StartingRows(index.dir, index.time);
    CopyColumns(starting, initial.h_prev, &state.h_prev);
    CopyColumns(starting, initial.c_prev, &state.c_prev);
    return state;
  }

  const WorkspaceLayout& layout_;
  const void* workspace_;
  StackInput<N> forward_;
  std::vector<CellInput<N>> initial_;
};

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_STACK_SAVED_STEPS_H_
