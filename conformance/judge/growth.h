// Whether what a plugin's process holds grows with the calls.
#ifndef TANDEM_CONFORMANCE_JUDGE_GROWTH_H_
#define TANDEM_CONFORMANCE_JUDGE_GROWTH_H_

#include <string>

#include "conformance/sandbox/runner.h"

namespace tandem::conformance {

// Problems of at most so many multiply-adds are looked at: they are executed some hundred times.
constexpr double kMostGrowthMacs = 2e5;

// Executes the problem again and again in one process and reads after each eighth time what the process holds. Empty if nothing
// grows; else how much of what: "256 descriptors more after 128 executions". Caches that are filled at first, or until they are
// full, are none of this. Memory is left out of a command behind a pipe: one with a garbage collector grows until it collects.
std::string GrowthOf(const Plugin& plugin, const RnnProblem& problem, const RunOptions& run, const TensorSet& inputs);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_JUDGE_GROWTH_H_
