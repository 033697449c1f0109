#include <algorithm>
#include <set>
#include <utility>

#include "conformance/pages/columns.h"
#include "conformance/pages/complaint_groups.h"
#include "conformance/pages/markup.h"
#include "conformance/pages/page.h"
#include "conformance/pages/pictures.h"
#include "conformance/pages/reports.h"
#include "conformance/problem/base/format.h"
#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {
namespace {

// In letters of the size of the text around it, the coverage table would be wider than most screens.
constexpr const char* kStyle =
    "@page { size: landscape } .coverage { font-size: .9rem } .coverage th, .coverage td { padding: .2rem .5rem }";

struct HtmlColumn {
  std::string name;
  const char* css = "";  // class of the cells; "number": right-aligned
};

// Cells are added from left to right, and rows from top to bottom. In a narrow table a cell says its column's name.
class Table {
 public:
  Table(const char* css, const std::string& caption, std::vector<HtmlColumn> columns) : columns_(std::move(columns)) {
    html_ = std::string("<table class=\"") + css + "\"><caption>" + Escape(caption) + "</caption><thead><tr>";
    for (const HtmlColumn& column : columns_) html_ += "<th scope=\"col\">" + Escape(column.name) + "</th>";
    html_ += "</tr></thead><tbody>\n";
  }
  // `css` instead of the column's.
  Table& Add(const std::string& text, const std::string& css = "") { return AddHtml(Escape(text), css); }
  Table& AddCount(uint64_t count) { return Add(std::to_string(count)); }
  Table& AddHtml(const std::string& html, const std::string& css = "") {
    const HtmlColumn& column = columns_[at_];
    const std::string name = css.empty() ? column.css : css;
    if (at_ == 0) {
      html_ += "<tr><th scope=\"row\">" + html + "</th>";
    } else {
      html_ += "<td data-label=\"" + Escape(column.name) + "\"" + (name.empty() ? "" : " class=\"" + name + "\"") +
               ">" + html + "</td>";
    }
    at_ = (at_ + 1) % columns_.size();
    if (at_ == 0) html_ += "</tr>\n";
    return *this;
  }
  std::string Html() const { return html_ + "</tbody></table>\n"; }

