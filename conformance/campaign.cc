#include "conformance/campaign.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>

#include "conformance/network_shapes.h"
#include "conformance/problem_notation.h"

namespace tandem::conformance {
namespace {

constexpr const char* kEffortNames[] = {"smoke", "quick", "full", "soak"};

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
  const int verdict = static_cast<int>(checked.outcome.verdict());
  ++result->count[verdict];
  GroupSummary& group = result->groups[{checked.spec.cell, checked.spec.propagation, checked.spec.config}];
  ++group.count[verdict];
  for (const TensorReport& row : checked.report.rows) group.stats.Merge(row.stats);
  if (checked.outcome.verdict() == Verdict::kNotSupported) ++result->refusals[checked.message];
  result->shortened += checked.steps_given != 0;
}

// Ever tamer versions of a problem whose bound said nothing. First all its features on contractive data and one step;
// then without hidden states; then in strict arithmetic.
constexpr int kSofteningLevels = 3;
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
  return spec;
}

void RunGiven(const Plugin& plugin, const CampaignOptions& options, const Clock& clock, const Progress& progress,
              CampaignResult* result) {
  for (const ProblemSpec& spec : options.problems) {
    if (options.seconds > 0 && clock.Seconds() > options.seconds) return;
    const CheckedProblem checked = CheckProblem(plugin, spec, options.check);
    Count(checked, result);
    result->named.push_back(checked);
    if (!checked.outcome.ok() && checked.outcome.verdict() != Verdict::kNotSupported) {
      result->complaints.push_back(checked);
    }
    ++result->run;
    progress(*result, result->planned);
  }
}

void RunRandom(const Plugin& plugin, const CampaignOptions& options, const Clock& clock, const Progress& progress,
               CampaignResult* result) {
  // Bazel's test sharding splits a run over machines.
  const uint64_t shards = std::max<uint64_t>(1, EnvironmentNumber("TEST_TOTAL_SHARDS", 1));
  const uint64_t shard = EnvironmentNumber("TEST_SHARD_INDEX", 0);
  for (uint64_t i = shard; i < options.random_problems; i += shards) {
    if (options.seconds > 0 && clock.Seconds() > options.seconds) return;
    const ProblemSpec spec = RandomProblem(options.scope, options.seed, i);
    CheckedProblem checked = CheckProblem(plugin, spec, options.check);
    result->softened += checked.outcome.verdict() == Verdict::kVacuous;
    for (int level = 0; level < kSofteningLevels && checked.outcome.verdict() == Verdict::kVacuous; ++level) {
      checked = CheckProblem(plugin, Soften(spec, level), options.check);
    }
    if (!checked.outcome.ok() && checked.outcome.verdict() != Verdict::kNotSupported) {
      // Every failure costs; after some of them the next one is no news.
      const bool shrink = result->complaints.size() < 10 && checked.outcome.verdict() != Verdict::kTimeout &&
                          checked.outcome.verdict() != Verdict::kVacuous;
      result->complaints.push_back(shrink ? Shrink(plugin, checked, options.check, options.shrink_attempts) : checked);
    }
    Count(checked, result);
    ++result->run;
    progress(*result, result->planned);
  }
}

}  // namespace

const char* ToString(Effort effort) { return kEffortNames[static_cast<int>(effort)]; }

CampaignOptions OptionsFor(Effort effort) {
  CampaignOptions options;
  options.problems = NetworkShapes();
  switch (effort) {
    case Effort::kSmoke:
      options.random_problems = 200;
      options.seconds = 15;
      options.check.oracle_macs = 3e6;
      break;
    case Effort::kQuick:
      options.random_problems = 2000;
      options.seconds = 170;
      options.check.oracle_macs = 2e7;
      break;
    case Effort::kFull:
      options.random_problems = 20000;
      options.check.oracle_macs = 2e8;
      break;
    case Effort::kSoak:
      options.random_problems = ~uint64_t{0} >> 1;
      options.seconds = 3600;
      options.check.oracle_macs = 2e8;
      break;
  }
  return options;
}

bool CampaignResult::ok() const {
  return complaints.empty() && Count(Verdict::kPass) + Count(Verdict::kQualityWarning) > 0;
}

CampaignResult RunCampaign(const Plugin& plugin, const CampaignOptions& options, const Progress& progress) {
  const Clock clock;
  CampaignResult result;
  result.implementation = plugin.name;
  result.version = plugin.version;
  result.claim = plugin.claim;
  result.seed = options.seed;
  result.planned = options.problems.size() + options.random_problems;
  RunGiven(plugin, options, clock, progress, &result);
  RunRandom(plugin, options, clock, progress, &result);
  result.seconds = clock.Seconds();
  return result;
}

char Grade(const GroupSummary& group) {
  const auto count = [&](Verdict v) { return group.count[static_cast<int>(v)]; };
  for (Verdict v : {Verdict::kFail, Verdict::kNondeterministic, Verdict::kTimeout, Verdict::kCrash}) {
    if (count(v) != 0) return 'F';
  }
  if (count(Verdict::kPass) + count(Verdict::kQualityWarning) == 0) return '-';
  if (count(Verdict::kQualityWarning) != 0) return 'C';
  const ErrorStats& stats = group.stats;
  // A sum of n errors without bias stays within 2 standard deviations of 0 in 95 of 100 groups; 4 leave room for
  // a few hundred groups.
  const bool unbiased = std::fabs(stats.sum_signed) <= 4 * std::sqrt(stats.sum_squared) + 1;
  return stats.ratio.max() <= 0.5 && unbiased ? 'A' : 'B';
}

}  // namespace tandem::conformance
