#include <omp.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "conformance/cli/arguments.h"
#include "conformance/cli/bench/bench.h"
#include "conformance/cli/bench/tune.h"
#include "conformance/cli/cli.h"
#include "conformance/cli/environment.h"
#include "conformance/cli/terminal.h"
#include "conformance/sandbox/runfiles.h"
#include "conformance/sandbox/whole_file.h"

namespace tandem::conformance {
namespace {

struct TuneWords {
  std::vector<std::string> numbers;
  std::string output;
  double seconds = 0.1;
  int rounds = 5;
};

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The file is tandem/tuning in the user's folder of caches.
std::string FileInCache() {
  const std::string cache = Variable("XDG_CACHE_HOME"), home = Variable("HOME");
  if (cache.empty() && home.empty())
    throw UsageError("--output: must be given where neither XDG_CACHE_HOME nor HOME is");
  return (cache.empty() ? home + "/.cache" : cache) + "/tandem/tuning";
}

// The numbers count for the target that was measured; under a limit of oneDNN it is not known here, and they count for any.
std::string TargetWord() {
  const std::string named = Variable("TANDEM_TARGET");
  if (!named.empty()) return "target=" + named;
  if (!Variable("ONEDNN_MAX_CPU_ISA").empty() || !Variable("DNNL_MAX_CPU_ISA").empty()) return "";
  const std::string targets = Targets();
  return "target=" + targets.substr(0, targets.find(','));
}

void PrintTuned(const NumberToTune& number, const TunedNumber& tuned) {
  Printf(stdout, "%-20s", number.name.c_str());
  for (size_t i = 0; i < number.values.size(); ++i) {
    Printf(stdout, " %s: %.3f", number.values[i].c_str(), tuned.ratios[i]);
  }
  tuned.value.empty() ? Printf(stdout, "; stays\n")
                      : Printf(stdout, "; becomes %s, again %.3f\n", tuned.value.c_str(), tuned.ratio);
  std::fflush(stdout);
}

// Returns the numbers that were asked for, or all. With one processor those of several threads are left out.
std::vector<NumberToTune> Chosen(const std::vector<std::string>& names, int threads) {
  std::vector<NumberToTune> chosen;
  std::string known;
  for (const NumberToTune& number : NumbersToTune()) {
    known += (known.empty() ? "" : ", ") + number.name;
    if (!names.empty() && std::find(names.begin(), names.end(), number.name) == names.end()) continue;
    if (number.threads == TuneThreads::kAll && threads == 1) {
      Printf(stdout, "%-20s SKIPPED: needs a second processor\n", number.name.c_str());
    } else {
      chosen.push_back(number);
    }
  }
  for (const std::string& name : names) {
    const auto is_name = [&](const NumberToTune& number) { return number.name == name; };
    if (std::none_of(NumbersToTune().begin(), NumbersToTune().end(), is_name)) {
      throw UsageError("--number=" + name + ": the numbers are " + known);
    }
  }
  return chosen;
}

// Returns the time with `setting` divided by that with `other`, the geometric mean over all problems.
double RatioOfAll(const std::vector<NumberToTune>& numbers, const std::string& setting, const std::string& other,
                  const MeasureSettings& measure) {
  double logs = 0;
  for (const NumberToTune& number : numbers) logs += std::log(measure(number, {other, setting})[1]);
  return std::exp(logs / static_cast<double>(numbers.size()));
}

int RunTune(const TuneWords& words) {
  CheckEnvironment();
  const int threads = omp_get_num_procs();
  const std::vector<NumberToTune> numbers = Chosen(words.numbers, threads);
  if (numbers.empty()) throw UsageError("there is no number to tune");
  const std::string output = words.output.empty() ? FileInCache() : words.output;
  if (words.output.empty()) std::filesystem::create_directories(std::filesystem::path(output).parent_path());
  CheckWritable("--output", output);
  // After a stall Tandem takes fewer threads for a while, whatever the numbers say, so this is switched off.
  setenv("TANDEM_TEAM_BACKOFF", "off", 0);
  Contender contender = LoadContender("optimized");
  LoadHere(&contender);
  BenchOptions options;
  options.rounds = words.rounds;
  options.seconds_per_turn = words.seconds / words.rounds;
  const MeasureSettings measure = Stopwatch(contender, threads, options);

  const std::string table = TargetWord(), given = Variable("TANDEM_TUNING");
  const std::string start = given.empty() ? table : given;
  std::string setting = start;
  PrintSentence(
      "time with each value over the time with the one in force; several threads by the wall clock; a value "
      "replaces it if it saves more than 2 % twice");
  for (const NumberToTune& number : numbers) {
    const TunedNumber tuned = TuneNumber(number, setting, measure);
    PrintTuned(number, tuned);
    if (!tuned.value.empty()) setting = WithNumber(setting, number.name, tuned.value);
  }
  Printf(stdout, "all problems: %.3f of the time at the beginning", RatioOfAll(numbers, setting, start, measure));
  if (!given.empty())
    Printf(stdout, ", %.3f of that with the table's numbers", RatioOfAll(numbers, setting, table, measure));
  Printf(stdout, "\n%s\n", setting.c_str());
  WriteWholeFiles({{output, setting + "\n"}});
  PrintSentence("to use them: export TANDEM_TUNING=\"$(cat " + output + ")\"");
  return kExitConforms;
}

}  // namespace

Command AddTuneCommand(CLI::App* app) {
  auto words = std::make_shared<TuneWords>();
  app->add_option("--output", words->output, "the file that gets the numbers (tandem/tuning in the folder of caches)");
  app->add_option("--number", words->numbers, "tune these numbers only, e.g. region,barrier")
      ->delimiter(',')
      ->allow_extra_args(false);
  app->add_option("--time", words->seconds, "seconds measured for each value and problem (0.1)")->check(kSeconds);
  app->add_option("--rounds", words->rounds, "turns that those seconds are divided into (5)")
      ->check(WholeNumber(1, 1'000'000));
  app->footer(
      "Begins with the numbers of TANDEM_TUNING, else with the table's. Results never depend on them. A library uses\n"
      "the file's numbers where TANDEM_TUNING holds them.");
  return [words] { return RunTune(*words); };
}

}  // namespace tandem::conformance
