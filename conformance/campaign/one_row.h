// Backward for one row of the batch. The gradients of weights sum over the rows, so the oracle would have to compute all
// of them; but a row whose diff_dst is zero adds nothing to any gradient. The implementation runs the whole batch.
#ifndef TANDEM_CONFORMANCE_CAMPAIGN_ONE_ROW_H_
#define TANDEM_CONFORMANCE_CAMPAIGN_ONE_ROW_H_

#include "conformance/judgement/check_bounds.h"

namespace tandem::conformance {

// Sets diff_dst_* of all other rows to zero.
void KeepGradientOf(const RnnProblem& problem, Dim row, TensorSet* tensors);

// Outputs of such inputs: the row and the gradients of the weights against the oracle of a batch of one; diff_src_* of the
// other rows must be zero.
ProblemReport CheckOneRow(const Execution& run, Dim row, const Profile& profile);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CAMPAIGN_ONE_ROW_H_
