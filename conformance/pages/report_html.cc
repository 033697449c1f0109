#include <algorithm>
#include <map>
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
constexpr const char* kStyle = R"css(
@page { size: landscape }
.coverage { font-size: .9rem } .coverage th, .coverage td { padding: .2rem .5rem }
:is(.matrix, .coverage) th:first-child { position: sticky; left: 0; background: var(--paper) }
.matrix :is(th, td) { padding: .35rem .5rem }
.matrix td { font-variant-numeric: tabular-nums; min-width: 3.2rem; text-align: right } .matrix .grade-F { font-weight: bold }
.headline { font-size: 1.15rem; max-width: 50rem } .facts { font-size: .9rem; margin: .3rem 0 }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 42rem), 1fr)); gap: 1rem; align-items: start }
.card { min-width: 0; padding: .2rem 1.2rem 1rem; border: 1px solid #8886; border-left: 5px solid var(--wrong); border-radius: 6px }
.card figure { max-width: 20rem }
.card h4 { font-size: 1.05rem; margin: .8rem 0 .3rem }
.replay { margin: .5rem 0; padding: .5rem .7rem; background: var(--faint); border-radius: 4px; white-space: pre-wrap; user-select: all }
summary { cursor: pointer }
@media (max-width: 40rem) { .matrix th, .matrix td { padding: .3rem .4rem; min-width: 3rem } }
)css";

struct HtmlColumn {
  std::string name;
  const char* css = "";  // the class of the cells; "number": right-aligned
};

// Cells are added from left to right, and rows from top to bottom. In a narrow table a cell says its column's name.
class Table {
 public:
  Table(const char* css, const std::string& caption, std::vector<HtmlColumn> columns) : columns_(std::move(columns)) {
    html_ = std::string("<table class=\"") + css + "\"><caption>" + Escape(caption) + "</caption><thead><tr>";
    for (const HtmlColumn& column : columns_) html_ += "<th scope=\"col\">" + Escape(column.name) + "</th>";
    html_ += "</tr></thead><tbody>\n";
  }
  // The cell has `css` instead of the column's.
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

// Returns the line that runs the problem again; a click selects all of it.
std::string Replay(const CheckedProblem& checked) {
  return "<pre class=\"replay\" tabindex=\"0\"><code>" + Escape(ReplayLine(checked)) + "</code></pre>";
}

double WorstOf(const CheckedProblem& checked) {
  double worst = 0;
  for (const TensorReport& row : checked.report.rows) worst = std::max(worst, row.stats.ratio.max());
  return worst;
}

std::string NameOf(const CheckedProblem& checked) {
  return checked.spec.name.empty() ? PrintProblem(checked.spec) : checked.spec.name;
}

// The story of a problem says what happened, has the line that runs it again, and shows where it is wrong.
std::string Story(const CheckedProblem& checked, const TracePages& pages) {
  std::string html = Escape(MessageOf(checked)) + Replay(checked);
  const auto page = pages.find(ReplayLine(checked));
  if (page != pages.end()) html += "<a href=\"" + Escape(page->second) + "\">its equations with numbers</a><br>";
  for (const TensorReport& row : checked.report.rows) {
    for (const FailurePicture& picture : row.where) html += FailureHeatMap(row.tensor, picture);
  }
  return html;
}

std::string ProblemTable(const std::string& title, const std::string& caption,
                         const std::vector<CheckedProblem>& problems) {
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
    table.Add(NameOf(checked));
    const Verdict verdict = checked.outcome.verdict();
    table.Add(ToString(verdict), checked.outcome.ok()           ? "grade-A"
                                 : verdict == Verdict::kVacuous ? "vacuous"
                                                                : "grade-F");
    table.Add(ShortNumber(WorstOf(checked))).Add(ShortNumber(checked.seconds)).Add(std::to_string(checked.rows_judged));
    table.Add(checked.steps_given != 0 ? std::to_string(checked.steps_given) : "");
    table.AddHtml(Story(checked, {}));
  }
  return "<h3>" + title + "</h3>" + table.Html();
}

