// These functions read reports that an earlier run has written.
#ifndef TANDEM_CONFORMANCE_CLI_RUNS_READ_REPORT_H_
#define TANDEM_CONFORMANCE_CLI_RUNS_READ_REPORT_H_

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "conformance/judge/campaign.h"

namespace tandem::conformance {

// Reads a report.json, or the one in a directory. Throws UsageError, which names the file.
std::vector<CampaignResult> ReadReport(const std::string& path);

// `before_each` gets the number of the reports before. Throws one UsageError that names every report that cannot be read.
std::vector<std::vector<CampaignResult>> ReadReports(
    const std::vector<std::string>& given, const std::function<void(size_t read)>& before_each = [](size_t) {});

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CLI_RUNS_READ_REPORT_H_
