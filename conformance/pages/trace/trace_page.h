// A trace as one page without script: the equations of one unit with its numbers, the gates over time, and where each
// implementation's outputs lie in what the judge accepts.
#ifndef TANDEM_CONFORMANCE_PAGES_TRACE_TRACE_PAGE_H_
#define TANDEM_CONFORMANCE_PAGES_TRACE_TRACE_PAGE_H_

#include <string>
#include <vector>

#include "conformance/pages/trace/traced_problem.h"
#include "conformance/sandbox/plugin_host.h"

namespace tandem::conformance {

struct TracePage {
  std::string html;
  int disagreements = 0;  // as WriteTraceText
};

// `selection` without a step, a unit or a row shows those with the index 0. Each plugin runs the problem in a process of its own.
TracePage MakeTracePage(const TracedProblem& traced, TraceSelection selection, const std::vector<Plugin>& plugins);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PAGES_TRACE_TRACE_PAGE_H_
