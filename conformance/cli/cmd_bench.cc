#include <omp.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iomanip>
#include <memory>
#include <sstream>

#include "conformance/cli/arguments.h"
#include "conformance/cli/bench/bench.h"
#include "conformance/cli/bench/bench_bound.h"
#include "conformance/cli/bench/bench_page.h"
#include "conformance/cli/bench/divisions.h"
#include "conformance/cli/cli.h"
#include "conformance/cli/environment.h"
#include "conformance/cli/progress.h"
#include "conformance/cli/runs/memory_budget.h"
#include "conformance/cli/terminal.h"
#include "conformance/problem/base/format.h"
#include "conformance/problem/problem_notation.h"
#include "conformance/sandbox/runfiles.h"
#include "conformance/sandbox/whole_file.h"

namespace tandem::conformance {
namespace {

enum class Style { kTable, kCsv };

// More than a machine of today has: OpenMP ends the program where it cannot start them.
constexpr uint64_t kMostThreads = 1024;

struct BenchWords {
  std::vector<std::string> implementations = {"optimized", "onednn"};
  std::vector<int> threads;
  double seconds = 0.1;
  int rounds = 5;
  bool csv = false;
  std::string html;
  bool skip_verification = false;
  bool divisions = false;
  MemoryBudget memory;
};

// All threads of this machine, and one.
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

// How much faster than `peer` the first implementation is; NaN where one of the two has no figure.
double Ratio(double own, double peer) { return std::isfinite(own) && std::isfinite(peer) ? peer / own : NAN; }

// Best median of one implementation over the numbers of threads; infinite if it has none.
double BestMedian(const std::vector<Timing>& timings, const std::string& implementation) {
  double best = HUGE_VAL;
  for (const Timing& t : timings) {
    if (t.implementation == implementation && t.refused.empty()) best = std::min(best, t.median_seconds);
  }
  return best;
}

void PrintHeader(Style style) {
  if (style == Style::kCsv) {
    Printf(stdout,
           "problem,implementation,threads,min_us,median_us,gflops,peak_share,create_us,scratchpad_bytes,executions,"
           "best_median_ratio,bound_share,bound_by,live_share\n");
    return;
  }
  PrintSentence("one thread is timed by its own CPU time, several by the wall clock");
  PrintSentence(
      "bound: the longer of the arithmetic at the peak and of reading the weights, at rates measured in turns; "
      "medians");
  PrintSentence("ratio: the first implementation's best median against this one's (above 1: the first is faster)");
}

void PrintRates(const Roof& roof) {
  std::string sentence =
      Format("measured on %d thread%s: f32 %.1f GFLOP/s, bf16 %.1f GFLOP/s, u8 x s8 %.1f GOP/s", roof.threads,
             roof.threads == 1 ? "" : "s", roof.f32 * 1e-9, roof.bf16 * 1e-9, roof.int8 * 1e-9);
  for (const Roof::Level& level : roof.levels) {
    sentence += ", " + level.name + Format(" %.1f GB/s", level.bytes_per_second * 1e-9);
  }
  if (roof.threads > 1) sentence += Format(", barrier %.2f us", MeasureBarrier(roof.threads) * 1e6);
  PrintSentence(sentence);
}

// In quotes, each quote within doubled (RFC 4180): a problem's name stands in quotes, too.
std::string CsvField(const std::string& text) {
  std::ostringstream field;
  field << std::quoted(text, '"', '"');
  return field.str();
}

void PrintTiming(Style style, const ProblemSpec& spec, const Timing& t, double ratio, const ProblemRates& rates) {
  const double rate = rates.ops() / t.median_seconds;
  const Bound bound = rates.BoundOn(t.threads);
  const double bound_share = bound.seconds / t.median_seconds;
  const double share = rate / rates.PeakOn(t.threads);
  if (style == Style::kCsv) {
    Printf(stdout, "%s,%s,%d,%.3f,%.3f,%.3f,%.4f,%.2f,%llu,%zu,%.4f,%.4f,%s,%.4f\n",
           CsvField(PrintProblem(spec)).c_str(), t.implementation.c_str(), t.threads, t.min_seconds * 1e6,
           t.median_seconds * 1e6, rate * 1e-9, share, t.create_seconds * 1e6,
           static_cast<unsigned long long>(t.scratchpad_bytes), t.executions, ratio, bound_share, ToString(bound.limit),
           rates.live_share());
    return;
  }
  constexpr int kWide = 180;
  const int columns = Columns(stdout);
  if (columns > 0 && columns < kWide) {
    Printf(stdout,
           "  %-10s %2d thr  median %10.2f us  min %10.2f us  ratio %5.2f\n"
           "      %7.1f GFLOP/s  %5.1f %% of peak  %5.1f %% of bound (%s)\n"
           "      create %8.1f us  scratchpad %9.1f KB\n",
           t.implementation.c_str(), t.threads, t.median_seconds * 1e6, t.min_seconds * 1e6, ratio, rate * 1e-9,
           share * 100, bound_share * 100, ToString(bound.limit), t.create_seconds * 1e6,
           static_cast<double>(t.scratchpad_bytes) / 1024);
    return;
  }
  Printf(stdout,
         "  %-10s %2d thr  min %10.2f us  median %10.2f us  %7.1f GFLOP/s  %5.1f %% of peak  %5.1f %% of bound (%s)  "
         "create %8.1f us  "
         "scratchpad %9.1f KB  ratio %5.2f\n",
         t.implementation.c_str(), t.threads, t.min_seconds * 1e6, t.median_seconds * 1e6, rate * 1e-9, share * 100,
         bound_share * 100, ToString(bound.limit), t.create_seconds * 1e6,
         static_cast<double>(t.scratchpad_bytes) / 1024, ratio);
}

// Geometric means of the ratios against each peer, and of what they would be at the bound.
class Summary {
 public:
  void Add(const std::string& implementation, double ratio, double ratio_at_bound) {
    for (Mean& mean : means_) {
      if (mean.implementation == implementation) return mean.Add(ratio, ratio_at_bound);
    }
    means_.push_back({implementation});
    means_.back().Add(ratio, ratio_at_bound);
  }
  void Print() const {
    for (const Mean& mean : means_) {
      Printf(stdout, "against %s: geometric mean %.2f, worst %.2f, %d problems; at the bound it would be %.2f\n",
             mean.implementation.c_str(), std::exp(mean.logs / mean.count), mean.worst, mean.count,
             std::exp(mean.logs_at_bound / mean.count));
    }
  }

