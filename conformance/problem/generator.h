// What the tensors of a problem hold. Every value depends only on the seed, the
// tensor and the element's logical indices: a smaller problem keeps the values of the elements it still has.
//
//   dense       signed, distinct for every gate; nonzero states; the int8 tensors use their full range
//   saturating  pre-activations around +-20; int8: extreme bytes in adjacent pairs of one sign
//   tiny        pre-activations around 1e-4, where tanh must be accurate relative to its result
//   cancelling  products that cancel to 8 bits in pairs
//   spread      the columns' magnitudes differ by up to 2^40 (2^12 for f16)
//   special     dense, with some NaN, infinite, subnormal, huge and negative zero elements in one input, which the seed
//               chooses: src_layer, another source or a parameter
//   ties        int8: every h lies exactly between two bytes
//   zero        zeros everywhere
//   tame        int8: bytes as a trained network has them. x lies between -1 and 1, as h does, and the default scale is made
//               for that. No output's weights have one sign. Other types: dense
//   sweep       arguments over the whole range of the activations, each of which an output shows alone: weights of 0 and
//               1, no bias, states that open or close the other gates; of one layer and step
#ifndef TANDEM_CONFORMANCE_PROBLEM_GENERATOR_H_
#define TANDEM_CONFORMANCE_PROBLEM_GENERATOR_H_

#include <vector>

#include "conformance/problem/problem_spec.h"
#include "conformance/problem/tensor_set.h"

namespace tandem::conformance {

// Fills every input of the problem; `tensors` was made for `problem` = ToRnnProblem(spec). Gradients that backward
// overwrites (flag O) are filled with NaN, which must not show in the result.
void FillInputs(const ProblemSpec& spec, const RnnProblem& problem, TensorSet* tensors);

// Simpler problems that may fail the same way, in the order in which they are to be tried: fewer steps, layers, rows,
// channels, then fewer features, then plainer data.
std::vector<ProblemSpec> ShrinkCandidates(const ProblemSpec& spec);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PROBLEM_GENERATOR_H_
