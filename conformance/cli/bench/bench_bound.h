// The bound is the least time that this machine can take for a problem, from rates measured in the same run.
#ifndef TANDEM_CONFORMANCE_CLI_BENCH_BENCH_BOUND_H_
#define TANDEM_CONFORMANCE_CLI_BENCH_BENCH_BOUND_H_

#include <map>
#include <string>
#include <vector>

#include "conformance/cli/bench/bench_peak.h"
#include "conformance/problem/problem_spec.h"

namespace tandem::conformance {

// A problem moves and computes this much whatever the implementation does. Each step reads the recurrent weights of its layer
// and direction once more, since it needs the state of the step before.
struct Traffic {
  double ops = 0;         // CountOps, of the live cells only
  double live_share = 1;  // the share of the cells whose row has a step there
  double all_bytes = 0;   // all weights, and gradients of weights
  double once_bytes = 0;  // the part of all_bytes that an execution reads once; everything if there is a single step
  double step_bytes = 0;  // recurrent weights and projection of one layer and direction
  double steps = 0;       // reads of step_bytes: all layers, directions and steps of the longest row; 0 if it has one
};
Traffic TrafficOf(const ProblemSpec& spec);

// Returns the narrowest factors that `spec` permits to be multiplied.
Factors FactorsOf(const ProblemSpec& spec);

enum class Limit { kArithmetic, kWeights };
const char* ToString(Limit limit);

struct Bound {
  double seconds = 0;
  Limit limit = Limit::kArithmetic;
};

// These rates bound a problem. They are measured in turns with the implementations, because the clock of a processor changes
// with its load and its neighbours'. Like the times they are medians.
class ProblemRates {
 public:
  ProblemRates(const ProblemSpec& spec, const std::vector<int>& threads);

  // Measures each rate once more.
  void Measure();

  double ops() const { return traffic_.ops; }
  double live_share() const { return traffic_.live_share; }
  // Return the operations per second, and the least time, on one of the numbers of threads given above.
  double PeakOn(int threads) const;
  Bound BoundOn(int threads) const;

 private:
  struct Samples {
    std::vector<double> peak;
    std::vector<double> once, step;  // bytes per second that are read once, and in each step
  };
  Factors factors_;
  Traffic traffic_;
  std::map<int, Samples> samples_;  // the key is the number of threads
};

// These rates limit a program on `threads` threads. Each is the best of several measurements.
struct Roof {
  int threads = 0;
  double f32 = 0, bf16 = 0, int8 = 0;  // operations per second
  struct Level {
    std::string name;
    double bytes_per_second;
  };
  std::vector<Level> levels;  // caches, from the nearest on; the last may be memory in a virtual machine
};
Roof MeasureRoof(int threads);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CLI_BENCH_BENCH_BOUND_H_
