#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "conformance/pages/columns.h"
#include "conformance/pages/complaint_groups.h"
#include "conformance/pages/reports.h"
#include "conformance/problem/base/format.h"
#include "conformance/problem/base/wrapped.h"
#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {
namespace {

using CategoryEntry = std::pair<const CategoryKey, CategorySummary>;

std::string Name(const char* cell, const char* propagation, const char* types) {
  return Format("%-11s %-17s %-11s", cell, propagation, types);
}

uint64_t At(const std::array<uint64_t, kNumVerdicts>& count, Verdict verdict) {
  return count[static_cast<int>(verdict)];
}

const Heading& HeadingOf(size_t column, Form form) {
  return form == Form::kWide ? ShownColumns()[column].wide : ShownColumns()[column].narrow;
}

// Returns the columns [begin, end), and `grade`, the heading of the last column, if it is not empty.
std::string PartOfTable(const std::vector<const CategoryEntry*>& categories, Form form, size_t begin, size_t end,
                        const std::string& grade) {
  std::string text = Name("cell", "propagation", "types");
  for (size_t i = begin; i < end; ++i) text += Format(" %*s", HeadingOf(i, form).width, HeadingOf(i, form).name);
  text += grade + "\n";
  for (const CategoryEntry* entry : categories) {
    const auto& [key, category] = *entry;
    text += Name(ToString(key.cell), ToString(key.propagation), TypesOf(key.config).name);
    for (size_t i = begin; i < end; ++i) {
      text += Format(" %*s", HeadingOf(i, form).width, ShownColumns()[i].text(category, form).c_str());
    }
    if (!grade.empty()) text += Format("%*c", static_cast<int>(grade.size() / 2 + 1), Grade(category));
    text += "\n";
  }
  return text;
}

// Returns the table of categories, as several tables if lines would be longer than `columns`. 0 is no limit.
std::string TableOf(const std::vector<const CategoryEntry*>& categories, int columns) {
  const size_t all = ShownColumns().size();
  const size_t names = Name("", "", "").size();
  const auto first_that_does_not_fit = [&](size_t begin, Form form, size_t used, size_t limit) {
    while (begin < all && (used += 1 + static_cast<size_t>(HeadingOf(begin, form).width)) <= limit) ++begin;
    return begin;
  };
  const std::string wide_grade = " grade", narrow_grade = " gr.";
  const size_t limit = columns == 0 ? SIZE_MAX : static_cast<size_t>(columns);
  if (first_that_does_not_fit(0, Form::kWide, names + wide_grade.size(), limit) == all) {
    return PartOfTable(categories, Form::kWide, 0, all, wide_grade);
  }
  std::string text, grade = narrow_grade;
  for (size_t begin = 0; begin < all; grade.clear()) {
    const size_t end = std::max(begin + 1, first_that_does_not_fit(begin, Form::kNarrow, names + grade.size(), 80));
    text += (begin == 0 ? "" : "\n") + PartOfTable(categories, Form::kNarrow, begin, end, grade);
    begin = end;
  }
  return text;
}

std::string Legend() {
  std::string text;
  for (const Column& column : ShownColumns()) text += std::string(column.wide.name) + ": " + column.legend + "; ";
  return text + "grade: A to C, F";
}

// Shows where the elements of the quoted row fail.
std::string Picture(const CheckedProblem& checked) {
  const TensorReport* row = FirstRowWith(checked.outcome.verdict(), checked.report);
  if (row == nullptr || row->where.empty()) return "";
  std::string text;
  for (const FailurePicture& picture : row->where) {
    text +=
        std::string("    ") + ToString(row->tensor) + ", " + picture.axes + "; . none fails, # all, a digit: tenths\n";
    for (const std::string& line : picture.lines) text += "      " + line + "\n";
  }
  return text;
}

std::string Shortened(const CampaignResult& result) {
  std::string text;
  for (const CheckedProblem& checked : result.named) {
    const bool rows = checked.rows_judged < checked.spec.mb && checked.outcome.ok();
    if (checked.steps_given == 0 && !rows) continue;
    text += "  " + (checked.spec.name.empty() ? PrintProblem(checked.spec) : checked.spec.name) + ":";
    if (checked.steps_given != 0) {
      text += Format(" T = %lld instead of %lld", static_cast<long long>(checked.spec.t),
                     static_cast<long long>(checked.steps_given));
    }
    if (rows) {
      text += Format("%s %lld of %lld rows of the batch judged", checked.steps_given != 0 ? "," : "",
                     static_cast<long long>(checked.rows_judged), static_cast<long long>(checked.spec.mb));
    }
    text += "\n";
  }
  return text.empty() ? "" : "The oracle would take too long for the whole of these problems:\n" + text;
}

bool AllRefused(const CategorySummary& category) {
  uint64_t all = 0;
  for (uint64_t count : category.count) all += count;
  return At(category.count, Verdict::kNotSupported) == all;
}

// Returns a line for each cell and propagation with the types that were always refused.
std::string RefusedCategories(const CampaignResult& result) {
  std::map<std::string, std::string> types;
  for (const auto& [key, category] : result.categories) {
    if (!AllRefused(category)) continue;
    types[std::string(ToString(key.cell)) + " " + ToString(key.propagation)] +=
        std::string(" ") + TypesOf(key.config).name;
  }
  std::string text;
  for (const auto& [kind, names] : types) text += "Nothing served: " + kind + ":" + names + "\n";
  return text;
}

std::string Refusals(const CampaignResult& result) {
  std::string text;
  for (const auto& [reason, count] : result.refusals) {
    text += Format("  %6llu x ", static_cast<unsigned long long>(count)) + reason + "\n";
  }
  return text.empty() ? "" : "Not supported, as the implementation declares:\n" + text;
}

// Lists known departures, also those that did not appear, because the file may be out of date.
std::string ExplainedDepartures(const CampaignResult& result) {
  std::string text, unmet;
  for (const Explained& explained : result.explained) {
    if (explained.count == 0) {
      unmet += " " + explained.id;
      continue;
    }
    text += "  explained as " + explained.id + ": " + Counted(explained.count, "problem") + ", the first:\n  " +
            ComplaintText(explained.example);
  }
  return text + (unmet.empty() ? "" : "  known departures that no problem of this run showed:" + unmet + "\n");
}

// Says how many pairs of features the judged problems had, and names the first pairs that fewer problems had.
std::string PairsJudged(const CampaignResult& result, uint64_t times) {
  constexpr size_t kMostNamed = 5;
  const std::vector<FeaturePair> below = result.pairs.Below(times);
  const size_t possible = result.pairs.Possible().size();
  const std::string how_often = times == 1 ? "" : " " + std::to_string(times) + " times or more";
  std::string text = Format("  %zu of %zu pairs of features (cell, types, direction, T > 4, ...) were judged",
                            possible - below.size(), possible) +
                     how_often;
  for (size_t i = 0; i < below.size() && i < kMostNamed; ++i) text += (i == 0 ? "; not " : "; ") + ToString(below[i]);
  return text + (below.size() > kMostNamed ? "; ..." : "") + "\n";
}

// A campaign has this text if it is large enough to have all pairs several times, or if its time was up.
std::string Pairs(const CampaignResult& result) {
  if (result.random.empty()) return "";
  std::string text;
  if (result.run < result.planned) text += PairsJudged(result, 1);
  const bool large = result.run >= kWantedOfEachPair * result.pairs.Possible().size() / 2;
  return text + (large ? PairsJudged(result, kWantedOfEachPair) : "");
}

std::string ProfileTable(const CampaignResult& result) {
  std::string text;
  for (const ProfileStatus& status : ProfilesForATable(result)) {
    text += Format("  %-32s %3llu of %3llu", status.name.c_str(), static_cast<unsigned long long>(status.met),
                   static_cast<unsigned long long>(status.groups)) +
            (status.conforms()    ? "  conforms"
             : status.failed != 0 ? Format("  %llu wrong", static_cast<unsigned long long>(status.failed))
                                  : "") +
            "\n";
  }
  return text.empty() ? "" : "Profiles, and of how many groups of them every required problem passes:\n" + text;
}

// Lists what the complaints have in common, each time with the first ones.
std::string Complaints(const CampaignResult& result, int columns) {
  constexpr size_t kExamples = 3;
  std::string text;
  for (const ComplaintGroup& group : GroupComplaints(result)) {
    const std::string line = ToString(group);
    if (result.complaints.size() > 1)
      text += (columns == 0 ? line + "\n" : Wrapped(line, static_cast<size_t>(columns), 0));
    const size_t shown = std::min(group.complaints.size(), kExamples);
    for (size_t i = 0; i < shown; ++i) text += ComplaintText(result.complaints[group.complaints[i]]);
    const size_t more = group.complaints.size() - shown;
    if (more > 0) text += "  and " + std::to_string(more) + " more, which are in the reports\n";
  }
  return text;
}

}  // namespace

