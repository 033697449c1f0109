#include <algorithm>

#include "conformance/pages/reports.h"
#include "conformance/problem/base/format.h"

namespace tandem::conformance {
namespace {

std::string IfAny(uint64_t count, const std::string& what) { return count == 0 ? "" : what; }
std::string IfAny(uint64_t count, const char* what) { return IfAny(count, std::to_string(count) + " " + what); }

std::string List(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
  }
  return text;
}

// If there are more profiles than a sentence can name, their table has the names.
std::string ProfilesInWords(const CampaignResult& result) {
  const std::vector<ProfileStatus> rows = ProfilesForATable(result);
  if (rows.empty()) return InWords(Statuses(result.kinds));
  const auto met = static_cast<size_t>(
      std::count_if(rows.begin(), rows.end(), [](const ProfileStatus& status) { return status.conforms(); }));
  const std::string all = Counted(rows.size(), "profile");
  if (met == rows.size()) return "conforms to all of " + all;
  return met == 0 ? "conforms to no profile of " + std::to_string(rows.size())
                  : "conforms to " + std::to_string(met) + " of " + all;
}

}  // namespace

std::vector<ProfileStatus> ProfilesForATable(const CampaignResult& result) {
  constexpr size_t kMostInASentence = 3;
  const std::vector<ProfileStatus> statuses = Statuses(result.kinds);
  const bool whole = std::any_of(statuses.begin(), statuses.end(), IsWholeTable);
  return whole || statuses.size() <= kMostInASentence ? std::vector<ProfileStatus>() : statuses;
}

std::string Headline(const CampaignResult& result) {
  const uint64_t passed = result.Count(Verdict::kPass) + result.Count(Verdict::kQualityWarning);
  const std::string profiles = ProfilesInWords(result);
  const std::string unjudged =
      List({IfAny(result.Count(Verdict::kNotSupported), "refused"), IfAny(result.vacuous.size(), "vacuous")});
  const std::string counts = std::to_string(passed) + " of " + std::to_string(result.run) + " problems pass" +
                             (unjudged.empty() ? "" : ", " + unjudged);
  std::string verdict;
  if (!result.complaints.empty() || result.NumExplained() != 0) {
    verdict =
        "does not conform: " + List({IfAny(result.complaints.size(), Counted(result.complaints.size(), "complaint")),
                                     IfAny(result.NumExplained(), Counted(result.NumExplained(), "known departure"))});
  } else if (passed == 0) {
    verdict = "nothing was judged";
  } else if (result.partial()) {
    verdict = "nothing is wrong, but not everything was judged";
  } else {
    verdict = "nothing is wrong";
  }
  const std::string incomplete =
      result.interrupted_by.empty() ? "" : "INCOMPLETE, interrupted by " + result.interrupted_by + ": ";
  return incomplete + (profiles.empty() ? verdict : profiles + "; " + verdict) + "; " + counts;
}

std::string NameAndVersion(const CampaignResult& result) {
  return result.implementation + (result.version.empty() ? "" : " " + result.version);
}

std::string MessageOf(const CheckedProblem& checked) {
  const ProblemSpec& spec = checked.spec;
  constexpr unsigned kBoth = 1u << kSrcIterC | 1u << kDstIterC;
  const bool untyped = HasCellState(spec.cell) && (spec.absent & kBoth) == kBoth;
  if (checked.outcome.verdict() != Verdict::kFail || !untyped || !IsNarrowFloat(TypesOf(spec.config).src_layer)) {
    return checked.message;
  }
  return checked.message + "; c is f32 here, because neither src_iter_c nor dst_iter_c is given";
}

std::string NotRun(const CampaignResult& result) {
  if (result.run >= result.planned) return "";
  const bool complaint = result.after_complaint == AfterComplaint::kStop && !result.complaints.empty();
  const std::string why = !result.interrupted_by.empty() ? result.interrupted_by + " interrupted the run"
                          : complaint                    ? "the first complaint ended the run (--fail-fast)"
                                                         : "the time was up (--time=0 sets no limit)";
  return "only " + std::to_string(result.run) + " of " + std::to_string(result.planned) + " problems were run: " + why;
}

std::string LeftOut(const CampaignResult& result) {
  if (result.left_out.empty()) return "";
  const bool one = result.left_out.size() == 1;
  return "--tier=" + result.tier + " leaves out " + std::to_string(result.left_out.size()) + " network" +
         (one ? "" : "s") + " of more than " + std::to_string(kMostWeights / 1'000'000) + " million weights (" +
         List(result.left_out) + "); --tier=full judges " + (one ? "it" : "them");
}

std::string HardlyTried(const CampaignResult& result) {
  if (result.hardly_tried == 0) return "";
  return "too few problems for a verdict: of " + std::to_string(result.hardly_tried) +
         " kinds (cell, propagation and types) fewer than two were run; a longer --time helps";
}

std::string NotRepeated(const CampaignResult& result) {
  const auto count = std::count_if(result.named.begin(), result.named.end(), [](const CheckedProblem& checked) {
    return checked.origin == Origin::kGiven && checked.outcome.ok() && !checked.repeated;
  });
  if (count == 0) return "";
  return "leaks, outputs that change after many calls, and calls from two threads were not looked for in " +
         Counted(static_cast<uint64_t>(count), "given problem") +
         ": they are in each of up to 8 with at most 200,000 multiply-adds, and in one of 32 of a longer list";
}

}  // namespace tandem::conformance
