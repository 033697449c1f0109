// A trace becomes one page: the live page of web/lesson with this problem's numbers in it.
#ifndef TANDEM_CONFORMANCE_PAGES_TRACE_TRACE_PAGE_H_
#define TANDEM_CONFORMANCE_PAGES_TRACE_TRACE_PAGE_H_

#include <string>
#include <vector>

#include "conformance/pages/trace/traced_problem.h"
#include "conformance/sandbox/plugin_host.h"

namespace tandem::conformance {

// The page holds the numbers of every equation, and shows them without a server. If `./tandem site` has built the module
// that computes (web/lesson), the page holds it too and computes all numbers anew when its reader changes one.
struct TracePage {
  std::string html;
  int disagreements = 0;  // the result of WriteTraceText()
};

// The page begins with the step, unit and row of `selection`; without one, with the index 0 and the row with the most steps.
// Each plugin runs the problem in a process of its own. Throws std::length_error if a browser could not hold the numbers.
TracePage MakeTracePage(const TracedProblem& traced, TraceSelection selection, const std::vector<Plugin>& plugins);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PAGES_TRACE_TRACE_PAGE_H_