std::string ComplaintText(const CheckedProblem& checked) {
  const Verdict verdict = checked.outcome.verdict();
  const std::string advice = verdict == Verdict::kVacuous ? std::string("    ") + kVacuousAdvice + "\n" : "";
  return "  " + WithVerdict(verdict, MessageOf(checked)) + "\n" + advice + "    replay: " + ReplayLine(checked) + "\n" +
         Picture(checked);
}

std::string WithVerdict(Verdict verdict, const std::string& message) {
  const std::string word = ToString(verdict);
  return message.compare(0, word.size() + 1, word + " ") == 0 ? message : word + ": " + message;
}

ColumnLegend LegendFor(const std::vector<CampaignResult>& results) {
  for (size_t i = 0; i + 1 < results.size(); ++i) {
    for (const CategoryEntry& entry : results[i].categories) {
      if (!AllRefused(entry.second)) return ColumnLegend::kToldBefore;
    }
  }
  return ColumnLegend::kBelowTheTable;
}

std::string TextReport(const CampaignResult& result, int columns, ColumnLegend legend) {
  const std::string isa = result.cpu_isa.empty() ? "" : ", using " + result.cpu_isa;
  std::string text = NameAndVersion(result) + isa + "\n";
  std::vector<const CategoryEntry*> categories;
  for (const CategoryEntry& entry : result.categories) {
    if (!AllRefused(entry.second)) categories.push_back(&entry);
  }
  if (!categories.empty()) {
    text += TableOf(categories, columns);
  }
  if (!categories.empty() && legend == ColumnLegend::kBelowTheTable) {
    text += columns == 0 ? Legend() + "\n" : Wrapped(Legend(), static_cast<size_t>(columns), 0);
  }
  if (!result.adds.empty()) {
    uint64_t measured = 0, needed = 0;
    for (const auto& entry : result.categories) {
      const Measured& bounds = entry.second[Property::kDefaultBounds];
      measured += bounds.problems;
      needed += bounds.problems - bounds.held;
    }
    text +=
        Format("Its description adds to the bounds (%s); %llu of %llu problems need that, which costs the grade\n",
               result.adds.c_str(), static_cast<unsigned long long>(needed), static_cast<unsigned long long>(measured));
  }
  text += ExplainedDepartures(result) + Complaints(result, columns);
  for (const CheckedProblem& vacuous : result.vacuous) text += ComplaintText(vacuous);
  text += RefusedCategories(result) + Refusals(result) + Shortened(result) + ProfileTable(result);
  text += Format(
      "%s: %llu of %llu problems pass, %llu refused, %llu explained, %s; seed %llu; %.1f s, %.1f problems "
      "a second\n",
      result.implementation.c_str(),
      static_cast<unsigned long long>(result.Count(Verdict::kPass) + result.Count(Verdict::kQualityWarning)),
      static_cast<unsigned long long>(result.run),
      static_cast<unsigned long long>(result.Count(Verdict::kNotSupported)),
      static_cast<unsigned long long>(result.NumExplained()), Counted(result.complaints.size(), "complaint").c_str(),
      static_cast<unsigned long long>(result.seed), result.seconds,
      static_cast<double>(result.run) / (result.seconds > 0 ? result.seconds : 1));
  if (result.softened != 0) {
    text += "  " + Counted(result.softened, "random problem") +
            " had bounds too loose to say anything; run again on tamer data\n";
  }
  text += Pairs(result);
  const std::string not_run = NotRun(result);
  if (!not_run.empty()) text += "  " + not_run + "\n";
  if (result.too_long != 0) {
    text += "  " + Counted(result.too_long, "problem") + " would have ended after the time and did not start\n";
  }
  for (const std::string& sentence : {HardlyTried(result), NotRepeated(result), LeftOut(result)}) {
    if (!sentence.empty()) text += "  " + sentence + "\n";
  }
  if (result.shard.count > 1) {
    text += Format("  part %llu of %llu\n", static_cast<unsigned long long>(result.shard.index + 1),
                   static_cast<unsigned long long>(result.shard.count));
  }
  return text + result.implementation + " " + Headline(result) + "\n";
}

}  // namespace tandem::conformance
