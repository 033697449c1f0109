#include "conformance/pages/compare.h"

#include <algorithm>
#include <map>
#include <set>

#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {
namespace {

struct Entry {
  std::string subject;
  Verdict verdict = Verdict::kPass;
  double seconds = 0;
  std::string replay;
  uint64_t position = 0;  // the place in the list of problems
  bool known = false;     // a known departure explains it
};
// The key is the same in both reports.
using Entries = std::map<std::string, Entry>;

int Rank(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
    case Verdict::kQualityWarning:
      return 0;
    case Verdict::kVacuous:
      return 1;
    case Verdict::kNotSupported:
      return 2;
    case Verdict::kFail:
    case Verdict::kNondeterministic:
    case Verdict::kTimeout:
    case Verdict::kCrash:
      return 3 + static_cast<int>(verdict);
  }
  return 0;
}

Entry ToEntry(const CheckedProblem& checked) {
  const std::string line = PrintProblem(checked.spec);
  return {checked.spec.name.empty() ? line : checked.spec.name + " (" + line + ")", checked.outcome.verdict(),
          checked.seconds, ReplayLine(checked), checked.position};
}

// A known departure is between a pass and an unexplained verdict.
int Rank(const Entry& entry) { return entry.known ? 1 : 2 * Rank(entry.verdict); }

std::string InWords(const Entry& entry) { return ToString(entry.verdict) + std::string(entry.known ? ", known" : ""); }

// Returns profiles, and the problems whose verdicts the report always has.
Entries Listed(const CampaignResult& result) {
  Entries entries;
  for (const Profile& profile : Profiles()) {
    const ProfileStatus status = StatusOf(profile, result.kinds);
    // A part of a profile says nothing about it, nor does a run whose departures are known.
    if (profile.shapes != Shapes::kAll || status.untested != 0 || result.NumExplained() != 0) continue;
    const Verdict verdict = status.conforms()    ? Verdict::kPass
                            : status.failed != 0 ? Verdict::kFail
                                                 : Verdict::kNotSupported;
    entries["profile " + status.name] = {"profile " + status.name, verdict, 0, ""};
  }
  for (const CheckedProblem& checked : result.named) {
    Entry& entry = entries[PrintProblem(checked.spec)];
    entry = ToEntry(checked);
    const bool complaint = Rank(entry.verdict) > Rank(Verdict::kNotSupported);
    entry.known = complaint && std::none_of(result.complaints.begin(), result.complaints.end(),
                                            [&](const CheckedProblem& c) { return c.position == checked.position; });
  }
  return entries;
}

// Returns complaints about problems that the report has only if something is wrong with them.
Entries Complained(const CampaignResult& result) {
  Entries entries;
  for (const CheckedProblem& checked : result.complaints) {
    if (checked.origin == Origin::kRequired) entries["required " + PrintProblem(checked.spec)] = ToEntry(checked);
    // The line is that of the shrunk problem; its place is the same in every run of the list.
    if (checked.origin == Origin::kRandom) entries["random " + std::to_string(checked.position)] = ToEntry(checked);
  }
  return entries;
}

// Adds those complaints of one report that known departures explain in the other one, which has the same list.
void AddExplained(const Entries& complaints, const CampaignResult& result, Entries* entries) {
  std::set<uint64_t> positions;
  for (const Explained& e : result.explained) positions.insert(e.positions.begin(), e.positions.end());
  for (const auto& [key, entry] : complaints) {
    if (positions.count(entry.position) == 0) continue;
    Entry known = entry;
    known.known = true;
    entries->emplace(key, known);
  }
}

void Weigh(const Entry& before, const Entry& after, Comparison* comparison) {
  const Change change = {after.subject, InWords(before), InWords(after), after.replay};
  const int was = Rank(before), is = Rank(after);
  if (is > was && !after.known) comparison->regressions.push_back(change);
  if (is < was) (after.known ? comparison->explained : comparison->mended).push_back(change);
  if (is == was && after.seconds > 1.5 * before.seconds && after.seconds > before.seconds + 0.5) {
    const auto in_words = [](double seconds) { return std::to_string(seconds).substr(0, 5) + " s"; };
    comparison->slower.push_back({after.subject, in_words(before.seconds), in_words(after.seconds), after.replay});
  }
}

enum class Missing { kUnknown, kNoComplaint };

void Weigh(const Entries& before, const Entries& after, Missing missing, Comparison* comparison) {
  for (const auto& [key, entry] : after) {
    const auto found = before.find(key);
    if (found != before.end()) {
      Weigh(found->second, entry, comparison);
    } else if (missing == Missing::kNoComplaint) {
      comparison->regressions.push_back({entry.subject, "no complaint", ToString(entry.verdict), entry.replay});
    } else {
      comparison->added.push_back({entry.subject, "", ToString(entry.verdict), entry.replay});
    }
  }
  for (const auto& [key, entry] : before) {
    if (after.count(key) != 0) continue;
    std::vector<Change>* list = missing == Missing::kNoComplaint ? &comparison->mended : &comparison->gone;
    list->push_back(
        {entry.subject, ToString(entry.verdict), missing == Missing::kNoComplaint ? "no complaint" : "", entry.replay});
  }
}

