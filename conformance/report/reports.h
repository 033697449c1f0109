// The reports of a run: a table for the terminal, and files for people and programs.
#ifndef TANDEM_CONFORMANCE_REPORT_REPORTS_H_
#define TANDEM_CONFORMANCE_REPORT_REPORTS_H_

#include <string>
#include <vector>

#include "conformance/campaign/campaign.h"

namespace tandem::conformance {

// The verdict table and, below it, each complaint with its replay line.
std::string TextReport(const CampaignResult& result);

// report.json, after report.schema.json.
std::string JsonReport(const std::vector<CampaignResult>& results);
// junit.xml: a suite for each implementation, with a case for each named problem, each group of random ones and each
// complaint.
std::string JunitReport(const std::vector<CampaignResult>& results);
// index.html: tables and plots in one self-contained file.
std::string HtmlReport(const std::vector<CampaignResult>& results);

// Writes the three files into `directory`, which is created. Throws std::runtime_error.
void WriteReports(const std::vector<CampaignResult>& results, const std::string& directory);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_REPORT_REPORTS_H_
