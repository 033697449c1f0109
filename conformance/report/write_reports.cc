#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "conformance/report/reports.h"

namespace tandem::conformance {

void WriteReports(const std::vector<CampaignResult>& results, const std::string& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  const auto write = [&](const char* name, const std::string& text) {
    const std::string path = directory + "/" + name;
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file) throw std::runtime_error("cannot write " + path);
  };
  write("report.json", JsonReport(results));
  write("junit.xml", JunitReport(results));
  write("index.html", HtmlReport(results));
}

}  // namespace tandem::conformance
