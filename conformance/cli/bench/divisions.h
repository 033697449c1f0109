// Every way of dividing a problem's work among threads, timed beside the one that the implementation chooses: what its
// model of the time is worth.
#ifndef TANDEM_CONFORMANCE_CLI_BENCH_DIVISIONS_H_
#define TANDEM_CONFORMANCE_CLI_BENCH_DIVISIONS_H_

#include <string>
#include <vector>

#include "conformance/cli/bench/bench.h"
#include "conformance/problem/problem_spec.h"

namespace tandem::conformance {

// Into how many parts directions, minibatch rows and units are cut.
struct DivisionOfWork {
  int dirs = 1;
  int rows = 1;
  int units = 1;
  int threads() const { return dirs * rows * units; }
  std::string ToString() const;  // as TANDEM_DIVISION: 1x2x1
};

// Those that the problem has enough directions and rows for, and that use 1, 2, 4, ... or all of `threads`. Backward
// divides each part of its work in a way of its own: there only the number of threads differs.
std::vector<DivisionOfWork> DivisionsOf(const ProblemSpec& spec, int threads);

// What was chosen, and each division; `chosen` is timed by itself, so that it differs from its own division by noise.
struct DivisionTimings {
  Timing chosen;
  std::vector<Timing> tried;  // as DivisionsOf()
  // The minimum of what was chosen over the lowest one; NaN where there is no figure. Minima, because whatever else runs
  // on the machine delays several threads more than one.
  double ChosenToBest() const;
};

// All of them take turns, on at most `threads` threads. Of `options`, the numbers of threads do not count.
DivisionTimings TimeDivisions(const Contender& contender, const ProblemSpec& spec, int threads,
                              const BenchOptions& options);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CLI_BENCH_DIVISIONS_H_
