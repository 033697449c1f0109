// The tuner finds which numbers of the optimized backend's tuning suit this machine. It tries each number with other values
// beside the value in force, on problems whose time the number decides about.
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
  std::string name;  // TANDEM_TUNING has it under this name
  TuneThreads threads = TuneThreads::kOne;
  std::vector<std::string> values;
  std::vector<ProblemSpec> problems;
};
const std::vector<NumberToTune>& NumbersToTune();

// The function returns the time with each of `settings` (values of TANDEM_TUNING), divided by that with the first. Each ratio
// is the geometric mean over the number's problems. It is NaN if there is no figure.
using MeasureSettings =
    std::function<std::vector<double>(const NumberToTune& number, const std::vector<std::string>& settings)>;
MeasureSettings Stopwatch(const Contender& contender, int all_threads, const BenchOptions& options);

struct TunedNumber {
  std::vector<double> ratios;  // one for each value
  std::string value;           // it replaces the one in force; empty: none does
  double ratio = 1;            // the ratio of the time with it, measured once more
};

// Returns the value that is fastest, if it saves more than 2 % twice. Less is noise, and the first time is the best of several.
TunedNumber TuneNumber(const NumberToTune& number, const std::string& setting, const MeasureSettings& measure);

// Returns `setting` with for example "barrier=900" added.
std::string WithNumber(const std::string& setting, const std::string& name, const std::string& value);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CLI_BENCH_TUNE_H_
