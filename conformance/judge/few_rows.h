// The oracle judges backward for a few rows of the batch. The gradients of weights sum over the rows, so it would have to
// compute all of them; but a row whose diff_dst is zero adds nothing to any gradient. The implementation runs the whole batch.
#ifndef TANDEM_CONFORMANCE_JUDGE_FEW_ROWS_H_
#define TANDEM_CONFORMANCE_JUDGE_FEW_ROWS_H_

#include <vector>

#include "conformance/judge/verdict/check_bounds.h"

namespace tandem::conformance {

// Sets diff_dst_* of all other rows to zero.
void KeepGradientsOf(const RnnProblem& problem, const std::vector<Dim>& rows, TensorSet* tensors);

// The oracle of a batch of these rows judges them and the weights' gradients; diff_src_* of other rows must be zero.
ProblemReport CheckFewRows(const Execution& run, const std::vector<Dim>& rows, const Declaration& declared);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_JUDGE_FEW_ROWS_H_
