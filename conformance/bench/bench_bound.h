// The least time that this machine can take for a problem, from rates measured in the same run. A share of it can be
// compared between machines; a time cannot.
#ifndef TANDEM_CONFORMANCE_BENCH_BENCH_BOUND_H_
#define TANDEM_CONFORMANCE_BENCH_BENCH_BOUND_H_

#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "conformance/bench/bench_peak.h"
#include "conformance/problem/problem_spec.h"

namespace tandem::conformance {

// What a problem moves and computes whatever the implementation does: each step reads the recurrent weights of its layer
// and direction once more, since it needs the state of the step before.
struct Traffic {
  double ops = 0;         // CountOps
  double all_bytes = 0;   // all weights, and gradients of weights
  double once_bytes = 0;  // of these, what an execution reads once; everything if there is a single step
  double step_bytes = 0;  // recurrent weights and projection of one layer and direction
  double steps = 0;       // how often those are read: all layers, directions and steps; 0 if there is a single one
};
Traffic TrafficOf(const ProblemSpec& spec);

enum class Limit { kArithmetic, kWeights };
const char* ToString(Limit limit);

struct Bound {
  double seconds = 0;
  Limit limit = Limit::kArithmetic;
};

// What limits a program on so many threads.
struct Roof {
  int threads = 0;
  Peak peak;
  struct Level {
    std::string name;
    double bytes_per_second;
  };
  std::vector<Level> levels;  // of the cache, from the nearest on; the last may be memory in a virtual machine
};

using ReadKey = std::tuple<size_t, int, ReadOrder>;  // bytes, threads

// The rates of this machine with each number of threads, the best seen so far: two processors of a virtual machine may
// for minutes share one core.
class MachineRates {
 public:
  explicit MachineRates(std::vector<int> threads) : threads_(std::move(threads)) {}

  // Measures the peaks, and the read rates of the problem's weights; again where it did so before.
  void Measure(const ProblemSpec& spec);

  // Of a problem that was measured.
  double PeakFor(const ProblemSpec& spec, int threads) const;
  Bound BoundOf(const ProblemSpec& spec, int threads) const;
  // Measures the read rates of the caches that are not known yet; the peaks are those of the problems so far.
  Roof RoofOf(int threads);

 private:
  double MeasureRead(const ReadKey& key);

  std::vector<int> threads_;
  std::map<int, Peak> peak_;
  std::map<ReadKey, double> read_rate_;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_BENCH_BENCH_BOUND_H_
