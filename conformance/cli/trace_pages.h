// A check report links its complaints to these pages.
#ifndef TANDEM_CONFORMANCE_CLI_TRACE_PAGES_H_
#define TANDEM_CONFORMANCE_CLI_TRACE_PAGES_H_

#include <string>
#include <vector>

#include "conformance/pages/reports.h"

namespace tandem::conformance {

// Writes trace-NAME-NUMBER.html into `directory`, which is created, for the first complaints of each result that are about a
// number and small. Pages of an earlier run are removed. A page that cannot be made is left out, with a line on stderr.
TracePages WriteTracePages(const std::vector<CampaignResult>& results, const std::string& directory);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CLI_TRACE_PAGES_H_
