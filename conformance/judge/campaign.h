// A campaign runs many problems on one implementation. Here are the list, the run, and the results for the reports.
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
#include "conformance/problem/random/pairs.h"
#include "conformance/problem/random/random_problem.h"

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

// A shard is a part of a campaign that runs elsewhere: batch k of the list belongs to shard k % count.
struct Shard {
  uint64_t index = 0, count = 1;
};

enum class AfterComplaint { kGoOn, kStop };

struct CampaignOptions {
  std::vector<ProblemSpec> required;  // profiles require these; they run first
  std::vector<ProblemSpec> problems;  // these run next
  Origin origin = Origin::kGiven;     // the origin of `problems`: kGiven or kTier
  std::vector<ProblemSpec> left_out;  // the tier's problems that are too large for it; only named in the reports
  uint64_t random_problems = 0;       // this many random ones run last
  ProblemScope scope;
  // Random problems are of these kinds, with one exception in eight. If this is empty, they are of any kind.
  std::set<ServedKind> kinds;
  // Random problems are of these directions, with one layer or more. If this is empty, they are of any.
  std::set<FeaturePair> shapes;
  // Random problems of these kinds may have rows of different lengths, as the scope says.
  std::set<ServedKind> kinds_with_lengths;
  // Random problems of these kinds may have layer normalization.
  std::set<ServedKind> kinds_with_norms;
  std::set<ServedKind> kinds_with_masks;  // likewise with masks
  // Random problems of these kinds may have 8-bit weights beside floating data.
  std::set<ServedKind> kinds_with_byte_weights;
  std::set<Cell> cells_with_gates;
  uint64_t seed = 1;
  std::string tier;  // the list's name, for the report
  // The first problem is always started; later ones only if they will end before this time by the pace so far. 0: no limit.
  double seconds = 0;
  // Several threads read the seconds from this clock. Null means the system's steady clock.
  std::function<double()> now;
  int shrink_attempts = 60;
  Shard shard;
  AfterComplaint after_complaint = AfterComplaint::kGoOn;
  // The campaign calls this function, unless it is null, with each problem's result in the order of the list.
  std::function<void(const CheckedProblem&)> each;
  int jobs = 0;  // problems at the same time, 0: one for each core; only times depend on it
  CheckOptions check;
  KnownDepartures known;  // those of this implementation
};

// Makes the random problems those of the kinds and shapes that the plugin serves. If it serves these, one in six has rows of
// different lengths, and one in four of those that may have 8-bit weights has them. It asks the plugin, so it throws
// PluginFailure and Interrupted. `asked` is called with the number of questions so far.
void DrawServedKinds(const Plugin& plugin, const std::function<void(size_t)>& asked, CampaignOptions* options);

// Networks with more weights than this are left out of the short tiers.
constexpr Dim kMostWeights = 6'000'000;

// Returns the problems, counts and time of a tier, for a user who gives no problems.
CampaignOptions OptionsFor(Tier tier);

struct CategoryKey {
  Cell cell;
  Propagation propagation;
  Config config;
  bool operator<(const CategoryKey& other) const {
    return std::tie(cell, propagation, config) < std::tie(other.cell, other.propagation, other.config);
  }
};

// These are the random problems of one category.
struct RandomTally {
  std::array<uint64_t, kNumVerdicts> count{};
  double seconds = 0;
};

// This says how often a known departure appeared.
struct Explained {
  std::string id;
  uint64_t count = 0;
  CheckedProblem example;                // the first, if there is one
  std::vector<uint64_t> positions = {};  // places of all of them, ascending; none in older reports
};

struct CampaignResult {
  std::string implementation, version, cpu_isa;
  std::string adds;  // the description's additions to the bounds, in words
  TableClaim claim = TableClaim::kPartial;
  uint64_t seed = 0;
  std::string tier;                   // the name of the list of problems; empty: the user's
  std::vector<std::string> left_out;  // networks that are too large for the tier
  Shard shard;
  std::array<uint64_t, kNumVerdicts> count{};
  std::map<CategoryKey, CategorySummary> categories;
  std::map<CategoryKey, RandomTally> random;
  KindTallies kinds;
  PairTally pairs;                           // pairs in the problems that were judged
  std::map<std::string, uint64_t> refusals;  // the reason, and how often it was given
  std::vector<CheckedProblem> named;         // the problems that were given and those of the tier
  std::vector<CheckedProblem> vacuous;       // their bounds say nothing: neither conforming nor wrong
  std::vector<CheckedProblem> complaints;    // all that are wrong and not explained; the first random ones shrunk
  std::vector<CheckedProblem> unshrunk;      // those that were shrunk, as they were drawn
  std::vector<Explained> explained;          // the known departures, in order, met or not
  uint64_t softened = 0;                     // random problems run again on easier data because their bound was vacuous
  uint64_t shortened = 0;
  uint64_t too_long = 0;  // problems that were not started, since they would have ended after the time
  uint64_t planned = 0, run = 0;
  // The number of kinds that the list requires but of which fewer than two problems ran. It is 0 for a shard.
  uint64_t hardly_tried = 0;
  AfterComplaint after_complaint = AfterComplaint::kGoOn;  // as CampaignOptions has it
  double work_done = 0, work_planned = 0;                  // estimates, for the time that is left
  double seconds = 0;
  std::string interrupted_by;  // the signal's name; empty: the run was not interrupted

  uint64_t Count(Verdict verdict) const { return count[static_cast<int>(verdict)]; }
  // Returns true if nothing is wrong, and something was judged.
  bool ok() const { return departs_only_as_known() && NumExplained() == 0; }
  // Returns true if every departure is explained, and something was judged.
  bool departs_only_as_known() const;
  // Returns true if the run was interrupted, a required kind was hardly tried, something was refused, or the bounds of a given
  // problem, or of more than one in a hundred, say nothing.
  bool partial() const;
  uint64_t NumExplained() const;
};

// Returns the problem of a complaint before it was shrunk; itself if it was not.
const CheckedProblem& AsDrawn(const CampaignResult& result, const CheckedProblem& complaint);

// Shrinking takes CampaignOptions::shrink_attempts runs at most, so only the first complaints of random problems are shrunk.
constexpr size_t kMostShrunk = 10;

// More problems at the same time would wait for those before them (InOrder).
constexpr int kMostJobs = 64;

// The function is called after each problem.
using Progress = std::function<void(const CampaignResult& so_far)>;

CampaignResult RunCampaign(const Plugin& plugin, const CampaignOptions& options, const Progress& progress);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_JUDGE_CAMPAIGN_H_
