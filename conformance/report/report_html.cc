#include <algorithm>
#include <cmath>
#include <cstdio>

#include "conformance/problem/problem_notation.h"
#include "conformance/report/markup.h"
#include "conformance/report/reports.h"

namespace tandem::conformance {
namespace {

constexpr const char* kStyle =
    "body{font:14px/1.4 sans-serif;margin:2em;max-width:75em;color:#222}"
    "table{border-collapse:collapse;margin:1em 0}td,th{padding:2px 8px;border:1px solid #ccc;text-align:right}"
    "td:first-child,th:first-child{text-align:left}td.l{text-align:left}code{font-size:12px;word-break:break-all}"
    ".A,.B{background:#dff0d8}.C{background:#fcf8e3}.F{background:#f2dede}svg{background:#fafafa}"
    ".bad{color:#a00;font-weight:bold}";

std::string Number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}
std::string Cell(const std::string& text, const char* css = "") {
  return std::string("<td") + (*css ? std::string(" class=") + css : "") + ">" + Escape(text) + "</td>";
}

std::string Share(const Measured& property) {
  if (property.problems == 0) return Cell("not measured");
  return Cell(std::to_string(property.held) + " of " + std::to_string(property.problems), property.lost() ? "C" : "A");
}

// Histogram of |error|/bound on a logarithmic axis; elements above 1 do not conform.
std::string RatioPlot(const RatioHistogram& histogram) {
  constexpr int kWidth = 480, kHeight = 90, kGroup = 4;
  const std::vector<uint64_t>& bins = histogram.bins();
  std::vector<double> grouped;
  for (size_t i = 1; i < bins.size(); i += kGroup) {
    double sum = 0;
    for (size_t j = i; j < std::min(bins.size(), i + kGroup); ++j) sum += static_cast<double>(bins[j]);
    grouped.push_back(sum);
  }
  const double top = std::max(1.0, *std::max_element(grouped.begin(), grouped.end()));
  const double step = static_cast<double>(kWidth) / static_cast<double>(grouped.size());
  std::string svg = "<svg width=\"480\" height=\"110\" role=\"img\">";
  char text[160];
  for (size_t i = 0; i < grouped.size(); ++i) {
    if (grouped[i] == 0) continue;
    const double height = std::max(1.0, kHeight * std::sqrt(grouped[i] / top));
    std::snprintf(text, sizeof text, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#48c\"/>",
                  static_cast<double>(i) * step, kHeight - height, step - 0.5, height);
    svg += text;
  }
  // The scale runs from 2^-32 to 2^8.
  for (int exponent : {-24, -16, -8, 0}) {
    const double x = kWidth * (exponent + 32) / 40.0;
    std::snprintf(text, sizeof text,
                  "<line x1=\"%.1f\" y1=\"0\" x2=\"%.1f\" y2=\"90\" stroke=\"%s\"/><text x=\"%.1f\" y=\"104\" "
                  "font-size=\"11\">2^%d</text>",
                  x, x, exponent == 0 ? "#c00" : "#ddd", x + 2, exponent);
    svg += text;
  }
  return svg + "</svg>";
}

std::string CoverageTable(const CampaignResult& result) {
  std::string html =
      "<h3>Coverage and grades</h3><table><tr><th>cell<th>propagation<th>types<th>grade<th>pass<th>warning<th>vacuous"
      "<th>not supported<th>fail<th>crash, timeout<th>worst |error|/allowed<th>99.9 %<th>correctly rounded<th>bias "
      "(standard errors)<th>strict bounds<th>row alone = in batch<th>1, 2, 3 threads alike</tr>\n";
  for (const auto& entry : result.groups) {
    const auto& key = entry.first;
    const auto& group = entry.second;  // no structured binding: in C++17 a lambda cannot capture one
    const auto count = [&](Verdict v) { return group.count[static_cast<int>(v)]; };
    const ErrorStats& stats = group.stats;
    const std::string grade(1, Grade(group));
    html += "<tr>" + Cell(ToString(key.cell)) + Cell(ToString(key.propagation), "l") +
            Cell(TypesOf(key.config).name, "l") + Cell(grade, grade == "-" ? "" : grade.c_str()) +
            Cell(std::to_string(count(Verdict::kPass))) + Cell(std::to_string(count(Verdict::kQualityWarning))) +
            Cell(std::to_string(count(Verdict::kVacuous))) + Cell(std::to_string(count(Verdict::kNotSupported))) +
            Cell(std::to_string(count(Verdict::kFail) + count(Verdict::kNondeterministic))) +
            Cell(std::to_string(count(Verdict::kCrash) + count(Verdict::kTimeout))) + Cell(Number(stats.ratio.max())) +
            Cell(Number(stats.ratio.Quantile(0.999))) + Cell(Number(100 * group.CorrectlyRoundedShare()) + " %") +
            Cell(Number(group.WorstBias())) + Share(group.strict_bounds) + Share(group.batch_invariance) +
            Share(group.thread_determinism) + "</tr>\n";
  }
  return html + "</table>\n";
}

std::string Plots(const CampaignResult& result) {
  std::map<std::string, RatioHistogram> by_type;
  for (const auto& [key, group] : result.groups) by_type[TypesOf(key.config).name].Merge(group.stats.ratio);
  std::string html =
      "<h3>|error| / allowed</h3><p>One element counts once; right of the red line an element fails.</p>";
  for (const auto& [types, histogram] : by_type) {
    if (histogram.count() == 0) continue;
    html += "<p>" + Escape(types) + ", " + std::to_string(histogram.count()) + " elements, worst " +
            Number(histogram.max()) + "<br>" + RatioPlot(histogram) + "</p>\n";
  }
  return html;
}

// One square for each character of the picture, the redder the more elements fail.
std::string HeatMap(const TensorReport& row) {
  constexpr int kSquare = 7;
  const std::vector<std::string>& lines = row.where.lines;
  std::string svg = "<br>" + Escape(std::string(ToString(row.tensor)) + ": " + row.where.axes) + "<br><svg width=\"" +
                    std::to_string(lines[0].size() * kSquare) + "\" height=\"" +
                    std::to_string(lines.size() * kSquare) + "\" role=\"img\">";
  for (size_t y = 0; y < lines.size(); ++y) {
    for (size_t x = 0; x < lines[y].size(); ++x) {
      const char shade = lines[y][x];
      if (shade == '.') continue;
      const int tenths = shade == '#' ? 10 : shade - '0';
      svg += "<rect x=\"" + std::to_string(x * kSquare) + "\" y=\"" + std::to_string(y * kSquare) +
             "\" width=\"7\" height=\"7\" fill=\"#c00\" fill-opacity=\"" + Number(tenths / 10.) + "\"/>";
    }
  }
  return svg + "</svg>";
}

std::string HeatMaps(const CheckedProblem& checked) {
  std::string html;
  for (const TensorReport& row : checked.report.rows) {
    if (!row.where.empty()) html += HeatMap(row);
  }
  return html;
}

std::string LinkToTrace(const CheckedProblem& checked, const TracePages& pages) {
  const auto page = pages.find(ReplayLine(checked));
  return page == pages.end() ? "" : "<br><a href=\"" + Escape(page->second) + "\">its equations with numbers</a>";
}

std::string ProblemTable(const std::string& title, const std::vector<CheckedProblem>& problems,
                         const TracePages& pages = {}) {
  if (problems.empty()) return "";
  std::string html = "<h3>" + title +
                     "</h3><table><tr><th>problem<th>verdict<th>worst |error|/allowed<th>seconds<th>rows judged<th>T "
                     "shortened from<th>message and replay</tr>\n";
  for (const CheckedProblem& checked : problems) {
    double worst = 0;
    for (const TensorReport& row : checked.report.rows) worst = std::max(worst, row.stats.ratio.max());
    const std::string line = PrintProblem(checked.spec);
    html += "<tr>" + Cell(checked.spec.name.empty() ? line : checked.spec.name) +
            Cell(ToString(checked.outcome.verdict()), checked.outcome.ok() ? "A" : "F") + Cell(Number(worst)) +
            Cell(Number(checked.seconds)) + Cell(std::to_string(checked.rows_judged)) +
            Cell(checked.steps_given != 0 ? std::to_string(checked.steps_given) : "") + "<td class=l>" +
            Escape(checked.message) + "<br><code>" + Escape(ReplayLine(checked)) + "</code>" +
            LinkToTrace(checked, pages) + HeatMaps(checked) + "</td></tr>\n";
  }
  return html + "</table>\n";
}

std::string ExplainedTable(const CampaignResult& result) {
  if (result.explained.empty()) return "";
  std::string html = "<h3>Known departures</h3><table><tr><th>ID<th>problems<th>verdict<th>the first</tr>\n";
  for (const Explained& explained : result.explained) {
    const CheckedProblem& first = explained.example;
    const bool met = explained.count != 0;
    html += "<tr>" + Cell(explained.id, "l") + Cell(std::to_string(explained.count)) +
            Cell(met ? ToString(first.outcome.verdict()) : "", "F") + "<td class=l>" +
            (met ? Escape(first.message) + "<br><code>" + Escape(ReplayLine(first)) + "</code>" : "") + "</td></tr>\n";
  }
  return html + "</table>\n";
}

std::string Refusals(const CampaignResult& result) {
  if (result.refusals.empty()) return "";
  std::string html = "<h3>Not supported, as declared</h3><table><tr><th>reason<th>problems</tr>\n";
  for (const auto& [reason, count] : result.refusals) {
    html += "<tr>" + Cell(reason) + Cell(std::to_string(count)) + "</tr>\n";
  }
  return html + "</table>\n";
}

}  // namespace

std::string HtmlReport(const std::vector<CampaignResult>& results, const TracePages& pages) {
  std::string html =
      std::string("<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Tandem</title>") + "<style>" +
      kStyle + "</style></head><body><h1>RNN conformance</h1>\n";
  for (const CampaignResult& result : results) {
    html += "<h2>" + Escape(result.implementation + " " + result.version) + ": " +
            (!result.interrupted_by.empty()     ? "<span class=bad>incomplete</span>"
             : result.ok() && !result.partial() ? "conforms"
             : result.ok()                      ? "conforms in part"
                                                : "<span class=bad>does not conform</span>") +
            "</h2>\n<p>" + Escape(Headline(result)) + "</p>\n<p>" + std::to_string(result.run) + " problems in " +
            Number(result.seconds) + " s, seed " + std::to_string(result.seed) + ", " +
            std::to_string(result.complaints.size()) + " complaints.</p>\n" +
            ProblemTable("Complaints", result.complaints, pages) +
            ProblemTable("Bounds that say nothing", result.vacuous) + ExplainedTable(result) + CoverageTable(result) +
            Plots(result) + ProblemTable("Problems by name", result.named) + Refusals(result);
  }
  return html + "</body></html>\n";
}

}  // namespace tandem::conformance
