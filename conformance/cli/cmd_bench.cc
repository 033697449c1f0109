#include <omp.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "conformance/cli/arguments.h"
#include "conformance/cli/bench/bench.h"
#include "conformance/cli/bench/bench_bound.h"
#include "conformance/cli/bench/bench_text.h"
#include "conformance/cli/bench/stream_bench.h"
#include "conformance/cli/cli.h"
#include "conformance/cli/environment.h"
#include "conformance/cli/progress.h"
#include "conformance/cli/runs/memory_budget.h"
#include "conformance/cli/terminal.h"
#include "conformance/problem/base/format.h"
#include "conformance/problem/problem_notation.h"
#include "conformance/sandbox/runfiles.h"

namespace tandem::conformance {
namespace {

// No machine of today has more threads. OpenMP ends the program if it cannot start them.
constexpr uint64_t kMostThreads = 1024;

struct BenchWords {
  std::vector<std::string> implementations;
  std::vector<int> threads;
  double seconds = 0.1;
  int rounds = 15;
  bool csv = false;
  bool skip_verification = false;
  bool stream = false;
  MemoryBudget memory;
};

// The default is all threads of this machine, and one.
std::vector<int> DefaultThreads() {
  const int all = omp_get_num_procs();
  return all == 1 ? std::vector<int>{1} : std::vector<int>{1, all};
}

// Threads that sleep between two executions would add their wake-up time. libgomp reads OMP_WAIT_POLICY when the
// program starts, so the program is started again.
void RestartWithActiveWaiting(const std::vector<std::string>& arguments) {
  if (std::getenv("OMP_WAIT_POLICY") != nullptr) return;
  setenv("OMP_WAIT_POLICY", "active", 1);
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  execv("/proc/self/exe", argv.data());
  // If execv fails, the figures are those of the current policy.
}

std::vector<std::string> OwnArguments() {
  std::vector<std::string> arguments;
  std::FILE* file = std::fopen("/proc/self/cmdline", "r");
  if (file == nullptr) return arguments;
  std::string current;
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) {
    if (c != 0) {
      current.push_back(static_cast<char>(c));
    } else {
      arguments.push_back(current);
      current.clear();
    }
  }
  std::fclose(file);
  return arguments;
}

// Verifies in worker processes, before any contender is loaded here. A contender that crashes or hangs there is never loaded.
bool VerifyAll(const std::vector<Contender>& contenders, const std::vector<ProblemSpec>& problems) {
  bool ok = true;
  size_t done = 0;
  ProgressLine line("verifying");
  for (const Contender& contender : contenders) {
    for (const ProblemSpec& spec : problems) {
      line.ShowStep(done++, contenders.size() * problems.size(), "problems");
      std::string message;
      const Outcome outcome = VerifyForBench(contender, spec, &message);
      // TimeProblem reports what is refused.
      if (outcome.ok() || outcome.verdict() == Verdict::kNotSupported) continue;
      line.Hide();
      Print(contender.plugin.word + ": " + ToString(outcome.verdict()) + ": " + PrintProblem(spec) + ": " + message +
                "\n",
            stderr);
      // Only the first implementation, which is measured against the others, must conform. VACUOUS is no failure.
      const bool survives = outcome.verdict() < Verdict::kTimeout;
      if (&contender == &contenders.front() ? outcome.verdict() != Verdict::kVacuous : !survives) ok = false;
    }
  }
  return ok;
}

// Returns the timing with the best median of all numbers of threads. It has no execution if there is no figure.
Timing Best(const std::vector<Timing>& timings, const std::string& implementation) {
  Timing best;
  for (const Timing& t : timings) {
    if (t.implementation != implementation || !t.refused.empty()) continue;
    if (best.executions == 0 || t.median_seconds < best.median_seconds) best = t;
  }
  return best;
}

void PrintHeader(Style style) {
  if (style == Style::kCsv) return Print(CsvHeader(), stdout);
  for (const std::string& sentence : TableHeader()) PrintSentence(sentence);
}

// Returns true if any implementation was timed.
bool BenchProblem(const std::vector<Contender>& contenders, const ProblemSpec& spec, BenchOptions options, Style style,
                  BenchSummary* summary, ProgressLine* line) {
  ProblemRates rates(spec, options.threads);
  // Rates are measured in every third round, which takes about as long as the turns of a short problem.
  constexpr int kRoundsForRates = 3;
  options.after_round = [&rates, round = 0]() mutable {
    if (round++ % kRoundsForRates == 0) rates.Measure();
  };
  const std::vector<Timing> timings = TimeProblem(contenders, spec, options);
  line->Hide();
  if (style == Style::kTable) Printf(stdout, "%s\n%s", PrintProblem(spec).c_str(), LiveCells(spec, rates).c_str());
  const Timing own = Best(timings, contenders.front().plugin.word);
  bool timed = false;
  for (const Timing& t : timings) {
    if (!t.refused.empty()) {
      Printf(style == Style::kCsv ? stderr : stdout, "  %-10s %2d thr  not timed: %s\n", t.implementation.c_str(),
             t.threads, t.refused.c_str());
      continue;
    }
    const Timing best = Best(timings, t.implementation);
    Print(TimingText(style, Columns(stdout), spec, t, CompareRounds(own, best), rates), stdout);
    timed = true;
  }
  double bound = HUGE_VAL;
  for (const Timing& t : timings) bound = std::min(bound, rates.BoundOn(t.threads).seconds);
  for (size_t i = 1; i < contenders.size(); ++i) {
    const Timing peer = Best(timings, contenders[i].plugin.word);
    const RoundRatio ratio = CompareRounds(own, peer);
    if (std::isfinite(ratio.ratio)) summary->Add(contenders[i].plugin.word, ratio, peer.median_seconds / bound);
  }
  std::fflush(stdout);
  return timed;
}

// Times single calls and prints them. Returns true if any implementation was timed.
bool BenchStreams(const std::vector<Contender>& contenders, const std::vector<ProblemSpec>& problems) {
  const double clock = ClockNanoseconds();
  PrintSentence(
      "ns a call: the median of blocks of 250 calls. p50, p99.9, p99.99: of 100,000 single calls, without the " +
      std::to_string(std::lround(clock)) +
      " ns that reading the clock takes; of a program behind a pipe 10,000, by its own clock. x: that time to the "
      "first "
      "implementation's.");
  bool timed = false;
  for (const ProblemSpec& spec : problems) {
    Printf(stdout, "%s\n", PrintProblem(spec).c_str());
    double first = 0;
    for (const StreamTiming& t : TimeCalls(contenders, spec, clock)) {
      if (!t.refused.empty()) {
        Printf(stdout, "  %-12s not timed: %s\n", t.implementation.c_str(), t.refused.c_str());
        continue;
      }
      if (first == 0) first = t.times.call;
      Print(CallText(t.implementation, t.times, first, spec.mb), stdout);
      timed = true;
    }
    std::fflush(stdout);
  }
  return timed;
}

int ExitCode(const ProblemReader& reader, bool is_timed) {
  if (!is_timed) PrintError("nothing was timed");
  return !is_timed ? kExitFails : reader.unknown_knobs().empty() ? kExitConforms : kExitUnknownKnobs;
}

int RunBench(BenchWords words, std::vector<std::string> problem_words) {
  RestartWithActiveWaiting(OwnArguments());
  if (words.threads.empty()) words.threads = DefaultThreads();
  if (words.implementations.empty()) {
    words.implementations = {"optimized", "onednn"};
    if (words.stream) words.implementations.insert(words.implementations.begin(), "streams");
  }
  const std::string shapes = words.stream ? "stream_shapes.txt" : "bench_shapes.txt";
  if (problem_words.empty()) problem_words = {"--batch=" + RunfilePath("conformance/cli/bench/" + shapes)};
  const ProblemReader reader = ReadProblems(problem_words);
  if (reader.problems().empty()) throw UsageError(kNoProblem);
  words.memory.Check(reader.problems());
  std::vector<Contender> contenders;
  for (const std::string& word : words.implementations) contenders.push_back(LoadContender(word));
  if (!words.skip_verification && !VerifyAll(contenders, reader.problems())) {
    Printf(stderr, "not timed: the results are wrong\n");
    return kExitFails;
  }
  for (Contender& contender : contenders) LoadHere(&contender);
  if (words.stream) return ExitCode(reader, BenchStreams(contenders, reader.problems()));
  BenchOptions options;
  options.threads = words.threads;
  options.rounds = words.rounds;
  options.order = TurnOrder::kAlternating;
  options.seconds_per_turn = words.seconds / words.rounds;
  const Style style = words.csv ? Style::kCsv : Style::kTable;
  PrintHeader(style);
  BenchSummary summary;
  size_t done = 0, timed = 0;
  ProgressLine line("timing");
  for (const ProblemSpec& spec : reader.problems()) {
    line.ShowStep(done++, reader.problems().size(), "problems");
    if (BenchProblem(contenders, spec, options, style, &summary, &line)) ++timed;
  }
  line.Hide();
  if (style == Style::kTable) {
    for (const int threads : words.threads) PrintSentence(RatesText(MeasureRoof(threads)));
    Print(summary.Text(), stdout);
  }
  return ExitCode(reader, timed != 0);
}

}  // namespace

