// The problems that `tandem check` starts with: layers of networks in use, and the shapes that benchdnn's lists repeat.
#ifndef TANDEM_CONFORMANCE_PROBLEM_NETWORK_SHAPES_H_
#define TANDEM_CONFORMANCE_PROBLEM_NETWORK_SHAPES_H_

#include <vector>

#include "conformance/problem/problem_spec.h"

namespace tandem::conformance {

std::vector<ProblemSpec> NetworkShapes();

// Each activation of each cell over its whole range, alone: their ratios are those of the activations.
std::vector<ProblemSpec> ActivationSweeps();

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PROBLEM_NETWORK_SHAPES_H_
