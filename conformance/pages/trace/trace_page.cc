#include "conformance/pages/trace/trace_page.h"

#include <algorithm>

#include "conformance/pages/page.h"
#include "conformance/pages/trace/page_over_time.h"
#include "conformance/pages/trace/page_parts.h"
#include "conformance/pages/trace/page_steps.h"
#include "conformance/pages/trace/page_values.h"
#include "conformance/problem/problem_notation.h"
#include "conformance/problem/row_lengths.h"

namespace tandem::conformance {
namespace {

using reference::TracedLine;

// Beside the style that all pages have.
constexpr const char* kStyle =
    "th[scope=row]{font-weight:600;white-space:nowrap}math{font-size:1.05em}.rows{width:100%}.rows th{width:6.5rem}"
    "summary h3{display:inline}summary{cursor:pointer}.numbers{margin:0;overflow-wrap:anywhere}"
    ".all{margin:.3em 0;font-size:.9em}.all th,.all td{padding:.1rem .4rem}strong{color:var(--alarm)}"
    ".cell svg{width:36rem;max-width:100%}.cell svg text{font-size:14px}.lines text{font-size:17px}"
    ".scroll svg{max-width:none}@media (max-width:40rem){.cell svg text{font-size:20px}}"
    ".pos{fill:#c4320a}.neg{fill:#175cd3}.ok{fill:#12b76a55}.in{fill:currentColor}.out{fill:#d92d20}"
    "svg line{stroke:currentColor}svg line.grid{stroke:#8886}"
    "@media screen and (prefers-color-scheme:dark){.pos{fill:#ff8b66}.neg{fill:#84b4ff}}";

// Collects from the lines of one trace.
class PageWriter {
 public:
  PageWriter(const TracedProblem& traced, const TraceSelection& selection)
      : problem_(traced.problem), steps_(traced, selection), over_time_(traced, selection) {}

  void Visit(const TracedLine& line) {
    if (!line.agrees) ++disagreements_;
    steps_.Visit(line);
    over_time_.Visit(line);
  }

  int disagreements() const { return disagreements_; }
  std::string Steps() { return steps_.Html(); }
  std::string Equations() const { return EquationsTable(problem_, steps_.ids()); }
  std::string OverTimeHtml() const { return over_time_.Html(); }

 private:
  const RnnProblem& problem_;
  StepSections steps_;
  OverTime over_time_;
  int disagreements_ = 0;
};

std::string Head(const TracedProblem& traced, const TraceSelection& selection) {
  const std::string title = std::string(ToString(traced.problem.cell)) + ", unit " + std::to_string(*selection.unit) +
                            " at t = " + std::to_string(*selection.step);
  return PageBegin(title, kStyle + LetterStyle()) + "<h1>" + title + "</h1>\n<p><code>" +
         HtmlText(PrintProblem(traced.spec)) + "</code></p>\n<p>" + HtmlText(Summary(traced)) +
         (traced.data_file.empty() ? "" : ", tensors from " + HtmlText(traced.data_file)) + ". Row " +
         std::to_string(*selection.row) +
         " of the minibatch. An id leads to the <a href=\"#equations\">equation and its reason</a>.</p>\n";
}

// The first of the rows with the most steps.
Dim LongestRow(const TracedProblem& traced) {
  const std::vector<Dim> lengths = RowLengthsOf(traced.problem, traced.tensors);
  return std::max_element(lengths.begin(), lengths.end()) - lengths.begin();
}

}  // namespace

TracePage MakeTracePage(const TracedProblem& traced, TraceSelection selection, const std::vector<Plugin>& plugins) {
  selection.step = selection.step.value_or(0);
  selection.unit = selection.unit.value_or(0);
  selection.row = selection.row.value_or(LongestRow(traced));
  PageWriter writer(traced, selection);
  reference::Trace(traced.problem, BuffersOfTensors(traced.problem, traced.tensors),
                   [&](const TracedLine& line) { writer.Visit(line); });
  TracePage page;
  page.disagreements = writer.disagreements();
  page.html = Head(traced, selection) + "<h2>The cell</h2>\n" + CellPicture(traced.problem) +
              "<h2>Equations with this unit's numbers</h2>\n" + writer.Steps() + writer.OverTimeHtml() +
              "<h2>Outputs and what is accepted</h2>\n" + OutputIntervals(traced, selection, plugins) +
              "<h2>Rounding points</h2>\n" + Scrollable("rounding points", RoundingTable(traced.problem)) +
              "<h2 id=\"equations\">Equations and their reasons</h2>\n" + Scrollable("equations", writer.Equations()) +
              PageEnd();
  return page;
}

}  // namespace tandem::conformance
