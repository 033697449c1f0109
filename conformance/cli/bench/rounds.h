// Two implementations are compared round by round. A disturbance of the machine slows both in the same rounds. The ratio of a
// round therefore says more than that of two figures that come from different rounds.
#ifndef TANDEM_CONFORMANCE_CLI_BENCH_ROUNDS_H_
#define TANDEM_CONFORMANCE_CLI_BENCH_ROUNDS_H_

#include <cmath>
#include <vector>

#include "conformance/cli/bench/bench.h"

namespace tandem::conformance {

// The rounds of a comparison say one of these about its ratio.
enum class RoundsSay {
  kOneThing,
  kDisturbed,  // the rounds disagree by more than the ratio differs from 1
};

// The ratio says how much faster one implementation is than another: the other's seconds divided by its own.
struct RoundRatio {
  double ratio = NAN;  // the median of the rounds' ratios; NaN if one of the two has no round
  double low = NAN,
         high = NAN;  // the ratio lies between them at 95 % for any distribution; of few rounds, the extremes
  RoundsSay rounds = RoundsSay::kOneThing;
};

// `own` and `other` took turns. For RoundRatio::rounds the fastest executions of both count as one more round: a machine that
// is disturbed all the time disturbs each round alike, and disturbs an implementation with more threads more.
RoundRatio CompareRounds(const Timing& own, const Timing& other);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CLI_BENCH_ROUNDS_H_
