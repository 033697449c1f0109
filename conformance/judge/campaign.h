// Many problems on one implementation: the list, the run, and the results for the reports.
#ifndef TANDEM_CONFORMANCE_JUDGE_CAMPAIGN_H_
#define TANDEM_CONFORMANCE_JUDGE_CAMPAIGN_H_

#include <array>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "api/core/enums.h"
#include "conformance/judge/check.h"
#include "conformance/judge/grade.h"
#include "conformance/judge/known_departures.h"
#include "conformance/judge/profiles.h"
#include "conformance/problem/generator.h"
#include "conformance/problem/pairs.h"

namespace tandem::conformance {

enum class Tier { kSmoke, kQuick, kFull, kSoak };
constexpr const char* ToString(Tier tier) {
  switch (tier) {
    case Tier::kSmoke:
      return "smoke";
    case Tier::kQuick:
      return "quick";
    case Tier::kFull:
      return "full";
    case Tier::kSoak:
      return "soak";
  }
  return nullptr;
}

// A part of a campaign that runs elsewhere: batch k of the list belongs to shard k % count.
struct Shard {
  uint64_t index = 0, count = 1;
};

enum class AfterComplaint { kGoOn, kStop };

struct CampaignOptions {
  std::vector<ProblemSpec> required;  // run these first: of profiles
  std::vector<ProblemSpec> problems;  // then these
  Origin origin = Origin::kGiven;     // of `problems`: kGiven or kTier
  std::vector<ProblemSpec> left_out;  // of the tier's list: too large for it; only named in the reports
  uint64_t random_problems = 0;       // then as many random ones
  ProblemScope scope;
  // Random problems are of these kinds, with one exception in eight; empty: of any.
  std::set<ServedKind> kinds;
  // Those are of these directions, with one layer or more; empty: of any.
  std::set<FeaturePair> shapes;
  // Random problems of these kinds may have rows of different lengths, as the scope says.
  std::set<ServedKind> kinds_with_lengths;
  // The same of 8-bit weights beside floating data.
  std::set<ServedKind> kinds_with_byte_weights;
  uint64_t seed = 1;
  std::string tier;  // the list's name, for the report
  // No problem is started after this time, nor one that would end after it by the pace of those before; but the first one
  // is. 0: no limit.
  double seconds = 0;
  // What the time is measured by, in seconds; called by several threads. Null: the system's steady clock.
  std::function<double()> now;
  int shrink_attempts = 60;
  Shard shard;
  AfterComplaint after_complaint = AfterComplaint::kGoOn;
  // Called with each problem's result, in the order of the list. Null: nothing is.
  std::function<void(const CheckedProblem&)> each;
  int jobs = 0;  // problems at the same time, 0: one for each core; only times depend on it
  CheckOptions check;
  KnownDepartures known;  // of this implementation
};

// Random problems of the kinds and shapes that the plugin serves: one in six with rows of different lengths, one in four of
// those that may have 8-bit weights with them, where it serves these. Asks the plugin, so throws PluginFailure and
// Interrupted. `asked` is called with the number of questions so far.
void DrawServedKinds(const Plugin& plugin, const std::function<void(size_t)>& asked, CampaignOptions* options);

// Networks with more weights than this are left out of the short tiers.
constexpr Dim kMostWeights = 6'000'000;

// Problems, counts and time for a tier, where the user gives no problems.
CampaignOptions OptionsFor(Tier tier);

struct CategoryKey {
  Cell cell;
  Propagation propagation;
  Config config;
  bool operator<(const CategoryKey& other) const {
    return std::tie(cell, propagation, config) < std::tie(other.cell, other.propagation, other.config);
  }
};

// Random problems of one category.
struct RandomTally {
  std::array<uint64_t, kNumVerdicts> count{};
  double seconds = 0;
};

// How often a known departure appeared.
struct Explained {
  std::string id;
  uint64_t count = 0;
  CheckedProblem example;                // the first, if there is one
  std::vector<uint64_t> positions = {};  // of all of them, ascending; none in older reports
};

struct CampaignResult {
  std::string implementation, version, cpu_isa;
  std::string adds;  // what the description adds to the bounds, in words
  TableClaim claim = TableClaim::kPartial;
  uint64_t seed = 0;
  std::string tier;                   // which list of problems; empty: the user's
  std::vector<std::string> left_out;  // networks that are too large for the tier
  Shard shard;
  std::array<uint64_t, kNumVerdicts> count{};
  std::map<CategoryKey, CategorySummary> categories;
  std::map<CategoryKey, RandomTally> random;
  KindTallies kinds;
  PairTally pairs;                           // of the problems that were judged
  std::map<std::string, uint64_t> refusals;  // reason -> how often
  std::vector<CheckedProblem> named;         // the problems that were given and those of the tier
  std::vector<CheckedProblem> vacuous;       // their bounds say nothing: neither conforming nor wrong
  std::vector<CheckedProblem> complaints;    // all that are wrong and not explained; the first random ones shrunk
  std::vector<CheckedProblem> unshrunk;      // those that were shrunk, as they were drawn
  std::vector<Explained> explained;          // the known departures, in order, met or not
  uint64_t softened = 0;                     // random problems run again on easier data because their bound was vacuous
  uint64_t shortened = 0;
  uint64_t too_long = 0;  // problems that were not started, since they would have ended after the time
  uint64_t planned = 0, run = 0;
  // Kinds that the list requires and of which fewer than two problems were run. 0 for a shard.
  uint64_t hardly_tried = 0;
  AfterComplaint after_complaint = AfterComplaint::kGoOn;  // of CampaignOptions
  double work_done = 0, work_planned = 0;                  // estimates, for the time that is left
  double seconds = 0;
  std::string interrupted_by;  // the signal's name; empty: the run was not interrupted

  uint64_t Count(Verdict verdict) const { return count[static_cast<int>(verdict)]; }
  // Nothing is wrong, and something was judged.
  bool ok() const { return departs_only_as_known() && NumExplained() == 0; }
  // Every departure is explained, and something was judged.
  bool departs_only_as_known() const;
  // The run was interrupted; a required kind was hardly tried; something was refused; or the bounds of a given problem, or of more than one in a hundred, say nothing.
  bool partial() const;
  uint64_t NumExplained() const;
};

// The problem of a complaint before it was shrunk; itself if it was not.
const CheckedProblem& AsDrawn(const CampaignResult& result, const CheckedProblem& complaint);

// Shrinking takes up to CampaignOptions::shrink_attempts runs, so only random problems among the first complaints are
// shrunk.
constexpr size_t kMostShrunk = 10;

// More problems at the same time would wait for those before them (InOrder).
constexpr int kMostJobs = 64;

// Called after each problem.
using Progress = std::function<void(const CampaignResult& so_far)>;

CampaignResult RunCampaign(const Plugin& plugin, const CampaignOptions& options, const Progress& progress);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_JUDGE_CAMPAIGN_H_
