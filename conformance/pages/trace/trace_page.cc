#include "conformance/pages/trace/trace_page.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "conformance/pages/page.h"
#include "conformance/pages/trace/page_parts.h"
#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {
namespace {

using reference::TracedLine;
using reference::TracePhase;

// Beside the style that all pages have.
constexpr const char* kStyle =
    "th[scope=row]{font-weight:600;white-space:nowrap}math{font-size:1.05em}.cell svg{width:36rem;max-width:none}"
    ".pos{fill:#c4320a}.neg{fill:#175cd3}.ok{fill:#12b76a55}.in{fill:currentColor}.out{fill:#d92d20}svg line{stroke:"
    "currentColor}.weights td{white-space:nowrap}strong{color:var(--alarm)}.rows{width:100%}.rows th{width:6.5rem}"
    "@media screen and (prefers-color-scheme:dark){.pos{fill:#ff8b66}.neg{fill:#84b4ff}}";

std::string StepTitle(const TracedLine& line) {
  const std::string at = "layer " + std::to_string(line.step.layer) + ", direction " + std::to_string(line.step.dir);
  switch (line.phase) {
    case TracePhase::kParameters:
      return "Weights of " + at;
    case TracePhase::kForward:
      return "Forward, t = " + std::to_string(line.step.time) + ", " + at;
    case TracePhase::kBackward:
      return "Backward, t = " + std::to_string(line.step.time) + ", " + at;
  }
  return "";
}

// Collects from the lines of one trace.
class PageWriter {
 public:
  PageWriter(const RnnProblem& problem, const TraceSelection& selection) : problem_(problem), selection_(selection) {}

  void Visit(const TracedLine& line) {
    if (!line.agrees) ++disagreements_;
    Remember(line);
    if (!selection_.Shows(line)) return;
    const std::string title = StepTitle(line);
    if (title != title_) {
      CloseTable();
      title_ = title;
      rows_ += "<h3>" + title + "</h3>\n";
    }
    table_ += line.id.empty() ? InputRow(line) : EquationRow(line, selection_);
  }

  int disagreements() const { return disagreements_; }
  std::string Rows() {
    CloseTable();
    return rows_;
  }
  std::string Maps(TracePhase phase) const {
    std::string html;
    for (const auto& [key, map] : maps_) {
      if (std::get<0>(key) != phase) continue;
      const std::string where =
          problem_.n_layer * problem_.n_dir == 1
              ? ""
              : ", layer " + std::to_string(std::get<1>(key)) + ", direction " + std::to_string(std::get<2>(key));
      html += HeatMap(std::get<3>(key) + where, map);
    }
    return html;
  }

 private:
  using Key = std::tuple<TracePhase, Dim, Dim, std::string>;

  void CloseTable() {
    // A step of two directions has two tables of one title.
    const std::string name = "table " + std::to_string(++tables_) + ", " + title_;
    if (!title_.empty()) rows_ += Scrollable(name, "<table class=rows>\n" + table_ + "</table>");
    title_.clear();
    table_.clear();
  }

  Dim RowOf(const TracedLine& line) const { return std::min<Dim>(*selection_.row, line.value.cols() - 1); }

  // Keeps one row of the minibatch of what is a vector of channels.
  void Remember(const TracedLine& line) {
    if (line.id.empty() || !reference::IsPerRow(line) || line.id.rfind("STACK", 0) == 0 || !line.about.empty()) return;
    ValueMap& map = maps_[{line.phase, line.step.layer, line.step.dir, line.Name()}];
    map.columns.resize(static_cast<size_t>(problem_.n_iter));
    std::vector<double>& column = map.columns[static_cast<size_t>(line.step.time)];
    column.resize(static_cast<size_t>(line.value.rows()));
    for (Dim unit = 0; unit < line.value.rows(); ++unit)
      column[static_cast<size_t>(unit)] = line.value(unit, RowOf(line));
  }

  // x and h': all channels, which every unit reads; a weight: the row of the unit.
  std::string InputRow(const TracedLine& line) const {
    std::string row = "<tr><th scope=row>" + HtmlText(line.Name()) + "<td>";
    const bool per_row = reference::IsPerRow(line);
    const Dim unit = std::min<Dim>(selection_.unit.value_or(0), line.value.rows() - 1);
    const Dim count = std::min<Dim>(per_row ? line.value.rows() : line.value.cols(), selection_.units);
    for (Dim i = 0; i < count; ++i) {
      row += (i ? ", " : "") + reference::ShowNumber(per_row ? line.value(i, RowOf(line)) : line.value(unit, i), {6});
    }
    const Dim all = per_row ? line.value.rows() : line.value.cols();
    return row + (count < all ? ", ..." : "") + "<td>" + (line.about.empty() ? "given" : line.about) + "\n";
  }

  const RnnProblem& problem_;
  const TraceSelection& selection_;
  std::string rows_, title_, table_;
  int tables_ = 0;
  std::map<Key, ValueMap> maps_;
  int disagreements_ = 0;
};

std::string Head(const TracedProblem& traced, const TraceSelection& selection) {
  const std::string title = std::string(ToString(traced.problem.cell)) + ", unit " + std::to_string(*selection.unit) +
                            " at t = " + std::to_string(*selection.step);
  return PageBegin(title, kStyle) + "<h1>" + title + "</h1>\n<p><code>" + HtmlText(PrintProblem(traced.spec)) +
         "</code></p>\n<p>" + HtmlText(Summary(traced.problem)) +
         (traced.data_file.empty() ? "" : ", tensors from " + HtmlText(traced.data_file)) + ". Row " +
         std::to_string(*selection.row) + " of the minibatch. The ids are those of docs/equations.md.</p>\n";
}

std::string MapSection(const char* title, const std::string& maps) {
  if (maps.empty()) return "";
  return std::string("<h2>") + title +
         "</h2>\n<p>Steps to the right, units downwards; red is positive, blue negative, the strongest colour the "
         "largest "
         "number of each picture.</p>\n" +
         maps;
}

}  // namespace

TracePage MakeTracePage(const TracedProblem& traced, TraceSelection selection, const std::vector<Plugin>& plugins) {
  selection.step = selection.step.value_or(0);
  selection.unit = selection.unit.value_or(0);
  selection.row = selection.row.value_or(0);
  PageWriter writer(traced.problem, selection);
  reference::Trace(traced.problem, BuffersOfTensors(traced.problem, traced.tensors),
                   [&](const TracedLine& line) { writer.Visit(line); });
  TracePage page;
  page.disagreements = writer.disagreements();
  page.html = Head(traced, selection) + "<h2>The cell</h2>\n" + CellPicture(traced.problem) +
              "<h2>Equations with this unit's numbers</h2>\n" + writer.Rows() +
              MapSection("Forward over time", writer.Maps(TracePhase::kForward)) +
              MapSection("Backward over time", writer.Maps(TracePhase::kBackward)) +
              "<h2>Outputs and what is accepted</h2>\n" + OutputIntervals(traced, selection, plugins) +
              "<h2>Rounding points</h2>\n" + Scrollable("rounding points", RoundingTable()) + PageEnd();
  return page;
}

}  // namespace tandem::conformance
