#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>
#include <memory>

#include "conformance/cli/arguments.h"
#include "conformance/cli/cli.h"
#include "conformance/cli/conclusion.h"
#include "conformance/cli/json_output.h"
#include "conformance/cli/progress.h"
#include "conformance/cli/runs/read_report.h"
#include "conformance/cli/terminal.h"
#include "conformance/judge/merge.h"
#include "conformance/pages/reports.h"

namespace tandem::conformance {
namespace {

struct MergeWords {
  std::vector<std::string> reports;
  std::string into = "report";
  std::string json;
};

int RunMerge(const MergeWords& words) {
  const JsonOutput json(words.json);
  PrepareFolder(words.into);
  // The implementations stay in the order of the first report.
  std::vector<std::string> order;
  std::map<std::string, std::vector<CampaignResult>> parts;
  ProgressLine line("reading");
  const auto show = [&](size_t read) { line.ShowStep(read, words.reports.size(), "reports"); };
  for (const std::vector<CampaignResult>& report : ReadReports(words.reports, show)) {
    for (const CampaignResult& result : report) {
      if (parts.count(result.implementation) == 0) order.push_back(result.implementation);
      parts[result.implementation].push_back(result);
    }
  }
  line.Hide();
  std::vector<CampaignResult> results;
  for (const std::string& implementation : order) {
    try {
      results.push_back(Merge(parts[implementation]));
    } catch (const std::runtime_error& error) {
      throw UsageError(implementation + ": " + error.what());
    }
    Print(TextReport(results.back(), Columns(stdout), LegendFor(results)), stdout);
  }
  WriteReports(results, words.into);
  json.Write(JsonReport(results));
  return Conclude(results, nullptr, words.into);
}

}  // namespace

Command AddMergeCommand(CLI::App* app) {
  auto words = std::make_shared<MergeWords>();
  app->add_option("REPORT", words->reports, "the report.json of each part, or the directory it is in")->required();
  app->add_option("--report", words->into, "directory of the merged reports");
  AddJson(&words->json, app);
  AddColours(app);
  app->footer("The parts are those of `tandem check --shard=I/N`, all N of them. Exit codes as of check.");
  return [words] { return RunMerge(*words); };
}

}  // namespace tandem::conformance