// Returns whether both ran one list to its end, so that a place in it is the same problem.
bool SameList(const CampaignResult& a, const CampaignResult& b) {
  return a.seed == b.seed && a.tier == b.tier && a.planned == b.planned && a.run == a.planned && b.run == b.planned;
}

void WeighRefusals(const CampaignResult& before, const CampaignResult& after, Comparison* comparison) {
  constexpr int kRefused = static_cast<int>(Verdict::kNotSupported);
  for (const auto& [key, tally] : after.random) {
    const auto found = before.random.find(key);
    if (found == before.random.end() || found->second.count[kRefused] == tally.count[kRefused]) continue;
    const uint64_t was = found->second.count[kRefused], is = tally.count[kRefused];
    const Change change = {std::string("random problems of ") + ToString(key.cell) + " " + ToString(key.propagation) +
                               " " + TypesOf(key.config).name,
                           std::to_string(was) + " refused", std::to_string(is) + " refused", ""};
    (is > was ? comparison->regressions : comparison->mended).push_back(change);
  }
}

Comparison CompareOne(const CampaignResult& before, const CampaignResult& after) {
  Comparison comparison;
  comparison.implementation = after.implementation;
  comparison.versions = before.version + " -> " + after.version;
  Weigh(Listed(before), Listed(after), Missing::kUnknown, &comparison);
  const bool same = SameList(before, after);
  Entries was = Complained(before), is = Complained(after);
  if (same) {
    const Entries complaints = was;
    AddExplained(is, before, &was);
    AddExplained(complaints, after, &is);
  }
  Weigh(was, is, same ? Missing::kNoComplaint : Missing::kUnknown, &comparison);
  if (same) {
    WeighRefusals(before, after, &comparison);
  } else {
    comparison.notes.push_back(
        "the reports are of other lists (tier, seed, number of problems) or incomplete: of required and random "
        "problems, "
        "only complaints that both have are compared");
  }
  return comparison;
}

const CampaignResult* Find(const std::string& implementation, const std::vector<CampaignResult>& results) {
  const auto found = std::find_if(results.begin(), results.end(), [&](const CampaignResult& result) {
    return result.implementation == implementation;
  });
  return found == results.end() ? nullptr : &*found;
}

std::string ListText(const std::string& title, const std::vector<Change>& changes) {
  if (changes.empty()) return "";
  std::string text = "  " + title + "\n";
  for (const Change& change : changes) {
    text += "    " + change.subject + ": " + (change.before.empty() ? "" : change.before);
    if (!change.before.empty() && !change.after.empty()) text += " -> ";
    text += change.after + "\n";
    if (!change.replay.empty()) text += "      replay: " + change.replay + "\n";
  }
  return text;
}

}  // namespace

std::vector<Comparison> Compare(const std::vector<CampaignResult>& before, const std::vector<CampaignResult>& after) {
  std::vector<Comparison> comparisons;
  std::vector<std::string> alone;
  for (const CampaignResult& result : after) {
    const CampaignResult* const old = Find(result.implementation, before);
    if (old != nullptr) comparisons.push_back(CompareOne(*old, result));
    if (old == nullptr) alone.push_back(result.implementation + " is in the new report only");
  }
  for (const CampaignResult& result : before) {
    if (Find(result.implementation, after) == nullptr) {
      alone.push_back(result.implementation + " is in the old report only");
    }
  }
  if (comparisons.empty()) return {};
  comparisons[0].notes.insert(comparisons[0].notes.end(), alone.begin(), alone.end());
  return comparisons;
}

std::string ComparisonText(const Comparison& comparison) {
  const auto count = [](const std::vector<Change>& changes) { return std::to_string(changes.size()); };
  std::string text = comparison.implementation + " " + comparison.versions + "\n";
  text += ListText("regressions", comparison.regressions) + ListText("mended", comparison.mended) +
          ListText("explained", comparison.explained) + ListText("new", comparison.added) +
          ListText("gone", comparison.gone) + ListText("slower", comparison.slower);
  for (const std::string& note : comparison.notes) text += "  note: " + note + "\n";
  return text + count(comparison.regressions) +
         (comparison.regressions.size() == 1 ? " regression, " : " regressions, ") + count(comparison.mended) +
         " mended, " + count(comparison.explained) + " explained, " + count(comparison.added) + " new, " +
         count(comparison.gone) + " gone, " + count(comparison.slower) + " slower\n";
}

}  // namespace tandem::conformance
