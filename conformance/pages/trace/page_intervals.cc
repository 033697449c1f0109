// Where the outputs of each implementation lie between the smallest and the largest accepted value.
#include <algorithm>
#include <cmath>

#include "conformance/judge/verdict/location.h"
#include "conformance/oracle/oracle.h"
#include "conformance/pages/trace/page_parts.h"
#include "conformance/problem/base/format.h"
#include "conformance/sandbox/runner.h"

namespace tandem::conformance {
namespace {

// As many elements of a tensor are drawn.
constexpr size_t kMostElements = 12;

struct Run {
  std::string name;
  TensorSet outputs;
  std::string failure;
};

std::vector<Run> RunAll(const TracedProblem& traced, const std::vector<Plugin>& plugins) {
  std::vector<Run> runs;
  for (const Plugin& plugin : plugins) {
    Run run = {plugin.word.empty() ? plugin.name : plugin.word, traced.tensors, ""};
    RunOptions options;
    options.environment = plugin.environment;
    options.free_layouts = FreeLayouts(traced.spec);
    const ExecutionReport report = RunIsolated(plugin, traced.problem, options, &run.outputs);
    if (report.status != RunStatus::kOk) run.failure = report.message;
    runs.push_back(std::move(run));
  }
  return runs;
}

bool Shown(const Location& at, const TraceSelection& selection) {
  const auto is = [](Dim index, const std::optional<int64_t>& wanted) {
    return index < 0 || !wanted || index == *wanted;
  };
  return is(at.n, selection.row) && at.input <= 0 && is(at.t, selection.step) && is(at.unit, selection.unit);
}

// A number between 0 and 200: the accepted interval is from 50 to 150; what lies far outside is at the end.
double PositionOf(double value, double lo, double hi) {
  if (value == lo && lo == hi) return 100;
  const double width = hi > lo ? hi - lo : std::max(std::abs(lo) * 0x1p-23, 0x1p-149);
  const double place = hi > lo ? 50 + 100 * (value - lo) / width : 100 + 50 * (value - lo) / width;
  return std::isfinite(place) ? std::max(4.0, std::min(196.0, place)) : 196;
}

std::string Number(double value) { return Format("%.9g", value); }

// One mark: a line for the equations' own value, numbered dots for the implementations.
std::string Mark(double x, double y, const std::string& label, bool inside) {
  return Format("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" class=\"%s\"/>", x, y, inside ? "in" : "out") + "<text x=\"" +
         Number(x + 6) + "\" y=\"" + Number(y + 4) + "\">" + label + "</text>";
}

std::string Drawing(const OracleTensor& oracle, size_t index, const std::vector<Run>& runs, const std::string& name) {
  const double lo = oracle.lo[index], hi = oracle.hi[index];
  const int height = 14 * static_cast<int>(std::max<size_t>(runs.size(), 1)) + 6;
  const double at = PositionOf(oracle.value[index], lo, hi);
  std::string svg = Format(
      "<svg viewBox=\"0 0 220 %d\" width=\"220\" role=img aria-label=\"%s\"><rect x=\"50\" y=\"0\" "
      "width=\"100\" height=\"%d\" class=\"ok\"/><line x1=\"%.1f\" x2=\"%.1f\" y1=\"0\" y2=\"%d\"/>",
      height, HtmlText("accepted interval of " + name).c_str(), height, at, at, height);
  for (size_t i = 0; i < runs.size(); ++i) {
    if (!runs[i].failure.empty()) continue;
    const double value = runs[i].outputs[oracle.tensor].Get(index);
    const bool inside = oracle.cls[index] == ElementClass::kNan
                            ? std::isnan(value)
                            : oracle.cls[index] == ElementClass::kVacuous || (value >= lo && value <= hi);
    svg += Mark(PositionOf(value, lo, hi), 10 + 14 * static_cast<double>(i), std::to_string(i + 1), inside);
  }
  return svg + "</svg>";
}

std::string ElementRow(const OracleTensor& oracle, const Location& at, Cell cell, const std::vector<Run>& runs) {
  const std::string name = std::string(ToString(oracle.tensor)) + " " + ToString(at, cell);
  std::string row = "<tr><th scope=row>" + HtmlText(name) + "<td>[" + Number(oracle.lo[at.index]) + ",<br>" +
                    Number(oracle.hi[at.index]) + "]<td>" + Drawing(oracle, at.index, runs, name) + "<td>";
  for (size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].failure.empty()) {
      row += std::to_string(i + 1) + ": " + Number(runs[i].outputs[oracle.tensor].Get(at.index)) + "<br>";
    }
  }
  return row + "\n";
}

}  // namespace

std::string OutputIntervals(const TracedProblem& traced, const TraceSelection& selection,
                            const std::vector<Plugin>& plugins) {
  const std::vector<Run> runs = RunAll(traced, plugins);
  TensorSet inputs = traced.tensors;
  // Backward's dst_* are the implementation's own; the equations' come with the first that ran.
  for (const Run& run : runs) {
    if (!traced.problem.IsBackward() || !run.failure.empty()) continue;
    TakeForwardOutputs(run.outputs, &inputs);
    break;
  }
  const OracleResult oracle = RunOracle(traced.problem, inputs);
  std::string html = "<p>";
  for (size_t i = 0; i < runs.size(); ++i) {
    html += std::to_string(i + 1) + ": " + HtmlText(runs[i].name) +
            (runs[i].failure.empty() ? "" : " (" + HtmlText(runs[i].failure) + ")") + (i + 1 < runs.size() ? ", " : "");
  }
  html +=
      ". The box is the accepted interval; the line is the value of the equations in double precision.</p>\n<div "
      "class=scroll tabindex=0 role=region "
      "aria-label=\"outputs\"><table><tr><th>output<th>accepted<th>picture<th>values\n";
  for (const OracleTensor& tensor : oracle.outputs) {
    size_t shown = 0;
    for (size_t i = 0; i < tensor.lo.size() && shown < kMostElements; ++i) {
      const Location at = Locate(traced.problem, tensor.tensor, i);
      if (!Shown(at, selection)) continue;
      html += ElementRow(tensor, at, traced.problem.cell, runs);
      ++shown;
    }
  }
  return html + "</table></div>\n";
}

}  // namespace tandem::conformance
