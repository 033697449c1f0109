// Parts of a problem as problems of their own: one step, layer or direction.
#ifndef TANDEM_CONFORMANCE_PROBLEM_STEP_PROBLEM_H_
#define TANDEM_CONFORMANCE_PROBLEM_STEP_PROBLEM_H_

#include <vector>

#include "conformance/problem/tensor_set.h"

namespace tandem::conformance {

// Elements of a tensor over some of its dims: every element whose index in dim `dim` is `at` for each pair.
struct Fixed {
  int dim;
  Dim at;
};
// Linear indices of those elements, in row-major order.
std::vector<size_t> IndicesOf(const MemoryDesc& md, const std::vector<Fixed>& fixed);

// Their values, and the inverse; absent tensors are left alone.
std::vector<double> ReadPart(const TensorBuffer& buffer, const std::vector<Fixed>& fixed);
void WritePart(const std::vector<double>& values, const std::vector<Fixed>& fixed, TensorBuffer* buffer);

// Which part. layer or dir -1: all of them.
struct Part {
  Dim layer = -1, dir = -1;
  bool single_step = false;   // else the whole sequence
  bool with_src_iter = true;  // false: as the problem has it
  Propagation propagation = Propagation::kForwardInference;

  // The dims l and d of a stacked tensor of the whole problem that belong to the part.
  std::vector<Fixed> Stack() const;
};

// A validated problem for the part, with dense tensors. A part of one direction is left2right, or right2left where it
// runs over the whole sequence so. dst_iter and dst_iter_c are always there; dst_layer of lower layers has src_layer's
// type.
RnnProblem PartProblem(const RnnProblem& problem, const Part& part);
// The weights, bias and states of the part, and what diff_weights_* held before, from the whole problem's inputs.
// src_layer, attention and the gradients of the outputs are left alone.
void CopyParameters(const RnnProblem& problem, const TensorSet& whole, const Part& part, TensorSet* tensors);
// Copies a part's share of the masks, of one step those of `time`.
void CopyMasks(const TensorSet& whole, const Part& part, Dim time, TensorSet* tensors);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PROBLEM_STEP_PROBLEM_H_