 private:
  struct Mean {
    std::string implementation;
    double logs = 0, logs_at_bound = 0;
    int count = 0;
    double worst = HUGE_VAL;
    void Add(double ratio, double ratio_at_bound) {
      logs += std::log(ratio);
      logs_at_bound += std::log(ratio_at_bound);
      ++count;
      worst = std::min(worst, ratio);
    }
  };
  std::vector<Mean> means_;
};

// In worker processes, before any contender is loaded here. One that crashes or hangs there is never loaded.
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
      // Only the first implementation, the one that is measured against the others, must conform. VACUOUS is no
      // failure.
      const bool survives = outcome.verdict() < Verdict::kTimeout;
      if (&contender == &contenders.front() ? outcome.verdict() != Verdict::kVacuous : !survives) ok = false;
    }
  }
  return ok;
}

// What is counted as work where rows have lengths of their own.
std::string LiveCells(const ProblemSpec& spec, const ProblemRates& rates) {
  if (spec.lengths == RowLengths::kNone) return "";
  return Format("  live cells %.1f %%: operations are counted of these\n", rates.live_share() * 100);
}

BenchEntry BenchProblem(const std::vector<Contender>& contenders, const ProblemSpec& spec, BenchOptions options,
                        Style style, Summary* summary, ProgressLine* line) {
  ProblemRates rates(spec, options.threads);
  options.after_round = [&rates] { rates.Measure(); };
  const std::vector<Timing> timings = TimeProblem(contenders, spec, options);
  line->Hide();
  if (style == Style::kTable) Printf(stdout, "%s\n%s", PrintProblem(spec).c_str(), LiveCells(spec, rates).c_str());
  const double own = BestMedian(timings, contenders.front().plugin.word);
  BenchEntry entry = {spec, {}};
  for (const Timing& t : timings) {
    if (!t.refused.empty()) {
      Printf(style == Style::kCsv ? stderr : stdout, "  %-10s %2d thr  not timed: %s\n", t.implementation.c_str(),
             t.threads, t.refused.c_str());
      continue;
    }
    const double best = BestMedian(timings, t.implementation);
    PrintTiming(style, spec, t, Ratio(own, best), rates);
    if (t.median_seconds == best) entry.best.push_back({t, rates.BoundOn(t.threads)});
  }
  double bound = HUGE_VAL;
  for (const Timing& t : timings) bound = std::min(bound, rates.BoundOn(t.threads).seconds);
  for (size_t i = 1; i < contenders.size(); ++i) {
    const double peer = BestMedian(timings, contenders[i].plugin.word), ratio = Ratio(own, peer);
    if (std::isfinite(ratio)) summary->Add(contenders[i].plugin.word, ratio, peer / bound);
  }
  std::fflush(stdout);
  return entry;
}

int ExitCode(const ProblemReader& reader, bool is_timed) {
  if (!is_timed) PrintError("nothing was timed");
  return !is_timed ? kExitFails : reader.unknown_knobs().empty() ? kExitConforms : kExitUnknownKnobs;
}

