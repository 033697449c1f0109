// What sequence_lengths holds: kinds that are easy to get wrong, and those of real batches.
#ifndef TANDEM_CONFORMANCE_PROBLEM_ROW_LENGTHS_H_
#define TANDEM_CONFORMANCE_PROBLEM_ROW_LENGTHS_H_

#include <cstdint>
#include <vector>

#include "conformance/problem/problem_spec.h"

namespace tandem::conformance {

// The length of each row; all are n_iter where the problem has no lengths of its own.
std::vector<Dim> RowLengthsOf(const ProblemSpec& spec);

// The share of the cells of all rows that have a step, in [0, 1].
double LiveShare(const ProblemSpec& spec);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PROBLEM_ROW_LENGTHS_H_
