#include "conformance/cli/read_report.h"

#include <filesystem>

#include "conformance/cli/cli.h"
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

}  // namespace tandem::conformance
