// Which numbers of the optimized backend's tuning suit this machine: each is tried with other values, on problems whose time
// it decides about, beside the value in force.
#ifndef TANDEM_CONFORMANCE_CLI_BENCH_TUNE_H_
#define TANDEM_CONFORMANCE_CLI_BENCH_TUNE_H_

#include <functional>
#include <string>
#include <vector>

#include "conformance/cli/bench/bench.h"
#include "conformance/problem/problem_spec.h"

namespace tandem::conformance {

enum class TuneThreads { kOne, kAll };

struct NumberToTune {
  std::string name;  // as TANDEM_TUNING has it
  TuneThreads threads = TuneThreads::kOne;
  std::vector<std::string> values;
  std::vector<ProblemSpec> problems;
};
const std::vector<NumberToTune>& NumbersToTune();

// Time with each of `settings` (values of TANDEM_TUNING) over that with the first: the geometric mean over the number's
// problems. NaN where there is no figure.
using MeasureSettings =
    std::function<std::vector<double>(const NumberToTune& number, const std::vector<std::string>& settings)>;
MeasureSettings Stopwatch(const Contender& contender, int all_threads, const BenchOptions& options);

struct TunedNumber {
  std::vector<double> ratios;  // of each value
  std::string value;           // that replaces the one in force; empty: none does
  double ratio = 1;            // of the time with it, measured once more
};

// The value that is fastest, if it saves more than 2 % twice: less is noise, and the first time is the best of several.
TunedNumber TuneNumber(const NumberToTune& number, const std::string& setting, const MeasureSettings& measure);

// "barrier=900" behind `setting`.
std::string WithNumber(const std::string& setting, const std::string& name, const std::string& value);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CLI_BENCH_TUNE_H_
