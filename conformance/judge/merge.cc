#include "conformance/judge/merge.h"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace tandem::conformance {
namespace {

bool IsBefore(const CheckedProblem& a, const CheckedProblem& b) { return a.position < b.position; }

void Join(const std::vector<CheckedProblem>& more, std::vector<CheckedProblem>* all) {
  all->insert(all->end(), more.begin(), more.end());
  std::stable_sort(all->begin(), all->end(), IsBefore);
}

void Join(const KindTallies& more, KindTallies* all) {
  for (const auto& [kind, tally] : more) {
    KindTally& sum = (*all)[kind];
    sum.passed += tally.passed;
    sum.refused += tally.refused;
    sum.vacuous += tally.vacuous;
    sum.failed += tally.failed;
  }
}

void Join(const std::map<CategoryKey, RandomTally>& more, std::map<CategoryKey, RandomTally>* all) {
  for (const auto& [key, tally] : more) {
    RandomTally& sum = (*all)[key];
    for (int i = 0; i < kNumVerdicts; ++i) sum.count[i] += tally.count[i];
    sum.seconds += tally.seconds;
  }
}

void Join(const std::vector<Explained>& more, std::vector<Explained>* all) {
  if (more.size() != all->size()) throw std::runtime_error("the reports have different known departures");
  for (size_t i = 0; i < more.size(); ++i) {
    Explained& sum = (*all)[i];
    if (sum.id != more[i].id) throw std::runtime_error("the reports have different known departures");
    const bool first = more[i].count != 0 && (sum.count == 0 || IsBefore(more[i].example, sum.example));
    if (first) sum.example = more[i].example;
    sum.count += more[i].count;
    sum.positions.insert(sum.positions.end(), more[i].positions.begin(), more[i].positions.end());
    std::sort(sum.positions.begin(), sum.positions.end());
  }
}

void CheckSameCampaign(const CampaignResult& a, const CampaignResult& b) {
  const bool same = a.implementation == b.implementation && a.version == b.version && a.seed == b.seed &&
                    a.shard.count == b.shard.count && a.tier == b.tier;
  if (!same) throw std::runtime_error("the reports are not parts of one campaign");
}

// Every shard shrinks as many complaints as a whole campaign does. The first of all stay shrunk, the others are as drawn.
void KeepTheFirstShrunk(CampaignResult* result) {
  std::vector<CheckedProblem> kept;
  for (const CheckedProblem& drawn : result->unshrunk) {
    const auto shown = std::find_if(result->complaints.begin(), result->complaints.end(),
                                    [&](const CheckedProblem& c) { return c.position == drawn.position; });
    if (shown - result->complaints.begin() < static_cast<std::ptrdiff_t>(kMostShrunk)) {
      kept.push_back(drawn);
    } else if (shown != result->complaints.end()) {
      *shown = drawn;
    }
  }
  result->unshrunk = kept;
}

}  // namespace

CampaignResult Merge(const std::vector<CampaignResult>& shards) {
  if (shards.empty()) throw std::runtime_error("there is no report to merge");
  CampaignResult result = shards[0];
  // A file may claim any number of parts, so no memory is taken for that number.
  std::set<uint64_t> seen;
  const uint64_t parts = result.shard.count;
  for (size_t i = 0; i < shards.size(); ++i) {
    const CampaignResult& more = shards[i];
    CheckSameCampaign(shards[0], more);
    if (more.shard.index >= parts || !seen.insert(more.shard.index).second) {
      throw std::runtime_error("part " + std::to_string(more.shard.index + 1) + " of " + std::to_string(parts) +
                               " is there twice");
    }
    if (i == 0) continue;
    for (int v = 0; v < kNumVerdicts; ++v) result.count[v] += more.count[v];
    for (const auto& [key, category] : more.categories) result.categories[key].Merge(category);
    for (const auto& [reason, count] : more.refusals) result.refusals[reason] += count;
    Join(more.random, &result.random);
    Join(more.kinds, &result.kinds);
    result.pairs.Add(more.pairs);
    Join(more.named, &result.named);
    Join(more.vacuous, &result.vacuous);
    Join(more.complaints, &result.complaints);
    Join(more.unshrunk, &result.unshrunk);
    Join(more.explained, &result.explained);
    if (result.cpu_isa.find(more.cpu_isa) == std::string::npos) result.cpu_isa += ", " + more.cpu_isa;
    result.softened += more.softened;
    result.shortened += more.shortened;
    result.too_long += more.too_long;
    result.planned += more.planned;
    result.run += more.run;
    result.seconds += more.seconds;
    if (result.interrupted_by.empty()) result.interrupted_by = more.interrupted_by;
  }
  uint64_t missing = 0;
  while (seen.count(missing) != 0) ++missing;
  if (missing < parts) {
    throw std::runtime_error("part " + std::to_string(missing + 1) + " of " + std::to_string(parts) + " is missing");
  }
  result.shard = Shard();
  KeepTheFirstShrunk(&result);
  return result;
}

}  // namespace tandem::conformance
