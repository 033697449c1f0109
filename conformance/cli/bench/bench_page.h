// The figures of a run as one HTML page without script: the machine's roofline with every problem on it, and a bar for
// each implementation.
#ifndef TANDEM_CONFORMANCE_CLI_BENCH_BENCH_PAGE_H_
#define TANDEM_CONFORMANCE_CLI_BENCH_BENCH_PAGE_H_

#include <string>
#include <vector>

#include "conformance/cli/bench/bench.h"
#include "conformance/cli/bench/bench_bound.h"
#include "conformance/cli/bench/rounds.h"

namespace tandem::conformance {

// One problem: the fastest timing of each implementation that was timed, with the bound of its number of threads.
struct BenchEntry {
  ProblemSpec spec;
  struct Best {
    Timing timing;
    Bound bound;
    RoundRatio ratio;  // of the first implementation to this one
  };
  std::vector<Best> best;
};

// `roof` has the rates of the largest number of threads.
std::string BenchPage(const std::vector<BenchEntry>& entries, const Roof& roof);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CLI_BENCH_BENCH_PAGE_H_
