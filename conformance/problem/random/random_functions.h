// Draws the activations of random problems.
#ifndef TANDEM_CONFORMANCE_PROBLEM_RANDOM_FUNCTIONS_H_
#define TANDEM_CONFORMANCE_PROBLEM_RANDOM_FUNCTIONS_H_

#include <cstdint>
#include <vector>

#include "conformance/problem/random/random_problem.h"

namespace tandem::conformance {

std::vector<Activation> ActivationsIn(InRandomProblems problems);

// Both draw from random streams of their own, so that other problems do not depend on them. The first chooses the activation of
// a vanilla RNN, the second functions, clip and coupling of gates.
void MayDrawActivation(const ProblemScope& scope, uint64_t seed, uint64_t index, ProblemSpec* spec);
void MayDrawGates(const ProblemScope& scope, uint64_t seed, uint64_t index, ProblemSpec* spec);

// Says whether gates of this problem may have functions of their own, a clip at least.
bool TakesGateFunctions(Cell cell, Config config);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PROBLEM_RANDOM_FUNCTIONS_H_