// Returns a card for one complaint: its problem and figures, then its story.
std::string Complaint(const CheckedProblem& checked, const TracePages& pages) {
  std::string facts = NameOf(checked) + "; worst |error| / allowed " + ShortNumber(WorstOf(checked)) + ", " +
                      ShortNumber(checked.seconds) + " s, rows judged " + std::to_string(checked.rows_judged);
  if (checked.steps_given != 0) facts += ", T shortened from " + std::to_string(checked.steps_given);
  return "<p class=\"facts\">" + Escape(facts) + "</p>" + Story(checked, pages) + "\n";
}

// Returns a card for each group of complaints: what they have in common, and the first one; the others after a click.
std::string Cards(const CampaignResult& result, const TracePages& pages) {
  if (result.complaints.empty()) return "";
  std::string html = "<h3>Complaints</h3>\n<div class=\"cards\">\n";
  for (const ComplaintGroup& group : GroupComplaints(result)) {
    html += "<section class=\"card\"><h4>" + Escape(ToString(group)) + "</h4>\n";
    html += Complaint(result.complaints[group.complaints[0]], pages);
    if (group.complaints.size() > 1) {
      html += "<details><summary>The others: " + std::to_string(group.complaints.size() - 1) + "</summary>\n";
      for (size_t i = 1; i < group.complaints.size(); ++i)
        html += Complaint(result.complaints[group.complaints[i]], pages);
      html += "</details>";
    }
    html += "</section>\n";
  }
  return html + "</div>\n";
}

// Counts the problems of a category that were judged, and those that pass.
struct Judged {
  uint64_t passed = 0, all = 0;
};

Judged JudgedOf(const CategorySummary& category) {
  Judged judged;
  for (int v = 0; v < kNumVerdicts; ++v) {
    const Verdict verdict = static_cast<Verdict>(v);
    if (verdict == Verdict::kNotSupported || verdict == Verdict::kVacuous) continue;
    judged.all += category.count[v];
    if (Outcome(verdict).ok()) judged.passed += category.count[v];
  }
  return judged;
}

// Returns a table of cells and propagations by types that were judged: green if all problems pass, red if something fails.
std::string VerdictMatrix(const CampaignResult& result) {
  std::set<Config> configs;
  std::map<std::pair<Cell, Propagation>, std::map<Config, Judged>> rows;
  for (const auto& [key, category] : result.categories) {
    const Judged judged = JudgedOf(category);
    if (judged.all == 0) continue;
    configs.insert(key.config);
    rows[{key.cell, key.propagation}][key.config] = judged;
  }
  if (rows.empty()) return "<p>Nothing was judged.</p>\n";
  std::vector<HtmlColumn> columns = {{"cell, propagation"}};
  for (const Config config : configs) columns.push_back({TypesOf(config).name, "number"});
  Table table("matrix",
              "Judged problems that pass, of all that were judged. Kinds of which all were refused have no row.",
              columns);
  for (const auto& [kind, by_config] : rows) {
    table.Add(std::string(ToString(kind.first)) + " " + ToString(kind.second));
    for (const Config config : configs) {
      const auto found = by_config.find(config);
      if (found == by_config.end()) {
        table.Add("-");
        continue;
      }
      const Judged& judged = found->second;
      table.Add(std::to_string(judged.passed) + "/" + std::to_string(judged.all),
                judged.passed == judged.all ? "grade-A" : "grade-F");
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
    table.AddHtml(met ? Escape(first.message) + Replay(first) : "");
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
  return "<h2>" + Escape(NameAndVersion(result)) + ": " + InWords(result) + "</h2>\n<p class=\"headline\">" +
         Escape(Headline(result)) + "</p>\n<p>" + std::to_string(result.run) + " problems in " +
         ShortNumber(result.seconds) + " s, seed " + std::to_string(result.seed) + ", " +
         Counted(result.complaints.size(), "complaint") + ".</p>\n" + Paragraph(NotRun(result)) +
         VerdictMatrix(result) + Cards(result, pages) + ProfileTable(result) + Paragraph(LeftOut(result)) +
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
