// Tables of a trace page: every number of a line and of the parts of its formula, and what each equation says.
#ifndef TANDEM_CONFORMANCE_PAGES_TRACE_PAGE_VALUES_H_
#define TANDEM_CONFORMANCE_PAGES_TRACE_PAGE_VALUES_H_

#include <string>
#include <vector>

#include "conformance/pages/trace/traced_problem.h"

namespace tandem::conformance {

// The numbers of the left side, folded away. HTML.
std::string AllValues(const reference::TracedLine& line);
// The same of each part of the right side that has a value but no line of its own, such as r * h' below U_o.
std::string InnerValues(const reference::TracedLine& line);
// A table of these equations, each with its id as anchor, its derivation and the statement of the problem's cell.
std::string EquationsTable(const RnnProblem& problem, const std::vector<std::string>& ids);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PAGES_TRACE_PAGE_VALUES_H_
