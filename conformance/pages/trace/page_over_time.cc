#include "conformance/pages/trace/page_over_time.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tandem::conformance {
namespace {

using reference::TracedLine;
using reference::TracePhase;

bool IsGate(const RnnProblem& problem, const std::string& name) {
  for (Dim gate = 0; gate < problem.n_gates; ++gate) {
    if (!HasActivation(problem.cell) && name == GateName(problem.cell, gate)) return true;
  }
  return name == "u~";
}
bool IsDelta(const std::string& name) { return name.rfind("Δ", 0) == 0; }

}  // namespace

void OverTime::Visit(const TracedLine& line) {
  const bool carried = line.id.empty() && line.phase == TracePhase::kBackward && line.Name() == "dh";
  if (line.id.empty() && !carried) return;
  if (!reference::IsPerRow(line) || line.id.rfind("STACK", 0) == 0 || !line.about.empty()) return;
  const Dim row = std::min<Dim>(*selection_.row, line.value.cols() - 1);
  ValueMap& map = values_[{line.phase, line.step.layer, line.step.dir}][line.Name()];
  map.columns.resize(static_cast<size_t>(problem_.n_iter));
  if (IsDead(line, row)) return;
  std::vector<double>& column = map.columns[static_cast<size_t>(line.step.time)];
  column.resize(static_cast<size_t>(line.value.rows()));
  for (Dim unit = 0; unit < line.value.rows(); ++unit) column[static_cast<size_t>(unit)] = line.value(unit, row);
}

std::string OverTime::Where(const Place& place) const {
  if (problem_.n_layer * problem_.n_dir == 1) return "";
  return ", layer " + std::to_string(std::get<1>(place)) + ", " + DirectionName(problem_, std::get<2>(place));
}

std::string OverTime::Lines(const Place& place, const Values& values) const {
  std::vector<Curve> curves;
  for (const auto& [name, map] : values) {
    const bool is_state = name == "h" || name == "c";
    if (!is_state && !IsGate(problem_, name)) continue;
    Curve curve = {name, {}};
    for (const std::vector<double>& column : map.columns) {
      const size_t unit = std::min(static_cast<size_t>(*selection_.unit), column.empty() ? 0 : column.size() - 1);
      curve.values.push_back(column.empty() ? std::numeric_limits<double>::quiet_NaN() : column[unit]);
    }
    curves.push_back(std::move(curve));
  }
  return LinePlot("Gates and states of unit " + std::to_string(*selection_.unit) + Where(place), curves,
                  Scale::kLinear);
}

std::string OverTime::Norms(const Place& place, const Values& values) const {
  std::vector<Curve> curves;
  for (const char* name : {"dh", "dc"}) {
    const auto found = values.find(name);
    if (found == values.end()) continue;
    Curve curve = {"|" + std::string(name) + "|", {}};
    for (const std::vector<double>& column : found->second.columns) {
      double sum = 0;
      for (const double value : column) sum += value * value;
      curve.values.push_back(column.empty() ? std::numeric_limits<double>::quiet_NaN() : std::sqrt(sum));
    }
    curves.push_back(std::move(curve));
  }
  std::string table = "<details><summary>the numbers</summary><table class=all><tr><th scope=col>t";
  for (const Curve& curve : curves) table += "<th scope=col>" + curve.name;
  for (size_t t = 0; t < static_cast<size_t>(problem_.n_iter); ++t) {
    table += "<tr><th scope=row>" + std::to_string(t);
    for (const Curve& curve : curves) table += "<td>" + reference::ShowNumber(curve.values[t], {6});
  }
  return LinePlot("Length, over the units, of the gradient that reaches each step of row " +
                      std::to_string(*selection_.row) + Where(place),
                  curves, Scale::kLogarithmic) +
         table + "</table></details>\n";
}

std::string OverTime::Maps(const Place& place, const Values& values) const {
  double deltas = 0;
  for (const auto& [name, map] : values) deltas = IsDelta(name) ? std::max(deltas, map.Largest()) : deltas;
  std::string html;
  for (const auto& [name, map] : values) {
    const double scale = IsGate(problem_, name) ? 1 : IsDelta(name) ? deltas : map.Largest();
    html += HeatMap(name + Where(place), map, scale);
  }
  return html;
}

std::string OverTime::AboutNorms() const {
  std::string about = "<p>Lines and maps are of row " + std::to_string(*selection_.row) + " of the minibatch.";
  if (HasCellState(problem_.cell)) {
    about += " dc is the value after [LSTM.B2]" + std::string(problem_.HasPeephole() ? " and [PEEP.B2]" : "") +
             "; [STACK.B7] has the value before.";
  }
  if (loss_ == Loss::kEveryOutput) {
    about +=
        " dh includes what diff_dst_layer gives each step, so it does not vanish. To see how far the gradient of one "
        "output "
        "reaches, make the page with <code>--loss=last</code>.";
  }
  return about + "</p>\n";
}

std::string OverTime::Section(const char* title, TracePhase phase) const {
  std::string lines, maps;
  for (const auto& [place, values] : values_) {
    if (std::get<0>(place) != phase) continue;
    lines += phase == TracePhase::kForward ? Lines(place, values) : Norms(place, values);
    maps += Maps(place, values);
  }
  if (lines.empty()) return "";
  return std::string("<h2>") + title + "</h2>\n" + (phase == TracePhase::kBackward ? AboutNorms() : "") + lines +
         "<p>In the maps red is positive, blue negative. All gates have one scale, from -1 to 1, and all Δ have "
         "one.</p>\n" +
         maps;
}

std::string OverTime::Html() const {
  return Section("Forward over time", TracePhase::kForward) + Section("Backward over time", TracePhase::kBackward);
}

}  // namespace tandem::conformance
