#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>

#include "conformance/cli/arguments.h"
#include "conformance/cli/cli.h"
#include "conformance/cli/conclusion.h"
#include "conformance/cli/environment.h"
#include "conformance/cli/json_output.h"
#include "conformance/cli/progress.h"
#include "conformance/cli/runs/check_runs.h"
#include "conformance/cli/runs/known_files.h"
#include "conformance/cli/runs/memory_budget.h"
#include "conformance/cli/runs/read_report.h"
#include "conformance/cli/terminal.h"
#include "conformance/cli/trace_pages.h"
#include "conformance/judge/batch_runner.h"
#include "conformance/judge/campaign.h"
#include "conformance/pages/reports.h"
#include "conformance/plugins/builtin_plugins.h"
#include "conformance/problem/base/format.h"
#include "conformance/problem/base/nearest.h"
#include "conformance/problem/problem_notation.h"
#include "conformance/sandbox/interrupt.h"

namespace tandem::conformance {
namespace {

struct CheckWords {
  std::vector<std::string> implementations = {"reference", "optimized"};
  std::vector<std::string> targets;
  std::vector<int> threads = {0};
  std::vector<std::string> same_bits;
  std::string tier;  // empty: quick
  std::string report = "report";
  std::string known, write_known;
  uint64_t seed = 1;
  int64_t cases = -1;
  double seconds = -1;
  double timeout = 60;
  int jobs = 0;
  bool fail_fast = false, verbose = false, rerun_failed = false;
  std::string json;
  MemoryBudget memory;
  std::string shard;
  std::string profile;
};

Tier ToTier(const std::string& word) {
  for (Tier tier : AllOf<Tier>()) {
    if (word == ToString(tier)) return tier;
  }
  if (word.empty()) return Tier::kQuick;
  throw UsageError("--tier=" + word + " is none of smoke, quick, full, soak");
}

// Reads "2/5". An empty word means the shard that Bazel's test sharding asks for.
Shard ToShard(const std::string& word) {
  unsigned long long index = 0, count = 0;
  if (word.empty()) {
    const char *total = std::getenv("TEST_TOTAL_SHARDS"), *mine = std::getenv("TEST_SHARD_INDEX");
    if (total == nullptr || mine == nullptr) return {};
    return {std::strtoull(mine, nullptr, 10), std::max<uint64_t>(1, std::strtoull(total, nullptr, 10))};
  }
  int length = 0;
  const bool read = std::sscanf(word.c_str(), "%9llu/%9llu%n", &index, &count, &length) == 2;
  if (!read || static_cast<size_t>(length) != word.size() || index < 1 || index > count) {
    throw UsageError("--shard=" + word + " is not I/N with 1 <= I <= N: type --shard=1/4 for the first of four parts");
  }
  return {index - 1, count};
}

CampaignOptions ToOptions(const CheckWords& words, const std::vector<ProblemSpec>& problems) {
  CampaignOptions options = OptionsFor(ToTier(words.tier));
  if (!problems.empty()) {
    options.required.clear();
    options.left_out.clear();
    options.tier.clear();
    options.problems = problems;
    options.origin = Origin::kGiven;
    options.random_problems = 0;
    options.seconds = 0;
  }
  if (words.cases >= 0) {
    // --cases alone means only random problems, without a time limit.
    options.required.clear();
    options.left_out.clear();
    options.tier.clear();
    if (problems.empty()) options.problems.clear();
    options.random_problems = static_cast<uint64_t>(words.cases);
    options.seconds = 0;
  }
  if (words.seconds >= 0) options.seconds = words.seconds;
  options.seed = words.seed;
  options.check.timeout_seconds = words.timeout;
  options.check.same_bits = words.same_bits;
  options.jobs = words.jobs;
  if (words.fail_fast) options.after_complaint = AfterComplaint::kStop;
  options.shard = ToShard(words.shard);
  return options;
}

// A plugin that crashes when it is loaded gets a verdict like any other.
CampaignResult WithoutAProblem(const std::string& word, const PluginFailure& failure) {
  CheckedProblem checked;
  checked.implementation = word;
  checked.spec.sic = 16;
  checked.finding = failure.finding();
  checked.outcome.Worsen(VerdictOf(checked.finding));
  checked.message = failure.what();
  CampaignResult result;
  result.implementation = word;
  result.planned = result.run = 1;
  ++result.count[static_cast<int>(checked.outcome.verdict())];
  result.named = result.complaints = {checked};
  return result;
}

// The share is that of the work or of the time, because the time limit may come before the end of the list.
void ShowProgress(const CampaignResult& so_far, double limit_seconds, ProgressLine* line) {
  double share = so_far.work_planned > 0 ? so_far.work_done / so_far.work_planned : 0;
  if (limit_seconds > 0) share = std::max(share, line->Seconds() / limit_seconds);
  line->Show(share, std::to_string(so_far.run) + " of " + std::to_string(so_far.planned) + " problems, " +
                        Counted(so_far.complaints.size(), "complaint"));
}

// The time limit of the whole command is shared by runs that follow each other. The time that one leaves serves the next ones.
class SharedTime {
 public:
  SharedTime(double limit_seconds, size_t runs) : limit_(limit_seconds), runs_left_(runs) {}

