#include "conformance/campaign/campaign.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <utility>

#include "conformance/campaign/coverage.h"
#include "conformance/campaign/in_order.h"
#include "conformance/host/executor.h"
#include "conformance/problem/network_shapes.h"
#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {
namespace {

constexpr const char* kTierNames[] = {"smoke", "quick", "full", "soak"};

class Clock {
 public:
  double Seconds() const {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
    return elapsed.count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

uint64_t EnvironmentNumber(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

void Count(const CheckedProblem& checked, CampaignResult* result) {
  ++result->count[static_cast<int>(checked.outcome.verdict())];
  result->groups[{checked.spec.cell, checked.spec.propagation, checked.spec.config}].Add(checked);
  if (checked.outcome.verdict() == Verdict::kNotSupported) ++result->refusals[checked.message];
  result->shortened += checked.steps_given != 0;
}

// Easier versions of a problem whose bound was vacuous. First all its features on contractive data and one step; then
// one layer; then strict arithmetic; last the usual zero point and other random numbers, three times: the terms of a
// gradient that is a single element may cancel by chance, once in 79,000 problems twice in a row.
constexpr int kSofteningLevels = 6;
ProblemSpec Soften(ProblemSpec spec, int level) {
  spec.t = 1;
  spec.gain = 0.05f;
  spec.data = DataKind::kDense;
  if (level >= 1) {
    spec.l = 1;
    if (spec.direction == Direction::kBidirectionalSum) spec.direction = Direction::kBidirectionalConcat;
    if (spec.with_projection) spec.dhc = std::min<Dim>(spec.dhc, 8);
  }
  if (level >= 2) spec.fpmath = FpmathMode::kStrict;
  if (level >= 3) {
    spec.seed += static_cast<uint64_t>(level - 2);
    spec.zero_point = -1;
    spec.data_scale = 0;
  }
  return spec;
}

// The result of one problem of the list.
struct Item {
  CheckedProblem checked;
  uint64_t index = 0;  // of a random problem
  bool random = false;
  bool softened = false;
};

// Problems that one process runs one after the other. Only their numbers decide which ones go together, so that no
// result depends on the number of threads.
struct Batch {
  std::vector<Item> items;
  bool out_of_time = false;
};
constexpr uint64_t kBatch = 32;

bool IsComplaint(const CheckedProblem& checked) {
  return !checked.outcome.ok() && checked.outcome.verdict() != Verdict::kNotSupported;
}

class BatchRunner {
 public:
  BatchRunner(const Plugin& plugin, const CampaignOptions& options, const Clock& clock)
      : plugin_(plugin), options_(options), clock_(clock) {
    // Bazel's test sharding splits a run over machines.
    shards_ = std::max<uint64_t>(1, EnvironmentNumber("TEST_TOTAL_SHARDS", 1));
    shard_ = EnvironmentNumber("TEST_SHARD_INDEX", 0);
    const uint64_t all = options.random_problems;
    mine_ = all > shard_ ? (all - shard_ - 1) / shards_ + 1 : 0;
  }

  uint64_t NumBatches() const { return options_.problems.size() + (mine_ + kBatch - 1) / kBatch; }

  // Each given problem is a batch, then come the random ones, kBatch at a time.
  Batch Run(uint64_t k) const {
    Batch batch;
    Executor executor(plugin_, options_.check.environment);
    const uint64_t given = options_.problems.size();
    if (k < given) {
      if (OutOfTime(&batch)) return batch;
      Item item;
      item.checked = Check(options_.problems[k], &executor);
      batch.items.push_back(std::move(item));
      return batch;
    }
    const uint64_t first = (k - given) * kBatch;
    for (uint64_t i = first; i < std::min(first + kBatch, mine_); ++i) {
      if (OutOfTime(&batch)) return batch;
      batch.items.push_back(Random(shard_ + i * shards_, &executor));
    }
    return batch;
  }

 private:
  bool OutOfTime(Batch* batch) const {
    batch->out_of_time = options_.seconds > 0 && clock_.Seconds() > options_.seconds;
    return batch->out_of_time;
  }

  Item Random(uint64_t index, Executor* executor) const {
    const ProblemSpec spec = RandomProblem(options_.scope, options_.seed, index);
    Item item;
    item.random = true;
    item.index = index;
    item.checked = Check(spec, executor);
    item.softened = item.checked.outcome.verdict() == Verdict::kVacuous;
    for (int level = 0; level < kSofteningLevels && item.checked.outcome.verdict() == Verdict::kVacuous; ++level) {
      item.checked = Check(Soften(spec, level), executor);
    }
    return item;
  }

  // A failing problem is checked again in a process for each execution, as its replay line does. If it passes there, an
  // earlier problem has left some state behind, and the complaint stays.
  CheckedProblem Check(const ProblemSpec& spec, Executor* executor) const {
    CheckOptions check = options_.check;
    check.executor = executor;
    const bool first = executor->tasks_done() == 0;
    CheckedProblem checked = CheckProblem(plugin_, spec, check);
    if (!IsComplaint(checked) || checked.outcome.verdict() == Verdict::kVacuous) return checked;
    check.executor = nullptr;
    CheckedProblem alone = CheckProblem(plugin_, spec, check);
    if (IsComplaint(alone)) return alone;
    checked.message += first ? "; but not in every run" : "; but not in a process that ran no other problem before";
    return checked;
  }

  const Plugin& plugin_;
  const CampaignOptions& options_;
  const Clock& clock_;
  uint64_t shards_ = 1, shard_ = 0, mine_ = 0;
};

// Counts a known departure; false if it is none.
bool IsExplained(const KnownDepartures& known, const CheckedProblem& checked, CampaignResult* result) {
  const std::string id = known.Explain(checked);
  for (Explained& e : result->explained) {
    if (e.id != id) continue;
    if (e.count++ == 0) e.example = checked;
    return true;
  }
  return false;
}

// Shrinking takes up to CampaignOptions::shrink_attempts runs, so only the first failures are shrunk.
constexpr size_t kMostShrunk = 10;

void Complain(const Plugin& plugin, const CampaignOptions& options, const Item& item, CampaignResult* result) {
  if (IsExplained(options.known, item.checked, result)) return;
  const Verdict verdict = item.checked.outcome.verdict();
  const bool shrink = item.random && result->complaints.size() < kMostShrunk && verdict != Verdict::kTimeout &&
                      verdict != Verdict::kVacuous;
  result->complaints.push_back(shrink ? Shrink(plugin, item.checked, options.check, options.shrink_attempts)
                                      : item.checked);
}

}  // namespace

const char* ToString(Tier tier) { return kTierNames[static_cast<int>(tier)]; }

CampaignOptions OptionsFor(Tier tier) {
  CampaignOptions options;
  // First one problem of each kind: they are small, and time may run out.
  if (tier != Tier::kSmoke) {
    for (const CoverageQuestion& question : GradeQuestions()) options.problems.push_back(question.spec);
  }
  for (const ProblemSpec& spec : NetworkShapes()) options.problems.push_back(spec);
  switch (tier) {
    case Tier::kSmoke:
      options.random_problems = 200;
      options.check.oracle_macs = 3e6;
      break;
    case Tier::kQuick:
      options.random_problems = 2000;
      options.check.oracle_macs = 2e7;
      break;
    case Tier::kFull:
      options.random_problems = 20000;
      options.check.oracle_macs = 2e8;
      break;
    case Tier::kSoak:
      options.random_problems = ~uint64_t{0} >> 1;
      options.seconds = 3600;
      options.check.oracle_macs = 2e8;
      break;
  }
  return options;
}

uint64_t CampaignResult::NumExplained() const {
  uint64_t sum = 0;
  for (const Explained& e : explained) sum += e.count;
  return sum;
}

bool CampaignResult::departs_only_as_known() const {
  return complaints.empty() && Count(Verdict::kPass) + Count(Verdict::kQualityWarning) + NumExplained() > 0;
}

CampaignResult RunCampaign(const Plugin& plugin, const CampaignOptions& options, const Progress& progress) {
  const Clock clock;
  CampaignResult result;
  result.implementation = plugin.name;
  result.version = plugin.version;
  result.cpu_isa = plugin.cpu_isa;
  result.claim = plugin.claim;
  result.seed = options.seed;
  result.planned = options.problems.size() + options.random_problems;
  for (const std::string& id : options.known.Ids()) result.explained.push_back({id, 0, {}});
  const BatchRunner runner(plugin, options, clock);
  const auto take = [&](const Batch& batch) {
    for (const Item& item : batch.items) {
      Count(item.checked, &result);
      result.softened += item.softened;
      if (!item.random) result.named.push_back(item.checked);
      if (IsComplaint(item.checked)) Complain(plugin, options, item, &result);
      ++result.run;
      progress(result, result.planned);
    }
    return batch.out_of_time ? Continue::kNo : Continue::kYes;
  };
  const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  InOrder<Batch>(options.jobs > 0 ? options.jobs : cores, runner.NumBatches())
      .Run([&](uint64_t k) { return runner.Run(k); }, take);
  result.seconds = clock.Seconds();
  return result;
}

}  // namespace tandem::conformance
