// A check report links its complaints to these pages.
#ifndef TANDEM_CONFORMANCE_CLI_TRACE_PAGES_H_
#define TANDEM_CONFORMANCE_CLI_TRACE_PAGES_H_

#include <string>
#include <vector>

#include "conformance/pages/reports.h"
#include "conformance/problem/problem_spec.h"

namespace tandem::conformance {

// A page computes its numbers anew, by the equations of the specification's cells. Returns what a page lacks for this problem and
// the options to leave out; null if it lacks nothing.
const char* WhyNoPage(const ProblemSpec& spec);

// Writes trace-NAME-NUMBER.html into `directory`, which is created, for the first complaints of each result that are about a
// number and small. Pages of an earlier run are removed. A page that cannot be made is left out, with a line on stderr.
TracePages WriteTracePages(const std::vector<CampaignResult>& results, const std::string& directory);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CLI_TRACE_PAGES_H_
