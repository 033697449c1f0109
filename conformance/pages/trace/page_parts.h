// The parts that a trace page is put together from. Each returns HTML.
#ifndef TANDEM_CONFORMANCE_PAGES_TRACE_PAGE_PARTS_H_
#define TANDEM_CONFORMANCE_PAGES_TRACE_PAGE_PARTS_H_

#include <set>
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

// One equation with the numbers of the selection's elements, and all of its values folded away: a table row. Its id is a link
// into EquationsTable.
// `origin` is HTML that says where the values come from.
std::string EquationRow(const reference::TracedLine& line, const TraceSelection& selection, const std::string& origin);
// The same of what is given: x and h' with all channels, which every unit reads; of a weight the row of the unit.
std::string GivenRow(const reference::TracedLine& line, const TraceSelection& selection, const std::string& origin);

// What each output may be, and what the oracle's equations and each plugin gave, for the elements of the selection.
std::string OutputIntervals(const TracedProblem& traced, const TraceSelection& selection,
                            const std::vector<Plugin>& plugins);

// Where this problem rounds its values, and to what.
std::string RoundingTable(const RnnProblem& problem);
// The picture of the problem's cell.
std::string CellPicture(const RnnProblem& problem);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PAGES_TRACE_PAGE_PARTS_H_
