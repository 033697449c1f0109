// Many problems on one implementation: the list, the run, and the results for the reports.
#ifndef TANDEM_CONFORMANCE_CAMPAIGN_CAMPAIGN_H_
#define TANDEM_CONFORMANCE_CAMPAIGN_CAMPAIGN_H_

#include <array>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "conformance/campaign/check.h"
#include "conformance/campaign/grade.h"
#include "conformance/campaign/known_departures.h"
#include "conformance/problem/generator.h"

namespace tandem::conformance {

enum class Tier { kSmoke, kQuick, kFull, kSoak };
const char* ToString(Tier tier);

struct CampaignOptions {
  std::vector<ProblemSpec> problems;  // run these first
  uint64_t random_problems = 0;       // then as many random ones
  ProblemScope scope;
  uint64_t seed = 1;
  double seconds = 0;  // no problem is started after this time; 0: no limit
  int shrink_attempts = 60;
  int jobs = 0;  // problems at the same time, 0: one for each core; only times depend on it
  CheckOptions check;
  KnownDepartures known;  // of this implementation
};

// Problems, counts and time for a tier, where the user gives no problems.
CampaignOptions OptionsFor(Tier tier);

struct GroupKey {
  Cell cell;
  Propagation propagation;
  Config config;
  bool operator<(const GroupKey& other) const {
    return std::tie(cell, propagation, config) < std::tie(other.cell, other.propagation, other.config);
  }
};

// How often a known departure appeared.
struct Explained {
  std::string id;
  uint64_t count = 0;
  CheckedProblem example;  // the first, if there is one
};

struct CampaignResult {
  std::string implementation, version, cpu_isa;
  TableClaim claim = TableClaim::kPartial;
  uint64_t seed = 0;
  std::array<uint64_t, kNumVerdicts> count{};
  std::map<GroupKey, GroupSummary> groups;
  std::map<std::string, uint64_t> refusals;  // reason -> how often
  std::vector<CheckedProblem> named;         // the problems that were given, all of them
  std::vector<CheckedProblem> complaints;    // all that are not ok and not explained, shrunk if random
  std::vector<Explained> explained;          // the known departures, in order, met or not
  uint64_t softened = 0;                     // random problems run again on easier data because their bound was vacuous
  uint64_t shortened = 0;
  uint64_t planned = 0, run = 0;
  double seconds = 0;

  uint64_t Count(Verdict verdict) const { return count[static_cast<int>(verdict)]; }
  // Everything conforms and something was judged.
  bool ok() const { return departs_only_as_known() && NumExplained() == 0; }
  // Every departure is explained, and something was judged.
  bool departs_only_as_known() const;
  uint64_t NumExplained() const;
};

using Progress = std::function<void(const CampaignResult& so_far, uint64_t planned)>;

CampaignResult RunCampaign(const Plugin& plugin, const CampaignOptions& options, const Progress& progress);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CAMPAIGN_CAMPAIGN_H_
