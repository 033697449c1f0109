// Two implementations, round by round. What slows a machine down for a while slows both in the same rounds, so the ratio of a
// round says more than that of two figures that come from different rounds.
#ifndef TANDEM_CONFORMANCE_CLI_BENCH_ROUNDS_H_
#define TANDEM_CONFORMANCE_CLI_BENCH_ROUNDS_H_

#include <cmath>
#include <vector>

#include "conformance/cli/bench/bench.h"

namespace tandem::conformance {

// The rounds of a comparison say one of these about its ratio.
enum class RoundsSay {
  kOneThing,
  kDisturbed,  // they disagree by more than the ratio differs from 1
};

// The ratio says how much faster one implementation is than another: the other's seconds divided by its own.
struct RoundRatio {
  double ratio = NAN;  // the median of the rounds' ratios; NaN if one of the two has no round
  double low = NAN,
         high = NAN;  // it lies between them at 95 %, whatever the distribution is; of few rounds, all of them
  RoundsSay rounds = RoundsSay::kOneThing;
};

// `own` and `other` took turns. The fastest executions of both count as one more round for RoundRatio::rounds, because a machine
// that is disturbed all the time disturbs each round alike, and an implementation with more threads more.
RoundRatio CompareRounds(const Timing& own, const Timing& other);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CLI_BENCH_ROUNDS_H_
