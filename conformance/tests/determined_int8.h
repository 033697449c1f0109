// Random int8 problems whose every output is determined to the bit, whatever admissible f32 arithmetic computes the gates.
//
// Activations differ in their last bits between implementations. Here each one is exact: every pre-activation is 0, where
// sigmoid is 1/2 and tanh is 0, or so large that both saturate. What remains is the arithmetic that docs/numerics.md
// fixes: bytes of real values, real values of bytes, integer sums, pre-activations, projections, sums of directions.
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
  // In f32, what a client quantizes: inputs has their s8, by a reorder with the problem's attribute. Many lie on a tie.
  TensorSet f32_weights;
};

// Problem `index` of `config`, an int8 one: any cell, direction and reading that it allows, and optional tensors absent.
// Parameters: zero points and products on ties, next to ties, and elsewhere.
//
// In half of the problems the bias decides every gate, and the parameters are arbitrary. In the other half they are
// powers of two, up to a zero point that is a half-integer: then a pre-activation that the bias leaves alone is a large
// multiple of an integer sum, and 0 only if that sum is.
DeterminedInt8 MakeDeterminedInt8(Config config, uint64_t seed, uint64_t index);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_TESTS_DETERMINED_INT8_H_
