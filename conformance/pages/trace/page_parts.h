// The parts that a trace page is put together from. Each returns HTML.
#ifndef TANDEM_CONFORMANCE_PAGES_TRACE_PAGE_PARTS_H_
#define TANDEM_CONFORMANCE_PAGES_TRACE_PAGE_PARTS_H_

#include <map>
#include <string>
#include <vector>

#include "conformance/pages/trace/traced_problem.h"
#include "conformance/sandbox/plugin_host.h"

namespace tandem::conformance {

// For element content and attribute values; keeps UTF-8.
std::string HtmlText(const std::string& text);
// Text with formulas in {braces} as MathML and `words` as <code>.
std::string HtmlWithMath(const std::string& text);
std::string MathElement(const std::string& mathml);

// One equation with the numbers of one element: a table row.
std::string EquationRow(const reference::TracedLine& line, const TraceSelection& selection);

// Values of one row of the minibatch over time, for one name ("i", "Δ_f") of one layer and direction.
struct ValueMap {
  std::vector<std::vector<double>> columns;  // [t][unit]
};
// Squares from blue (negative) over the page's colour (0) to red (positive), with the number as their title.
std::string HeatMap(const std::string& title, const ValueMap& map);

// What each output may be, and what the oracle's equations and each plugin gave, for the elements of the selection.
std::string OutputIntervals(const TracedProblem& traced, const TraceSelection& selection,
                            const std::vector<Plugin>& plugins);

std::string RoundingTable();
// The picture of the problem's cell.
std::string CellPicture(const RnnProblem& problem);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PAGES_TRACE_PAGE_PARTS_H_
