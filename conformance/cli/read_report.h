// A report that an earlier run has written.
#ifndef TANDEM_CONFORMANCE_CLI_READ_REPORT_H_
#define TANDEM_CONFORMANCE_CLI_READ_REPORT_H_

#include <string>
#include <vector>

#include "conformance/judge/campaign.h"

namespace tandem::conformance {

// Of a report.json, or of the directory that it is in. Throws UsageError, which names the file.
std::vector<CampaignResult> ReadReport(const std::string& path);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CLI_READ_REPORT_H_
