#include <filesystem>

#include "conformance/pages/reports.h"
#include "conformance/sandbox/whole_file.h"

namespace tandem::conformance {

void WriteReports(const std::vector<CampaignResult>& results, const std::string& directory, const TracePages& pages) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  WriteWholeFiles({{directory + "/report.json", JsonReport(results)},
                   {directory + "/junit.xml", JunitReport(results)},
                   {directory + "/index.html", HtmlReport(results, pages)}});
}

}  // namespace tandem::conformance
