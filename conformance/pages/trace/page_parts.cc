#include "conformance/pages/trace/page_parts.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

#include "conformance/pages/trace/page_plots.h"
#include "conformance/pages/trace/page_values.h"
#include "conformance/problem/base/format.h"
#include "conformance/sandbox/runfiles.h"
#include "reference/teaching/book/chapter.h"
#include "reference/teaching/book/rounding_points.h"

namespace tandem::conformance {
namespace {

using reference::Notation;
using reference::TracedLine;

// What is computed by hand from these is right to 1e-5.
constexpr reference::NumberStyle kWritten = {7, reference::Digits::kSignificant, Notation::kText, kMostTerms};

std::string Numbers(const TracedLine& line, reference::ElementAt at) {
  std::vector<std::string> stages = {ValueText(line, at, kWritten)};
  if (line.before && line.evaluated.right.kind != reference::Expression::Kind::kConcat) {
    stages = Explain(*line.before, line.evaluated, at, kWritten).stages;
  }
  std::string numbers;
  for (size_t i = 0; i < stages.size(); ++i) {
    const std::string text = HtmlText(stages[i]);
    numbers += " = " + (i + 1 == stages.size() ? "<b>" + text + "</b>" : text);
  }
  return numbers;
}

std::string StoredNote(const TracedLine& line, reference::ElementAt at) {
  if (line.stored_as.empty()) return "";
  const std::string stored = reference::ShowNumber(ElementOf(line.stored, at), {9});
  if (line.bytes.size() == 0) return ", stored as " + line.stored_as + ": <b>" + stored + "</b>";
  return ", stored as the " + line.stored_as + " byte <b>" + reference::ShowNumber(ElementOf(line.bytes, at), {9}) +
         "</b>, which stands for " + stored;
}

// A picture in which the letters have their colours.
std::string WithColouredText(std::string svg) {
  for (size_t at = svg.find("<text "); at != std::string::npos; at = svg.find("<text ", at + 1)) {
    const size_t open = svg.find('>', at), close = svg.find('<', open);
    const std::string letter = LetterClass(svg.substr(open + 1, close - open - 1));
    if (!letter.empty()) svg.insert(open, " class=\"" + letter + "\"");
  }
  return svg;
}

}  // namespace

std::string HtmlText(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&') {
      escaped += "&amp;";
    } else if (c == '<') {
      escaped += "&lt;";
    } else if (c == '"') {
      escaped += "&quot;";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string MathElement(const std::string& mathml) {
  return "<math><mrow>" + WithLetterColours(mathml) + "</mrow></math>";
}

std::string HtmlWithMath(const std::string& text) {
  std::string html = reference::WithFormulas(HtmlText(text), Notation::kMathml);
  for (bool opening = true; html.find('`') != std::string::npos; opening = !opening) {
    html.replace(html.find('`'), 1, opening ? "<code>" : "</code>");
  }
  return html;
}

std::string EquationRow(const TracedLine& line, const TraceSelection& selection, const std::string& origin) {
  std::string row = "<tr><th scope=row>[<a href=\"#" + line.id + "\">" + line.id + "</a>]";
  if (!line.about.empty()) row += "<br><small>" + HtmlText(line.about) + "</small>";
  row += "<td>" + MathElement(Show(line.formula, Notation::kMathml)) + origin + "<td>";
  const std::vector<reference::ElementAt> elements = selection.Elements(line);
  for (const reference::ElementAt at : elements) {
    row += "<p class=numbers><small>" + ElementName(line, at) + "</small>" + Numbers(line, at) + StoredNote(line, at) +
           "</p>";
  }
  if (!line.agrees) row += "<strong>the reference has another value</strong>";
  const bool more = static_cast<size_t>(std::max(line.value.size(), line.cell.size())) > elements.size();
  if (more) row += AllValues(line) + InnerValues(line);
  return row + "\n";
}

std::string GivenRow(const TracedLine& line, const TraceSelection& selection, const std::string& origin) {
  const bool per_row = reference::IsPerRow(line);
  const Dim unit = std::min<Dim>(selection.unit.value_or(0), line.value.rows() - 1);
  const Dim n = std::min<Dim>(selection.row.value_or(0), line.value.cols() - 1);
  const Dim all = per_row ? line.value.rows() : line.value.cols();
  const Dim count = std::min<Dim>(all, std::max<Dim>(selection.units, kMostTerms));
  const std::string name = line.Name();
  std::string row = "<tr><th scope=row class=\"" + LetterClass(name) + "\">" + HtmlText(name) + "<td>" + origin +
                    "<td><p class=numbers><small>" + (per_row ? "n=" : "unit=") + std::to_string(per_row ? n : unit) +
                    "</small> ";
  for (Dim i = 0; i < count; ++i) {
    row += (i ? ", " : "") + ShowNumber(per_row ? line.value(i, n) : line.value(unit, i), kWritten);
  }
  row += std::string(count < all ? ", ..." : "") + "</p>";
  if (line.value.size() > count) row += AllValues(line);
  return row + "\n";
}

std::string RoundingTable(const RnnProblem& problem) {
  std::string table = std::string("<table><tr><th>value<th>equations<th>") +
                      (problem.IsInt8() ? "int8" : ToString(problem.SrcType())) + "<th>in the reference\n";
  for (const reference::RoundingPoint& point : reference::RoundingPoints()) {
    if (!point.applies(problem)) continue;
    table += "<tr><td>" + HtmlWithMath(point.value) + "<td>" + HtmlText(point.equations) + "<td>" +
             HtmlWithMath(problem.IsInt8() ? point.int8 : point.floating) + "<td><code>" + point.member + "</code>" +
             (point.member_in_words.empty() ? "" : " (" + point.member_in_words + ")") + "\n";
  }
  return table + "</table>\n";
}

std::string CellPicture(const RnnProblem& problem) {
  const Cell drawn = TraitsOf(problem.cell).without_attention;
  std::ifstream in(RunfilePath(std::string("docs/book/figures/") + ToString(drawn) + ".svg"));
  const std::string svg((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (svg.empty()) return "";  // a cell that the book does not draw
  return "<figure class=cell>" + WithColouredText(svg) + "</figure>";
}

}  // namespace tandem::conformance
