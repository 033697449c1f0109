// forward_training leaves this in the workspace for backward: the results of every step, as f32, which holds every value that was
// stored in f32, bf16 or f16 exactly.
#ifndef TANDEM_REFERENCE_STACK_TRAINING_WORKSPACE_H_
#define TANDEM_REFERENCE_STACK_TRAINING_WORKSPACE_H_

#include "api/core/rnn/workspace.h"
#include "reference/cells/cell.h"
#include "reference/numerics/numerics.h"
#include "reference/stack/stack.h"

namespace tandem {
namespace reference {

// Extents of the workspace of one problem: the header of api/core/rnn/workspace.h, then the steps in the order (l, d,
// t).
class WorkspaceLayout {
 public:
  using Result = CellResult<StorageNumerics<double>>;

  explicit WorkspaceLayout(const RnnProblem& problem);
  size_t bytes() const;

  void Save(void* workspace, const StepIndex& index, const Result& saved) const;
  Result Load(const void* workspace, const StepIndex& index) const;

 private:
  // Of one step and row.
  Dim Channels() const;
  size_t StepOffset(const StepIndex& index) const;

  Dim n_layer_, n_dir_, n_iter_, mb_;
  // Channels of each matrix of a Result; 0 for those that the cell does not have.
  Dim num_gates_, num_pre_, gate_, linear_, c_, h_hat_, h_, h_cell_, c_cell_;
};

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_STACK_TRAINING_WORKSPACE_H_
