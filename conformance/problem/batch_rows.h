// A problem restricted to its first rows of the batch. Rows of a batch do not depend on each other, so an oracle of few
// rows can judge those rows of a run with many.
#ifndef TANDEM_CONFORMANCE_PROBLEM_BATCH_ROWS_H_
#define TANDEM_CONFORMANCE_PROBLEM_BATCH_ROWS_H_

#include <vector>

#include "conformance/problem/tensor_set.h"

namespace tandem::conformance {

// Forward problems only: gradients of weights sum over the batch. Dense layouts; validated.
RnnProblem WithRows(const RnnProblem& problem, Dim rows);

// The rows of `tensors` that belong to `few` = WithRows(many, rows): evenly spread over the batch, first and last
// included where there are at least two.
TensorSet TakeRows(const RnnProblem& many, const RnnProblem& few, const TensorSet& tensors);

// The problem with another number of rows, forward or backward. Tensors without a batch keep their layout; the others
// are dense.
RnnProblem WithBatch(const RnnProblem& problem, Dim rows);

// The given rows of `tensors`, for a problem with so many.
TensorSet TakeGivenRows(const RnnProblem& few, const TensorSet& tensors, const std::vector<Dim>& rows);

// The problem with a batch of one, as WithBatch makes it, and one row of its tensors.
RnnProblem WithOneRow(const RnnProblem& problem);
TensorSet TakeOneRow(const RnnProblem& one, const TensorSet& tensors, Dim row);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PROBLEM_BATCH_ROWS_H_
