// Whether what a plugin's process holds grows with the calls.
#ifndef TANDEM_CONFORMANCE_JUDGE_GROWTH_H_
#define TANDEM_CONFORMANCE_JUDGE_GROWTH_H_

#include <string>

#include "conformance/sandbox/runner.h"

namespace tandem::conformance {

// Problems of at most so many multiply-adds are looked at: they are executed some hundred times.
constexpr double kMostGrowthMacs = 2e5;

struct Growth {
  // Empty if nothing grows; else how much of what: "256 descriptors more after 128 executions".
  std::string resources;
  // The number of executions, and the report of the last one. The first failure ends them.
  int executions = 0;
  ExecutionReport last;
};

// Executes the problem again and again in one process and reads after each eighth time what the process holds. Caches that are
// filled at first, or until they are full, do not count. Memory is left out of a command behind a pipe: one with a garbage
// collector grows until it collects.
Growth GrowthOf(const Plugin& plugin, const RnnProblem& problem, const RunOptions& run, const TensorSet& inputs);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_JUDGE_GROWTH_H_
