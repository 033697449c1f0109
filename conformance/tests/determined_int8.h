// In these random int8 problems every output is determined to the bit, whatever admissible f32 arithmetic computes the gates.
//
// Activations differ in their last bits between implementations. Here each one is exact: every pre-activation is 0, where
// sigmoid is 1/2 and tanh is 0, or so large that both saturate. The rest is the arithmetic that docs/numerics.md fixes: bytes
// of real values, real values of bytes, integer sums, pre-activations, projections, sums of directions.
#ifndef TANDEM_CONFORMANCE_TESTS_DETERMINED_INT8_H_
#define TANDEM_CONFORMANCE_TESTS_DETERMINED_INT8_H_

#include <cstdint>

#include "conformance/problem/problem_spec.h"
#include "conformance/problem/tensor_set.h"

namespace tandem::conformance {

struct DeterminedInt8 {
  ProblemSpec spec;
  RnnProblem problem;
  TensorSet inputs;
  // A client quantizes these f32 weights: inputs has their s8, by a reorder with the problem's attribute. Many lie on a tie.
  TensorSet f32_weights;
};

// Returns problem `index` of `config`, an int8 one. It has any cell, direction and reading that the config allows, and optional
// tensors absent. Its parameters make zero points and products on ties, next to ties, and elsewhere.
//
// In half of the problems the bias decides every gate, and the parameters are arbitrary. In the other half they are powers of
// two, but the zero point is a half-integer. A pre-activation without bias is then a large multiple of an integer sum.
DeterminedInt8 MakeDeterminedInt8(Config config, uint64_t seed, uint64_t index);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_TESTS_DETERMINED_INT8_H_