// For each problem the time that the first implementation takes as it divides the work, and with each other division.
// Returns how many problems were timed.
int BenchDivisions(const Contender& contender, const std::vector<ProblemSpec>& problems, int threads,
                   const BenchOptions& options) {
  Printf(stdout, "%s on %d threads, wall clock, minima; 1x2x1: directions x minibatch rows x units\n",
         contender.plugin.word.c_str(), threads);
  double logs = 0, worst = 0;
  int count = 0, slow = 0;
  for (const ProblemSpec& spec : problems) {
    const DivisionTimings timings = TimeDivisions(contender, spec, threads, options);
    Printf(stdout, "%s\n", PrintProblem(spec).c_str());
    if (!timings.chosen.refused.empty()) {
      Printf(stdout, "  not timed: %s\n", timings.chosen.refused.c_str());
      continue;
    }
    Printf(stdout, "  chosen %.2f us", timings.chosen.min_seconds * 1e6);
    for (const Timing& t : timings.tried) Printf(stdout, "  %s %.2f", t.implementation.c_str(), t.min_seconds * 1e6);
    const double ratio = timings.ChosenToBest();
    Printf(stdout, "  chosen / best %.3f\n", ratio);
    std::fflush(stdout);
    logs += std::log(ratio);
    worst = std::max(worst, ratio);
    slow += ratio > 1.05 ? 1 : 0;
    ++count;
  }
  if (count == 0) return 0;
  Printf(stdout, "chosen / best: geometric mean %.3f, worst %.3f, %d of %d problems above 1.05\n",
         std::exp(logs / count), worst, slow, count);
  return count;
}

int RunBench(BenchWords words, std::vector<std::string> problem_words) {
  RestartWithActiveWaiting(OwnArguments());
  if (words.threads.empty()) words.threads = DefaultThreads();
  if (problem_words.empty()) problem_words = {"--batch=" + RunfilePath("conformance/cli/bench/bench_shapes.txt")};
  const ProblemReader reader = ReadProblems(problem_words);
  if (reader.problems().empty()) throw UsageError(kNoProblem);
  words.memory.Check(reader.problems());
  if (!words.html.empty()) CheckWritable("--html", words.html);
  std::vector<Contender> contenders;
  for (const std::string& word : words.implementations) contenders.push_back(LoadContender(word));
  if (!words.skip_verification && !VerifyAll(contenders, reader.problems())) {
    Printf(stderr, "not timed: the results are wrong\n");
    return kExitFails;
  }
  // After a stall Tandem takes fewer threads for a while, whatever the division says.
  if (words.divisions) setenv("TANDEM_TEAM_BACKOFF", "off", 0);
  for (Contender& contender : contenders) LoadHere(&contender);
  BenchOptions options;
  options.threads = words.threads;
  options.rounds = words.rounds;
  options.seconds_per_turn = words.seconds / words.rounds;
  if (words.divisions) {
    return ExitCode(reader, BenchDivisions(contenders.front(), reader.problems(), words.threads.back(), options) > 0);
  }
  const Style style = words.csv ? Style::kCsv : Style::kTable;
  PrintHeader(style);
  Summary summary;
  std::vector<BenchEntry> entries;
  ProgressLine line("timing");
  for (const ProblemSpec& spec : reader.problems()) {
    line.ShowStep(entries.size(), reader.problems().size(), "problems");
    entries.push_back(BenchProblem(contenders, spec, options, style, &summary, &line));
  }
  line.Hide();
  std::vector<Roof> roofs;
  if (style == Style::kTable || !words.html.empty()) {
    for (const int threads : words.threads) roofs.push_back(MeasureRoof(threads));
  }
  if (style == Style::kTable) {
    for (const Roof& roof : roofs) PrintRates(roof);
    summary.Print();
  }
  if (!words.html.empty()) WriteWholeFiles({{words.html, BenchPage(entries, roofs.back())}});
  const bool is_timed =
      std::any_of(entries.begin(), entries.end(), [](const BenchEntry& e) { return !e.best.empty(); });
  return ExitCode(reader, is_timed);
}

}  // namespace

Command AddBenchCommand(CLI::App* app) {
  auto words = std::make_shared<BenchWords>();
  AddImplementations(app, &words->implementations, "what is timed, the first against the others (optimized,onednn)");
  app->add_option("--threads", words->threads, "numbers of threads, e.g. 1,2; one and all if not given")
      ->delimiter(',')
      ->check(WholeNumber(1, kMostThreads))
      ->allow_extra_args(false);
  app->add_option("--time", words->seconds, "seconds measured for each implementation and number of threads (0.1)")
      ->check(kSeconds);
  app->add_option("--rounds", words->rounds, "turns that those seconds are divided into (5)")
      ->check(WholeNumber(1, 1'000'000));
  words->memory.AddOption(app);
  app->add_flag("--csv", words->csv, "one line for each figure, for programs");
  app->add_option("--html", words->html, "write a page with the roofline and a bar for each implementation");
  app->add_flag("--divisions", words->divisions,
                "time every division of the work on the most threads beside the one that Tandem chooses")
      ->excludes("--csv")
      ->excludes("--html");
  app->add_flag("--no-check", words->skip_verification, "time without verifying first");
  AddColours(app);
  app->footer(
      "PROBLEM and --batch=FILE as in `tandem check`; without any, the table of networks in\n"
      "conformance/cli/bench/bench_shapes.txt. Verifies everything, then times.");
  app->allow_extras();
  return [app, words] { return RunBench(*words, app->remaining()); };
}

}  // namespace tandem::conformance
