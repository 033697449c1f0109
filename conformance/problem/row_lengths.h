// What sequence_lengths holds: kinds that are easy to get wrong, and those of real batches.
#ifndef TANDEM_CONFORMANCE_PROBLEM_ROW_LENGTHS_H_
#define TANDEM_CONFORMANCE_PROBLEM_ROW_LENGTHS_H_

#include <cstdint>
#include <vector>

#include "conformance/problem/problem_spec.h"
#include "conformance/problem/tensor_set.h"

namespace tandem::conformance {

// The length of each row; all are n_iter where the problem has no lengths of its own.
std::vector<Dim> RowLengthsOf(const ProblemSpec& spec);
// The same, of the tensor.
std::vector<Dim> RowLengthsOf(const RnnProblem& problem, const TensorSet& tensors);

// Sets each element of src_layer, augru_attention, diff_dst_layer and the masks beyond its row's length: nothing reads it. Bytes are
// left alone: NaN, the only value that no implementation may take for data, is not among them.
void FillBeyondLengths(const RnnProblem& problem, double value, TensorSet* tensors);

// The share of the cells of all rows that have a step, in [0, 1].
double LiveShare(const ProblemSpec& spec);

// Draws lengths from a random stream of its own, so that other problems do not depend on it. One problem of every `one_in` gets
// them, so that few problems have every feature; 0 means none.
void MayDrawLengths(uint64_t one_in, uint64_t seed, uint64_t index, ProblemSpec* spec);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PROBLEM_ROW_LENGTHS_H_