Command AddBenchCommand(CLI::App* app) {
  auto words = std::make_shared<BenchWords>();
  AddImplementations(
      app, &words->implementations,
      "what is timed, the first against the others (optimized,onednn; with --stream streams before them)");
  app->add_option("--threads", words->threads, "numbers of threads, e.g. 1,2; one and all if not given")
      ->delimiter(',')
      ->check(WholeNumber(1, kMostThreads))
      ->allow_extra_args(false);
  app->add_option("--time", words->seconds, "seconds measured for each implementation and number of threads (0.1)")
      ->check(kSeconds);
  app->add_option(
         "--rounds", words->rounds,
         "turns that those seconds are divided into (15), fewer but at least five where an execution takes longer")
      ->check(WholeNumber(1, 1'000'000));
  words->memory.AddOption(app);
  app->add_flag("--stream", words->stream,
                "time single calls on one thread: ns a call, p50, p99.9 and p99.99 of 100,000");
  app->add_flag("--csv", words->csv, "one line for each figure, for programs");
  app->add_flag("--no-check", words->skip_verification, "time without verifying first");
  AddColours(app);
  app->footer(
      "PROBLEM and --batch=FILE as in `tandem check`; without any, the table of networks in\n"
      "conformance/cli/bench/bench_shapes.txt (--stream: stream_shapes.txt). Verifies everything,\n"
      "then times.");
  app->allow_extras();
  return [app, words] { return RunBench(*words, app->remaining()); };
}

}  // namespace tandem::conformance
