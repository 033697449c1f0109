// The tensors of one problem as those of another that holds the same data in another order.
#ifndef TANDEM_CONFORMANCE_PROBLEM_REARRANGED_H_
#define TANDEM_CONFORMANCE_PROBLEM_REARRANGED_H_

#include <functional>

#include "conformance/problem/tensor_set.h"

namespace tandem::conformance {

// From the logical indices of an element in the other problem to those in the given one, in place. Of a gradient,
// `partner` is the tensor whose gradient it is.
using IndexMap = std::function<void(Tensor partner, Dim* index)>;

TensorSet Rearranged(const RnnProblem& other, const TensorSet& tensors, const IndexMap& map);
// The inverse for one tensor.
void PutBack(Tensor t, const TensorBuffer& from, const IndexMap& map, TensorBuffer* to);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PROBLEM_REARRANGED_H_
