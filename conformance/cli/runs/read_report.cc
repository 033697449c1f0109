#include "conformance/cli/runs/read_report.h"

#include <filesystem>
#include <stdexcept>

#include "conformance/cli/runs/usage_error.h"
#include "conformance/pages/reports.h"
#include "conformance/sandbox/whole_file.h"

namespace tandem::conformance {

std::vector<CampaignResult> ReadReport(const std::string& given) {
  std::error_code none;
  const std::string path = std::filesystem::is_directory(given, none) ? given + "/report.json" : given;
  const std::string text = ReadWholeFile(path);
  try {
    return ReadJsonReport(text);
  } catch (const std::runtime_error& error) {
    throw UsageError(path + ": " + error.what());
  }
}

std::vector<std::vector<CampaignResult>> ReadReports(const std::vector<std::string>& given,
                                                     const std::function<void(size_t read)>& before_each) {
  std::vector<std::vector<CampaignResult>> reports;
  std::string unread;
  for (size_t i = 0; i < given.size(); ++i) {
    before_each(i);
    try {
      reports.push_back(ReadReport(given[i]));
    } catch (const std::runtime_error& error) {
      unread += (unread.empty() ? "" : "; ") + std::string(error.what());
    }
  }
  if (!unread.empty()) throw UsageError(unread);
  return reports;
}

}  // namespace tandem::conformance
