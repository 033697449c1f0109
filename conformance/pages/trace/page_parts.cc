#include "conformance/pages/trace/page_parts.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

#include "conformance/pages/page.h"
#include "conformance/problem/base/format.h"
#include "conformance/sandbox/runfiles.h"
#include "reference/teaching/book/chapter.h"
#include "reference/teaching/book/rounding_points.h"

namespace tandem::conformance {
namespace {

using reference::Notation;
using reference::TracedLine;

// More squares than these are no picture any more.
constexpr size_t kMostUnits = 64, kMostSteps = 128;
constexpr int kSquare = 12;

// Each stage is an element of its own, so that a line can break between them.
std::string Numbers(const TracedLine& line, reference::ElementAt at) {
  const reference::NumberStyle style = {6, reference::Digits::kSignificant, Notation::kMathml};
  std::vector<std::string> stages = {"<mn>" + ShowNumber(ElementOf(line.value, at), style) + "</mn>"};
  if (line.before && line.evaluated.right.kind != reference::Expression::Kind::kConcat) {
    stages = Explain(*line.before, line.evaluated, at, style).stages;
  }
  std::string numbers;
  for (const std::string& stage : stages) numbers += MathElement("<mo>=</mo>" + stage) + " ";
  return numbers;
}

std::string Square(size_t column, size_t row, double value, double largest) {
  const double strength = largest > 0 ? std::min(1.0, std::abs(value) / largest) : 0;
  return Format(
      "<rect x=\"%zu\" y=\"%zu\" width=\"%d\" height=\"%d\" class=\"%s\" fill-opacity=\"%.3f\"><title>t=%zu "
      "unit=%zu: %.6g</title></rect>",
      column * kSquare, row * kSquare, kSquare - 1, kSquare - 1, value < 0 ? "neg" : "pos", strength, column, row,
      value);
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

std::string MathElement(const std::string& mathml) { return "<math><mrow>" + mathml + "</mrow></math>"; }

std::string HtmlWithMath(const std::string& text) {
  std::string html = reference::WithFormulas(HtmlText(text), Notation::kMathml);
  for (bool opening = true; html.find('`') != std::string::npos; opening = !opening) {
    html.replace(html.find('`'), 1, opening ? "<code>" : "</code>");
  }
  return html;
}

std::string EquationRow(const TracedLine& line, const TraceSelection& selection) {
  std::string row = "<tr><th scope=row>[" + line.id + "]";
  if (!line.about.empty()) row += "<br><small>" + HtmlText(line.about) + "</small>";
  row += "<td>" + MathElement(Show(line.formula, Notation::kMathml)) + "<td>";
  const std::vector<reference::ElementAt> elements = selection.Elements(line);
  for (const reference::ElementAt at : elements) {
    if (elements.size() > 1) row += "<small>" + ElementName(line, at) + "</small> ";
    row += Numbers(line, at);
    if (!line.stored_as.empty()) {
      row += " stored as " + line.stored_as + ": <b>" + reference::ShowNumber(ElementOf(line.stored, at), {9}) + "</b>";
    }
    row += "<br>";
  }
  return row + (line.agrees ? "" : "<strong>the reference has another value</strong>") + "\n";
}

std::string HeatMap(const std::string& title, const ValueMap& map) {
  const size_t steps = std::min(map.columns.size(), kMostSteps);
  const size_t all_units = map.columns.empty() ? 0 : map.columns[0].size(), units = std::min(all_units, kMostUnits);
  double low = 0, high = 0;
  for (const std::vector<double>& column : map.columns) {
    for (const double value : column) low = std::min(low, value), high = std::max(high, value);
  }
  const double largest = std::max(-low, high);
  std::string svg = "<figure><svg viewBox=\"0 0 " + std::to_string(steps * kSquare) + " " +
                    std::to_string(units * kSquare) + "\" width=\"" + std::to_string(steps * kSquare) +
                    "\" role=img aria-label=\"" + HtmlText(title) + " over time\">";
  for (size_t t = 0; t < steps; ++t) {
    for (size_t unit = 0; unit < units && unit < map.columns[t].size(); ++unit) {
      svg += Square(t, unit, map.columns[t][unit], largest);
    }
  }
  return svg + "</svg><figcaption><b>" + HtmlText(title) + "</b>" + Format(": %.3g to %.3g", low, high) +
         "</figcaption></figure>\n";
}

std::string RoundingTable() {
  std::string table = "<table><tr><th>value<th>equations<th>f32, bf16, f16<th>int8<th>in the reference\n";
  for (const reference::RoundingPoint& point : reference::RoundingPoints()) {
    table += "<tr><td>" + HtmlWithMath(point.value) + "<td>" + HtmlText(point.equations) + "<td>" +
             HtmlWithMath(point.floating) + "<td>" + HtmlText(point.int8) + "<td><code>" + point.member + "</code>\n";
  }
  return table + "</table>\n";
}

std::string CellPicture(const RnnProblem& problem) {
  const Cell drawn = TraitsOf(problem.cell).without_attention;
  std::ifstream in(RunfilePath(std::string("docs/book/figures/") + ToString(drawn) + ".svg"));
  const std::string svg((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (svg.empty()) return "";  // a cell that the book does not draw
  return Scrollable("picture of the cell", "<figure class=cell>" + svg + "</figure>");
}

}  // namespace tandem::conformance
