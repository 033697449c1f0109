#include "conformance/cli/bench/tune.h"

#include <algorithm>
#include <cmath>

#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {
namespace {

using Words = std::vector<std::string>;

// Returns the problems of several lines of the notation. The options of a line do not hold in the next.
std::vector<ProblemSpec> Problems(const std::vector<Words>& lines) {
  std::vector<ProblemSpec> problems;
  for (const Words& words : lines) {
    ProblemReader reader;
    for (const std::string& word : words) reader.ReadWord(word);
    problems.insert(problems.end(), reader.problems().begin(), reader.problems().end());
  }
  return problems;
}

constexpr double kNoise = 0.98;

}  // namespace

const std::vector<NumberToTune>& NumbersToTune() {
  const std::string lstm = "--alg=VANILLA_LSTM", gru = "--alg=VANILLA_GRU", backward = "--prop=BWD_DW";
  constexpr TuneThreads kOne = TuneThreads::kOne, kAll = TuneThreads::kAll;
  static const std::vector<NumberToTune> numbers = {
      {"chunk_rows", kOne, {"32", "64", "256", "512"}, Problems({{lstm, "l1t50mb1sic512"}, {gru, "l1t40mb12sic256"}})},
      {"resident_l2", kOne, {"0.4", "0.6", "1"}, Problems({{lstm, "l1t6mb96sic512"}, {gru, "l1t6mb160sic384"}})},
      {"most_input_k",
       kOne,
       {"0", "1024", "1536", "2048", "4096"},
       Problems({{lstm, "l1t6mb64sic512"}, {lstm, "l1t3mb96sic768"}, {gru, "l1t3mb128sic1024"}})},
      {"input_k_per_row", kOne, {"8", "32"}, Problems({{lstm, "l1t4mb64sic768"}, {lstm, "l1t6mb80sic512"}})},
      {"most_l3_bytes",
       kOne,
       {"0", "6291456", "33554432"},
       Problems({{lstm, "l1t1mb1sic512"}, {lstm, "l1t1mb2sic768"}})},
      {"product_rows",
       kOne,
       {"192", "384", "1536"},
       Problems({{lstm, backward, "l1t25mb32sic256"}, {lstm, backward, "l1t20mb64sic384"}})},
      {"barrier",
       kAll,
       {"125", "250", "1000", "2000", "8000"},
       Problems({{lstm, "l1t50mb1sic96"}, {gru, "l1t50mb2sic128"}, {lstm, "l1t50mb1sic160"}})},
      {"region",
       kAll,
       {"650", "1300", "5200", "20000"},
       Problems({{lstm, "l1t1mb1sic96"}, {lstm, "l1t1mb1sic160"}, {gru, "l1t1mb4sic128"}})},
      {"l3_bytes_per_cycle", kAll, {"9", "18", "54"}, Problems({{lstm, "l1t2mb1sic512"}, {gru, "l1t4mb1sic768"}})},
      {"divided_units", kAll, {"1", "1.1", "1.3"}, Problems({{lstm, "l1t10mb6sic256"}, {lstm, "l1t10mb3sic192"}})},
  };
  return numbers;
}

MeasureSettings Stopwatch(const Contender& contender, int all_threads, const BenchOptions& given) {
  return [contender, all_threads, given](const NumberToTune& number, const std::vector<std::string>& settings) {
    BenchOptions options = given;
    options.threads = {number.threads == TuneThreads::kAll ? all_threads : 1};
    // The first contender of a round pays for what ran before it. One that does not count goes first.
    std::vector<Contender> contenders(settings.size() + 1, contender);
    contenders[0].setting = {"TANDEM_TUNING", settings[0]};
    for (size_t i = 0; i < settings.size(); ++i) contenders[i + 1].setting = {"TANDEM_TUNING", settings[i]};
    std::vector<double> logs(settings.size(), 0);
    for (const ProblemSpec& spec : number.problems) {
      const std::vector<Timing> timings = TimeProblem(contenders, spec, options);
      for (size_t i = 0; i < settings.size(); ++i) {
        // Minima are compared, because whatever else runs on the machine only adds time.
        const Timing& timing = timings[i + 1];
        logs[i] += timing.refused.empty() ? std::log(timing.min_seconds / timings[1].min_seconds) : NAN;
      }
    }
    std::vector<double> ratios;
    for (const double sum : logs) ratios.push_back(std::exp(sum / static_cast<double>(number.problems.size())));
    return ratios;
  };
}

std::string WithNumber(const std::string& setting, const std::string& name, const std::string& value) {
  return setting + (setting.empty() ? "" : ",") + name + "=" + value;
}

TunedNumber TuneNumber(const NumberToTune& number, const std::string& setting, const MeasureSettings& measure) {
  std::vector<std::string> settings = {setting};
  for (const std::string& value : number.values) settings.push_back(WithNumber(setting, number.name, value));
  TunedNumber tuned;
  tuned.ratios = measure(number, settings);
  tuned.ratios.erase(tuned.ratios.begin());
  size_t best = number.values.size();
  for (size_t i = 0; i < number.values.size(); ++i) {
    if (tuned.ratios[i] < (best == number.values.size() ? kNoise : tuned.ratios[best])) best = i;
  }
  if (best == number.values.size()) return tuned;
  const double again = measure(number, {setting, settings[best + 1]})[1];
  if (!(again < kNoise)) return tuned;
  tuned.value = number.values[best];
  tuned.ratio = again;
  return tuned;
}

}  // namespace tandem::conformance