 private:
  std::vector<HtmlColumn> columns_;
  std::string html_;
  size_t at_ = 0;
};

std::string CoverageTable(const CampaignResult& result) {
  std::vector<HtmlColumn> columns = {{"cell"}, {"propagation"}, {"types"}, {"grade"}};
  for (const Column& column : ShownColumns()) columns.push_back({column.page});
  Table table("coverage", "Problems by verdict, and what was measured of each category.", columns);
  for (const auto& [key, category] : result.categories) {
    const std::string grade(1, Grade(category));
    table.Add(ToString(key.cell)).Add(ToString(key.propagation)).Add(TypesOf(key.config).name);
    table.Add(grade, grade == "-" ? "" : "grade-" + grade);
    for (const Column& column : ShownColumns()) table.Add(column.text(category, Form::kPage), column.css(category));
  }
  return "<h3>Coverage and grades</h3>" + Scrollable("Coverage and grades of " + result.implementation, table.Html());
}

std::string PairTable(const CampaignResult& result) {
  const std::vector<FeaturePair> below = result.pairs.Below(kWantedOfEachPair);
  const size_t possible = result.pairs.Possible().size();
  std::string html = "<h3>Features that were judged together</h3><p>" + std::to_string(possible - below.size()) +
                     " of " + std::to_string(possible) + " possible pairs were in " +
                     std::to_string(kWantedOfEachPair) + " judged problems or more, " +
                     std::to_string(result.pairs.Below(1).size()) + " in none.</p>\n";
  if (below.empty()) return html;
  Table table("pairs", "Pairs that fewer judged problems had.", {{"one"}, {"and"}, {"problems", "number"}});
  for (const FeaturePair& pair : below) {
    table.Add(ToString(pair.first)).Add(ToString(pair.second)).AddCount(result.pairs.Count(pair));
  }
  return html + "<details><summary>The others</summary>" +
         Scrollable("Pairs of features, " + result.implementation, table.Html()) + "</details>\n";
}

std::string Plots(const CampaignResult& result) {
  std::map<std::string, RatioHistogram> by_type;
  for (const auto& [key, category] : result.categories) by_type[TypesOf(key.config).name].Merge(category.stats.ratio);
  std::string html =
      "<h3>|error| / allowed</h3><p>One element counts once; right of the line at 2^0 an element fails.</p>\n";
  for (const auto& [types, histogram] : by_type) {
    if (histogram.count() != 0) html += RatioPlot(types, histogram);
  }
  return html;
}

// What happened, the line that runs it again, and where it is wrong.
std::string Story(const CheckedProblem& checked, const TracePages& pages) {
  std::string html = Escape(MessageOf(checked)) + "<br><code>" + Escape(ReplayLine(checked)) + "</code>";
  const auto page = pages.find(ReplayLine(checked));
  if (page != pages.end()) html += "<br><a href=\"" + Escape(page->second) + "\">its equations with numbers</a>";
  std::string pictures;
  for (const TensorReport& row : checked.report.rows) {
    for (const FailurePicture& picture : row.where) pictures += FailureHeatMap(row.tensor, picture);
  }
  return html + (pictures.empty() ? "" : "<br>" + pictures);
}

std::string ProblemTable(const std::string& title, const std::string& caption,
                         const std::vector<CheckedProblem>& problems, const TracePages& pages = {}) {
  if (problems.empty()) return "";
  Table table("rows", caption,
              {{"problem"},
               {"verdict"},
               {"worst |error| / allowed", "number"},
               {"seconds", "number"},
               {"rows judged", "number"},
               {"T shortened from", "number"},
               {"message and replay"}});
  for (const CheckedProblem& checked : problems) {
    double worst = 0;
    for (const TensorReport& row : checked.report.rows) worst = std::max(worst, row.stats.ratio.max());
    table.Add(checked.spec.name.empty() ? PrintProblem(checked.spec) : checked.spec.name);
    const Verdict verdict = checked.outcome.verdict();
    table.Add(ToString(verdict), checked.outcome.ok()           ? "grade-A"
                                 : verdict == Verdict::kVacuous ? "vacuous"
                                                                : "grade-F");
    table.Add(ShortNumber(worst)).Add(ShortNumber(checked.seconds)).Add(std::to_string(checked.rows_judged));
    table.Add(checked.steps_given != 0 ? std::to_string(checked.steps_given) : "");
    table.AddHtml(Story(checked, pages));
  }
  return "<h3>" + title + "</h3>" + table.Html();
}

// One line for each failure: what its complaints have in common.
std::string GroupTable(const CampaignResult& result) {
  if (result.complaints.size() < 2) return "";
  Table table("rows", "What complaints have in common, the largest group first.",
              {{"complaints", "number"}, {"features"}, {"of the judged ones fail"}, {"true of all"}, {"the first"}});
  for (const ComplaintGroup& group : GroupComplaints(result)) {
    const CheckedProblem& first = result.complaints[group.complaints[0]];
    table.AddCount(group.complaints.size()).Add(group.features.empty() ? "no pair explains them" : group.features);
    table.Add(group.features.empty() ? "" : std::to_string(group.failed) + " of " + std::to_string(group.judged));
    table.Add(group.common).AddHtml(Escape(MessageOf(first)) + "<br><code>" + Escape(ReplayLine(first)) + "</code>");
  }
  return "<h3>Groups of complaints</h3>" +
         Scrollable("Groups of complaints about " + result.implementation, table.Html());
}

// Cells by types and propagation: green if all that was judged passes, red if something fails, grey if nothing was judged.
std::string VerdictMatrix(const CampaignResult& result) {
  std::vector<HtmlColumn> columns = {{"cell, propagation"}};
  std::vector<Config> shown;
  for (int i = 0; i < kNumConfigs; ++i) {
    const Config config = static_cast<Config>(i);
    const bool met = std::any_of(result.categories.begin(), result.categories.end(),
                                 [&](const auto& entry) { return entry.first.config == config; });
    if (!met) continue;
    shown.push_back(config);
    columns.push_back({TypesOf(config).name, "number"});
  }
  Table table("matrix", "Judged problems that pass, of all that were judged.", columns);
  std::set<std::pair<Cell, Propagation>> rows;
  for (const auto& entry : result.categories) rows.insert({entry.first.cell, entry.first.propagation});
  for (const auto& [cell, propagation] : rows) {
    table.Add(std::string(ToString(cell)) + " " + ToString(propagation));
    for (const Config config : shown) {
      const auto found = result.categories.find({cell, propagation, config});
      uint64_t passed = 0, judged = 0;
      for (int v = 0; found != result.categories.end() && v < kNumVerdicts; ++v) {
        const Verdict verdict = static_cast<Verdict>(v);
        if (verdict == Verdict::kNotSupported || verdict == Verdict::kVacuous) continue;
        judged += found->second.count[v];
        if (Outcome(verdict).ok()) passed += found->second.count[v];
      }
      const char* colour = judged == 0 ? "" : passed == judged ? "grade-A" : "grade-F";
      table.Add(judged == 0 ? "-" : std::to_string(passed) + "/" + std::to_string(judged), colour);
    }
  }
  return "<h3>Verdicts</h3>" + Scrollable("Verdicts of " + result.implementation, table.Html());
}

std::string ExplainedTable(const CampaignResult& result) {
  if (result.explained.empty()) return "";
  Table table("rows", "Departures that are known of this implementation and version.",
              {{"ID"}, {"problems", "number"}, {"verdict"}, {"the first"}});
  for (const Explained& explained : result.explained) {
    const CheckedProblem& first = explained.example;
    const bool met = explained.count != 0;
    table.Add(explained.id).AddCount(explained.count);
    table.Add(met ? ToString(first.outcome.verdict()) : "not met", met ? "grade-F" : "");
    table.AddHtml(met ? Escape(first.message) + "<br><code>" + Escape(ReplayLine(first)) + "</code>" : "");
  }
  return "<h3>Known departures</h3>" + table.Html();
}

std::string Refusals(const CampaignResult& result) {
  if (result.refusals.empty()) return "";
  Table table("rows", "What the implementation says of problems that it does not serve.",
              {{"reason"}, {"problems", "number"}});
  for (const auto& [reason, count] : result.refusals) table.Add(reason).AddCount(count);
  return "<h3>Not supported, as declared</h3>" + table.Html();
}

std::string InWords(const CampaignResult& result) {
  if (!result.interrupted_by.empty()) return "<span class=\"alarm\">incomplete</span>";
  if (!result.ok()) return "<span class=\"alarm\">does not conform</span>";
  return result.partial() ? "conforms in part" : "conforms";
}

std::string Paragraph(const std::string& text) { return text.empty() ? "" : "<p>" + Escape(text) + "</p>\n"; }

std::string ProfileTable(const CampaignResult& result) {
  const std::vector<ProfileStatus> statuses = ProfilesForATable(result);
  if (statuses.empty()) return "";
  Table table("rows", "Profiles, and the groups of them of which every required problem passes.",
              {{"profile"}, {"groups", "number"}, {"met", "number"}, {"wrong", "number"}, {"verdict"}});
  for (const ProfileStatus& status : statuses) {
    table.Add(status.name).AddCount(status.groups).AddCount(status.met).AddCount(status.failed);
    table.Add(status.conforms()    ? "conforms"
              : status.failed != 0 ? "does not conform"
                                   : "served in part",
              status.conforms()    ? "grade-A"
              : status.failed != 0 ? "grade-F"
                                   : "");
  }
  return "<h3>Profiles</h3>" + table.Html();
}

std::string Section(const CampaignResult& result, const TracePages& pages) {
  return "<h2>" + Escape(NameAndVersion(result)) + ": " + InWords(result) + "</h2>\n<p>" + Escape(Headline(result)) +
         "</p>\n<p>" + std::to_string(result.run) + " problems in " + ShortNumber(result.seconds) + " s, seed " +
         std::to_string(result.seed) + ", " + Counted(result.complaints.size(), "complaint") + ".</p>\n" +
         Paragraph(NotRun(result)) + ProfileTable(result) + VerdictMatrix(result) + GroupTable(result) +
         Paragraph(LeftOut(result)) +
         ProblemTable("Complaints", "Problems with wrong results, each with the line that runs it again.",
                      result.complaints, pages) +
         ProblemTable("Bounds that say nothing",
                      std::string("Problems that are neither right nor wrong: ") + kVacuousAdvice + ".",
                      result.vacuous) +
         ExplainedTable(result) + CoverageTable(result) + PairTable(result) + Plots(result) +
         ProblemTable("Problems by name", "Problems that were given, and those of the tier's list.", result.named) +
         Refusals(result);
}

}  // namespace

std::string HtmlReport(const std::vector<CampaignResult>& results, const TracePages& pages) {
  std::string html = PageBegin("RNN conformance", kStyle) + "<h1>RNN conformance</h1>\n";
  for (const CampaignResult& result : results) html += Section(result, pages);
  return html + PageEnd();
}

}  // namespace tandem::conformance
