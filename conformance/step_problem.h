// Parts of a problem as problems of their own: one cell, one direction.
#ifndef TANDEM_CONFORMANCE_STEP_PROBLEM_H_
#define TANDEM_CONFORMANCE_STEP_PROBLEM_H_

#include <vector>

#include "conformance/tensor_set.h"

namespace tandem::conformance {

// Elements of a tensor over some of its dims: every element whose index in dim `dim` is `at` for each pair.
struct Fixed {
  int dim;
  Dim at;
};
// Linear indices of those elements, in row-major order.
std::vector<size_t> IndicesOf(const MemoryDesc& md, const std::vector<Fixed>& fixed);

// Which part. layer or dir -1: all of them; step -1: all.
struct Part {
  Dim layer = -1, dir = -1;
  bool single_step = false;
  bool with_src_iter = true;  // false: as the problem has it
};

// A validated forward problem for the part, with dense tensors, left2right unless it keeps the problem's only
// direction. dst_iter (and dst_iter_c) are always there; dst_layer of lower layers has src_layer's type.
RnnProblem PartProblem(const RnnProblem& problem, const Part& part);
// The weights, bias and states of the part, from the whole problem's inputs. src_layer and attention are left alone.
void CopyParameters(const RnnProblem& problem, const TensorSet& whole, const Part& part, TensorSet* tensors);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_STEP_PROBLEM_H_
