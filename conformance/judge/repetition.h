// The same problem is executed again. In one process its memory must not grow, and its outputs must stay; in another
// environment the outputs can be held to the same bits.
#ifndef TANDEM_CONFORMANCE_JUDGE_REPETITION_H_
#define TANDEM_CONFORMANCE_JUDGE_REPETITION_H_

#include <optional>
#include <string>

#include "conformance/judge/verdict/check_bounds.h"
#include "conformance/sandbox/runner.h"

namespace tandem::conformance {

// Only problems of at most this many multiply-adds are repeated: they are executed some hundred times.
constexpr double kMostRepeatedMacs = 2e5;

// These outputs are not those of the first execution.
struct OtherOutputs {
  TensorSet outputs;
  // The text is for example "dst_layer: element 3 is 0.5, then 0.7".
  std::string difference;
};

struct Repetition {
  // The text says what grows and how much: "256 descriptors more after 128 executions". It is empty if nothing does.
  std::string growth;
  // These are the number of executions, and the report of the last one. The first failure ends them, and so do other outputs.
  int executions = 0;
  ExecutionReport last;
  std::optional<OtherOutputs> other;
};

// Executes the problem at least 128 times in one process, which is 256 calls of run(), and reads which resources the process
// holds. Caches that are filled at first, or until they are full, do not count. Memory is left out of a command behind a pipe:
// one with a garbage collector grows until it collects.
Repetition Repeat(const Plugin& plugin, const RnnProblem& problem, const RunOptions& run, const TensorSet& inputs);

// Executes the problem some times in one process, with each second run while another thread executes it on zeros.
Repetition RepeatInCompany(const Plugin& plugin, const RnnProblem& problem, const RunOptions& run,
                           const TensorSet& inputs);

// Executes the problem once with one more variable, "NAME=VALUE", and compares the outputs with those of `executed`.
Repetition ExecuteWith(const std::string& variable, const Plugin& plugin, const RunOptions& run,
                       const Execution& executed);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_JUDGE_REPETITION_H_
