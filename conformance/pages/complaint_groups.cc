#include "conformance/pages/complaint_groups.h"

#include <algorithm>
#include <set>

#include "conformance/problem/base/format.h"

namespace tandem::conformance {
namespace {

// A pair of one feature with itself stands for the feature alone.
using Rule = FeaturePair;

bool IsSingle(const Rule& rule) { return rule.first == rule.second; }

std::string Words(const Rule& rule) { return IsSingle(rule) ? ToString(rule.first) : ToString(rule); }

// Counts judged problems with a feature. Each of them has one value of any other aspect.
uint64_t Judged(const PairTally& pairs, const Rule& rule) {
  if (!IsSingle(rule)) return pairs.Count(rule);
  const bool is_cell = rule.first.aspect == Aspect::kCell;
  const Aspect other = is_cell ? Aspect::kRows : Aspect::kCell;
  uint64_t sum = 0;
  for (int value = 0; value < NumValues(other); ++value) {
    const Feature feature = {other, value};
    sum += pairs.Count(is_cell ? FeaturePair{rule.first, feature} : FeaturePair{feature, rule.first});
  }
  return sum;
}

std::vector<Rule> Rules() {
  std::set<Rule> rules;
  for (const FeaturePair& pair : CountedPairs()) {
    rules.insert(pair);
    rules.insert({pair.first, pair.first});
    rules.insert({pair.second, pair.second});
  }
  return {rules.begin(), rules.end()};
}

// This is a rule, and how well it explains the complaints that are left. It must be true of two, and most problems of which it
// is true must fail. Problems with zeros, or too small to show a mistake, pass.
struct Explanation {
  const Rule* rule = nullptr;
  uint64_t judged = 0, failed = 0;
  std::vector<size_t> complaints;

  double FailingShare() const { return static_cast<double>(failed) / static_cast<double>(judged); }
  bool Explains() const { return complaints.size() > 1 && judged > 0 && FailingShare() > 0.5; }
  // Fewer exceptions count more than more complaints.
  double Worth() const { return static_cast<double>(complaints.size()) * FailingShare() * FailingShare(); }
};

// One feature comes before two that are of equal worth.
Explanation BestRule(const std::vector<Rule>& rules, const PairTally& pairs,
                     const std::vector<const ProblemSpec*>& specs, const std::vector<size_t>& left) {
  Explanation best;
  for (const Rule& rule : rules) {
    Explanation found = {&rule, Judged(pairs, rule), 0, {}};
    for (const ProblemSpec* spec : specs) found.failed += Has(*spec, rule);
    for (const size_t i : left) {
      if (Has(*specs[i], rule)) found.complaints.push_back(i);
    }
    if (!found.Explains()) continue;
    const bool first = best.rule == nullptr;
    const bool simpler = !first && IsSingle(rule) && !IsSingle(*best.rule) && found.Worth() == best.Worth();
    if (first || found.Worth() > best.Worth() || simpler) best = found;
  }
  return best;
}

using Facts = std::set<std::string>;

// Adds the remainder by the largest divisor by which all sizes have the same.
void AddRemainder(const char* name, const std::vector<Dim>& sizes, Facts* facts) {
  for (const Dim divisor : {16, 8, 4}) {
    const Dim remainder = sizes[0] % divisor;
    if (std::any_of(sizes.begin(), sizes.end(), [&](Dim size) { return size % divisor != remainder; })) continue;
    facts->insert(
        Format("%s %% %lld = %lld", name, static_cast<long long>(divisor), static_cast<long long>(remainder)));
    return;
  }
}

// Returns facts about a complaint's problem and first wrong element.
Facts FactsOf(const CheckedProblem& complaint) {
  const ProblemSpec& spec = complaint.spec;
  Facts facts;
  for (int i = 0; i < kNumAspects; ++i) {
    const Feature feature = FeatureOf(spec, static_cast<Aspect>(i));
    const bool part = feature.aspect == Aspect::kPeephole || feature.aspect == Aspect::kProjection;
    if (feature.aspect == Aspect::kRowTail) continue;  // AddRemainder() says more
    if (!part || feature.value != 0) facts.insert(ToString(feature));
  }
  facts.insert(std::string("data ") + ToString(spec.data));
  const TensorReport* row = FirstRowWith(complaint.outcome.verdict(), complaint.report);
  if (row == nullptr || !row->has_departure) return facts;
  facts.insert(std::string("first wrong in ") + ToString(row->tensor));
  const Location& at = row->first;
  const auto add = [&](Dim index, Dim size, const char* what) {
    if (index < 0 || size < 2) return;
    if (index == 0) facts.insert(std::string("in the first ") + what);
    if (index == size - 1) facts.insert(std::string("in the last ") + what);
  };
  add(at.t, spec.t, "step");
  add(at.n, spec.mb, "row");
  add(at.l, spec.l, "layer");
  if (at.l > 0) facts.insert("in an upper layer");
  return facts;
}

std::string CommonFacts(const CampaignResult& result, const ComplaintGroup& group) {
  Facts common;
  std::vector<Dim> rows, units;
  for (size_t i = 0; i < group.complaints.size(); ++i) {
    const CheckedProblem& drawn = AsDrawn(result, result.complaints[group.complaints[i]]);
    const Facts facts = FactsOf(drawn);
    rows.push_back(drawn.spec.mb);
    units.push_back(drawn.spec.dhc != 0 ? drawn.spec.dhc : drawn.spec.sic);
    Facts both;
    std::set_intersection(common.begin(), common.end(), facts.begin(), facts.end(), std::inserter(both, both.begin()));
    common = i == 0 ? facts : both;
  }
  AddRemainder("N", rows, &common);
  AddRemainder("dhc", units, &common);
  std::string text;
  for (const std::string& fact : common) {
    const bool said = ("," + group.features + ",").find(fact) != std::string::npos;
    if (!said) text += (text.empty() ? "" : ", ") + fact;
  }
  return text;
}

}  // namespace

std::vector<ComplaintGroup> GroupComplaints(const CampaignResult& result) {
  const std::vector<Rule> rules = Rules();
  std::vector<const ProblemSpec*> specs;
  std::vector<size_t> left;
  for (const CheckedProblem& complaint : result.complaints) {
    left.push_back(specs.size());
    specs.push_back(&AsDrawn(result, complaint).spec);
  }
  std::vector<ComplaintGroup> groups;
  const auto add = [&](ComplaintGroup group) {
    group.common = CommonFacts(result, group);
    groups.push_back(group);
  };
  while (!left.empty()) {
    const Explanation best = BestRule(rules, result.pairs, specs, left);
    if (best.rule == nullptr) break;
    add({Words(*best.rule), best.judged, best.failed, "", best.complaints});
    std::vector<size_t> others;
    std::set_difference(left.begin(), left.end(), best.complaints.begin(), best.complaints.end(),
                        std::back_inserter(others));
    left = others;
  }
  if (!left.empty()) add({"", 0, 0, "", left});
  return groups;
}

std::string ToString(const ComplaintGroup& group) {
  const size_t count = group.complaints.size();
  std::string text = Counted(count, "complaint");
  if (!group.features.empty()) {
    text += Format(": %s (%llu of %llu judged fail)", group.features.c_str(),
                   static_cast<unsigned long long>(group.failed), static_cast<unsigned long long>(group.judged));
  } else {
    text += " that no pair of features explains";
  }
  return text + (group.common.empty() || count == 1 ? "" : "; all: " + group.common);
}

}  // namespace tandem::conformance
