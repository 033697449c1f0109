#include <CLI/CLI.hpp>
#include <memory>

#include "conformance/cli/arguments.h"
#include "conformance/cli/cli.h"
#include "conformance/cli/runs/read_report.h"
#include "conformance/cli/terminal.h"
#include "conformance/pages/compare.h"

namespace tandem::conformance {
namespace {

int RunCompare(const std::string& before, const std::string& after) {
  const std::vector<std::vector<CampaignResult>> reports = ReadReports({before, after});
  const std::vector<Comparison> comparisons = Compare(reports[0], reports[1]);
  if (comparisons.empty()) throw UsageError(before + " and " + after + " have no implementation in common");
  bool worse = false;
  for (const Comparison& comparison : comparisons) {
    Print(ComparisonText(comparison), stdout);
    worse = worse || !comparison.regressions.empty();
  }
  return worse ? kExitFails : kExitConforms;
}

}  // namespace

Command AddCompareCommand(CLI::App* app) {
  auto reports = std::make_shared<std::vector<std::string>>();
  app->add_option("REPORT", *reports, "the old and the new report.json, or the directories they are in")
      ->required()
      ->expected(2);
  AddColours(app);
  app->footer(
      "Lists what got worse, what got better, what only one report has, and what got slower.\n"
      "Exit code 1: something got worse. A problem got slower if it needs half as long again and half a second more, "
      "with the\n"
      "judge's own time.");
  return [reports] { return RunCompare((*reports)[0], (*reports)[1]); };
}

}  // namespace tandem::conformance
