// Random problems.
#ifndef TANDEM_CONFORMANCE_PROBLEM_RANDOM_RANDOM_PROBLEM_H_
#define TANDEM_CONFORMANCE_PROBLEM_RANDOM_RANDOM_PROBLEM_H_

#include <vector>

#include "conformance/problem/problem_spec.h"

namespace tandem::conformance {

// Which problems to draw.
struct ProblemScope {
  std::vector<Cell> cells;                // empty: all
  std::vector<Config> configs;            // empty: all
  std::vector<Propagation> propagations;  // empty: all
  Dim max_channels = 2100;
  Dim max_steps = 300;
  // One problem in so many has rows of different lengths; 0: none has. The others are the same, whatever it is.
  uint64_t lengths_one_in = 0;
  // Likewise has layer normalization, of those in floating types.
  uint64_t norms_one_in = 0;
  // Likewise has 8-bit weights, of those of forward inference in f32 and bf16; none if `configs` names the types.
  uint64_t byte_weights_one_in = 0;
  // One problem in so many, of the cells and types that take them, has gates with functions of their own; 0: none has.
  uint64_t gates_one_in = 0;
  // Likewise has masks, of those whose data and weights are floats.
  uint64_t masks_one_in = 0;
  // Half of the vanilla RNNs have one of these in place of relu, tanh and logistic, with the same else.
  std::vector<Activation> other_activations;
};

// The activations that only `other_activations` draws.
std::vector<Activation> OtherActivations();

// Problem number `index` of the run with this seed. Valid by the specification. The problems cover every cell,
// direction, type, optional tensor, layout and kind of data, and every possible pair of features (pairs.h).
ProblemSpec RandomProblem(const ProblemScope& scope, uint64_t seed, uint64_t index);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PROBLEM_RANDOM_RANDOM_PROBLEM_H_