  // Returns the limit of the next run; 0 if there is none.
  double OfNextRun() {
    if (limit_ <= 0) return 0;
    constexpr double kLeast = 1e-3;  // 0 would be no limit
    return std::max(kLeast, (limit_ - clock_.Seconds()) / static_cast<double>(std::max<size_t>(1, runs_left_--)));
  }

 private:
  const double limit_;
  size_t runs_left_;
  const Clock clock_{nullptr};
};

// -v prints this line for each problem.
std::string Line(const CheckedProblem& checked) {
  const Verdict verdict = checked.outcome.verdict();
  const std::string reason = verdict == Verdict::kNotSupported ? ": " + checked.message : "";
  return Format("%-16s %8.3f s  ", ToString(verdict), checked.seconds) + PrintProblem(checked.spec) + reason + "\n";
}

CampaignResult RunOne(const std::string& word, const CheckWords& words, CampaignOptions options, SharedTime* time) {
  Plugin plugin;
  try {
    plugin = LoadPlugin(word, options.check.timeout_seconds);
    plugin.word = word;
    options.known = KnownOf(plugin, words.known);
    if (options.random_problems > 0) {
      ProgressLine line(word);
      DrawServedKinds(
          plugin, [&](size_t asked) { line.Show(0, "asked " + std::to_string(asked) + " times what it serves"); },
          &options);
    }
  } catch (const PluginFailure& failure) {
    return WithoutAProblem(word, failure);
  } catch (const Interrupted&) {
    CampaignResult nothing;
    nothing.implementation = word;
    nothing.interrupted_by = NameOfSignal(Interruption());
    return nothing;
  }
  options.seconds = time->OfNextRun();
  ProgressLine line(word);
  // The report on stdout has each complaint again. A reader of both on a terminal needs it once.
  const bool tells = Columns(stdout) == 0 || Columns(stderr) == 0;
  size_t told = 0;
  if (words.verbose) {
    options.each = [&line](const CheckedProblem& checked) {
      line.Hide();
      Print(Line(checked), stdout);
    };
  }
  return RunCampaign(plugin, options, [&](const CampaignResult& so_far) {
    for (; tells && told < so_far.complaints.size(); ++told) {
      line.Hide();
      Print(so_far.implementation + ":\n" + ComplaintText(so_far.complaints[told]), stderr);
    }
    ShowProgress(so_far, options.seconds, &line);
  });
}

// --seed is an option of the problem if there is one, else the seed of the random problems.
std::vector<std::string> TakeSeed(std::vector<std::string> problem_words, CheckWords* words) {
  const std::string prefix = "--seed=";
  for (const std::string& word : problem_words) {
    if (word.compare(0, 2, "--") != 0 || word.compare(0, 8, "--batch=") == 0) return problem_words;
  }
  std::vector<std::string> others;
  for (const std::string& word : problem_words) {
    if (word.compare(0, prefix.size(), prefix) == 0) {
      words->seed = ParseProblem(word + " sic1").seed;
    } else {
      others.push_back(word);
    }
  }
  return others;
}

// Keeps the problems of the profile. Unless the user gives the number of random problems, it is what the profile needs.
void Restrict(const Profile& profile, const CheckWords& words, CampaignOptions* options) {
  constexpr uint64_t kRandomOfAGroup = 100;
  if (words.tier.empty() && words.cases < 0) {
    options->random_problems = std::min(options->random_problems, kRandomOfAGroup * profile.groups.size());
  }
  options->required = RequiredProblems(profile);
  options->scope = ScopeOf(profile);
  for (std::vector<ProblemSpec>* problems : {&options->problems, &options->left_out}) {
    problems->erase(std::remove_if(problems->begin(), problems->end(),
                                   [&](const ProblemSpec& spec) { return !Contains(profile, spec); }),
                    problems->end());
  }
}

const Profile* ToProfile(const std::string& word, const ProblemReader& reader) {
  if (word.empty()) return nullptr;
  const Profile* profile = FindProfile(word);
  if (profile == nullptr) {
    std::vector<std::string> names;
    for (const Profile& known : Profiles()) {
      names.push_back(known.name);
      std::replace(names.back().begin(), names.back().end(), ' ', '-');
    }
    std::string all;
    for (const std::string& name : names) all += "\n  " + name;
    throw UsageError("--profile=" + word + " is no profile" + DidYouMean(word, names, "the profiles are" + all));
  }
  if (!reader.problems().empty()) throw UsageError("--profile chooses the problems: give it no other ones");
  return profile;
}

// Refuses problems that are too large, and runs no more at the same time than fit.
void FitInMemory(const CheckWords& words, CampaignOptions* options) {
  double largest = 0;
  for (const ProblemSpec& spec : options->problems) {
    const double needed = NeededBytes(spec, options->check);
    words.memory.Check(spec, needed);
    largest = std::max(largest, needed);
  }
  const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const int wanted = options->jobs > 0 ? options->jobs : cores;
  if (wanted > kMostJobs) Printf(stderr, "--jobs=%d: %d is the most that can be used\n", wanted, kMostJobs);
  options->jobs = words.memory.Fitting(largest, std::min(wanted, kMostJobs));
}

std::vector<CheckRun> RunsFor(const CheckWords& words, const ProblemReader& reader) {
  if (!words.rerun_failed) return EveryRun(words.implementations, words.targets, words.threads);
  if (!reader.problems().empty()) throw UsageError("--rerun-failed chooses the problems: give it no other ones");
  return RunsOfComplaints(ReadReport(words.report));
}

// The runs follow each other; each prints the text of its report.
std::vector<CampaignResult> RunAll(const CheckWords& words, const std::vector<CheckRun>& runs,
                                   CampaignOptions options) {
  std::vector<CampaignResult> results;
  SharedTime time(options.seconds, runs.size());
  for (const CheckRun& run : runs) {
    const bool stop = words.fail_fast && !results.empty() && !results.back().complaints.empty();
    if (stop || (Interruption() != 0 && !results.empty())) return results;
    options.check.target = run.target;
    options.check.threads = run.threads;
    if (!run.problems.empty()) options.problems = run.problems;
    results.push_back(RunOne(run.implementation, words, options, &time));
    if (!words.write_known.empty()) WriteKnown(words.write_known, words.known, results.back());
    if (!run.target.empty()) results.back().implementation += "@" + run.target;
    if (run.threads != 0) results.back().implementation += "@threads=" + std::to_string(run.threads);
    Print(TextReport(results.back(), Columns(stdout), LegendFor(results)), stdout);
    std::fflush(stdout);
  }
  return results;
}

int RunCheck(CheckWords words, const std::vector<std::string>& all_words) {
  const JsonOutput json(words.json);
  // Problems share the cores: a thread that waits must not keep another's from working.
  setenv("OMP_WAIT_POLICY", "passive", 0);
  const std::vector<std::string> problem_words = TakeSeed(all_words, &words);
  const ProblemReader reader = ReadProblems(problem_words);
  if (!problem_words.empty() && reader.problems().empty()) {
    throw UsageError(kNoProblem);
  }
  for (const std::string& target : words.targets) {
    if (!target.empty()) CheckTarget(target);
  }
  const std::vector<CheckRun> runs = RunsFor(words, reader);
  if (runs.empty()) {
    Print("nothing failed in " + words.report + "/: nothing is run again\n", stdout);
    json.Write(JsonReport({}));
    return kExitConforms;
  }
  CampaignOptions options = ToOptions(words, words.rerun_failed ? ProblemsOf(runs) : reader.problems());
  const Profile* profile = ToProfile(words.profile, reader);
  if (profile != nullptr) Restrict(*profile, words, &options);
  FitInMemory(words, &options);
  if (!words.write_known.empty()) {
    if (runs.size() != 1) {
      throw UsageError("--write-known is about one implementation: give it one --impl, --target and --threads");
    }
    CheckWritable("--write-known", words.write_known);
  }
  PrepareFolder(words.report);
  CatchInterrupts();
  const std::vector<CampaignResult> results = RunAll(words, runs, options);
  // The pages of traces need processes of the plugins.
  const TracePages pages = Interruption() == 0 ? WriteTracePages(results, words.report) : TracePages();
  WriteReports(results, words.report, pages);
  json.Write(JsonReport(results));
  const int code = Conclude(results, profile, words.report);
  if (Interruption() != 0) return kExitSignal + Interruption();
  return code == kExitConforms && !reader.unknown_knobs().empty() ? kExitUnknownKnobs : code;
}

// Adds the options that say what is printed, and the one that reads the report of an earlier run.
void AddOutputs(CheckWords* words, CLI::App* app) {
  AddJson(&words->json, app);
  app->add_flag("-v,--verbose", words->verbose, "a line for each problem: its verdict, seconds, and how it is written");
  CLI::Option* again = app->add_flag(
      "--rerun-failed", words->rerun_failed,
      "run the complaints of the report in --report again, on the implementations that it names; it is written anew");
  for (const char* other : {"--impl", "--target", "--threads", "--tier", "--cases", "--profile", "--shard"}) {
    again->excludes(other);
  }
}

}  // namespace

Command AddCheckCommand(CLI::App* app) {
  auto words = std::make_shared<CheckWords>();
  words->targets = {""};
  AddImplementations(
      app, &words->implementations,
      "reference, optimized, onednn, torch, torch-bf16, onnxruntime, tfjs, armnn, opencv, the path of a plugin, "
      "compose: before that of one with one layer and direction, onednn: before the folder where another oneDNN is "
      "installed; may be repeated");
  app->add_option("--target", words->targets, "TANDEM_TARGET for the implementation, e.g. AVX2,AVX3")
      ->delimiter(',')
      ->allow_extra_args(false);
  app->add_option("--threads", words->threads,
                  "threads of an execution, e.g. 1,4: each problem is judged with each number (1 to 3, by the seed)")
      ->delimiter(',')
      ->check(WholeNumber(1, 1024))
      ->allow_extra_args(false);
  app->add_option("--same-bits", words->same_bits,
                  "NAME=VALUE, e.g. TANDEM_TARGET=AVX2: each problem must have the same bits with this variable in the "
                  "environment; may be repeated")
      ->check(kVariable)
      ->allow_extra_args(false);
  app->add_option("--tier", words->tier, "smoke, quick (default), full or soak");
  app->add_option("--cases", words->cases, "this many random problems instead of the tier's list")
      ->check(WholeNumber(0, 1'000'000'000'000));
  app->add_option("--time", words->seconds,
                  "seconds (0: no limit): first what covers most; no problem is started that would end after them, but "
                  "the first one is")
      ->check(kSecondsOrNone);
  app->add_option("--timeout", words->timeout, "seconds that one problem may run, and loading")->check(kSeconds);
  app->add_flag("--fail-fast", words->fail_fast, "stop at the first complaint");
  app->add_option(
      "--profile", words->profile,
      "judge by one profile, such as inference-f32 or lstm-training-bf16 (docs/test_your_library.md): the "
      "problems that it requires, and 100 random ones for each of its groups unless --tier or --cases is given");
  app->add_option("--shard", words->shard, "I/N: only part I of N; `tandem merge` joins the parts' reports");
  app->add_option("--jobs", words->jobs, "problems at the same time (one for each core); results do not depend on it")
      ->check(WholeNumber(0));
  app->add_option(
      "--known", words->known,
      "file of known departures, or none; the default is Tandem's own for the implementation, if it has one");
  app->add_option("--write-known", words->write_known,
                  "write a file for --known, which explains this run's complaints");
  app->add_option("--report", words->report, "directory of the reports");
  AddOutputs(words.get(), app);
  words->memory.AddOption(app);
  AddColours(app);
  app->footer(
      "PROBLEM: benchdnn's RNN options and descriptor, e.g.\n"
      "  --alg=VANILLA_LSTM --direction=concat --cfg=bf16 l2t3mb5sic16slc16dhc16");
  app->allow_extras();
  return [app, words] { return RunCheck(*words, app->remaining()); };
}

}  // namespace tandem::conformance
