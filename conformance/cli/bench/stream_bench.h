// `tandem bench --stream` times single calls, as a client in real time makes them, and says how long the slowest take.
#ifndef TANDEM_CONFORMANCE_CLI_BENCH_STREAM_BENCH_H_
#define TANDEM_CONFORMANCE_CLI_BENCH_STREAM_BENCH_H_

#include <string>
#include <vector>

#include "conformance/cli/bench/bench.h"

namespace tandem::conformance {

// The times are nanoseconds.
struct CallTimes {
  double call = 0;                      // the median over blocks of calls, without a clock between them
  double p50 = 0, p999 = 0, p9999 = 0;  // percentiles of single calls, without the time of reading the clock
};

// These are one implementation's samples, in nanoseconds. Each single call has the time of one reading of the clock in it, unless
// the implementation measures itself.
struct CallSamples {
  std::vector<double> blocks, calls;
  bool by_own_clock = false;
};

// Takes the samples of one round.
void TakeRound(const PreparedCall& call, CallSamples* samples);

CallTimes TimesOf(CallSamples samples, double clock);

// Returns the median time from one reading of the clock to the next.
double ClockNanoseconds();

// Returns "  streams        47 ns a call  p50 50  p99.9 61  p99.99 90  21.3 M calls a second  0.99 x". The last number is the
// ratio of `first`, the first implementation's time, to this one's. A call has `rows` rows.
std::string CallText(const std::string& implementation, const CallTimes& times, double first, Dim rows);

// The timing is of one implementation on one problem.
struct StreamTiming {
  std::string implementation;
  std::string refused;  // why there are no figures; empty if there are
  CallTimes times;
};

// Returns the timings in the order of the contenders, on one thread. `clock` is ClockNanoseconds().
std::vector<StreamTiming> TimeCalls(const std::vector<Contender>& contenders, const ProblemSpec& spec, double clock);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CLI_BENCH_STREAM_BENCH_H_
