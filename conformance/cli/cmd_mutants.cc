#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "conformance/cli/arguments.h"
#include "conformance/cli/cli.h"
#include "conformance/cli/progress.h"
#include "conformance/cli/terminal.h"
#include "conformance/faulty/mutants/mutation_score.h"
#include "conformance/problem/base/nearest.h"

namespace tandem::conformance {
namespace {

// Throws UsageError if no name contains `part`; `where` says where the names are.
void CheckPart(const std::string& option, const std::string& part, const std::vector<std::string>& names,
               const std::string& where) {
  for (const std::string& name : names) {
    if (name.find(part) != std::string::npos) return;
  }
  throw UsageError(option + "=" + part + " is in no name" + DidYouMean(part, names, where));
}

void CheckNames(const MutationScoreOptions& options) {
  std::vector<std::string> bugs, groups;
  for (const MutationInfo& info : Mutations()) bugs.push_back(info.name);
  std::string all;
  for (const MutantGroup& group : MutantGroups()) {
    groups.push_back(group.name);
    all += (all.empty() ? "" : ", ") + groups.back();
  }
  CheckPart("--mutation", options.mutation, bugs, "./tandem mutants --list prints the names");
  CheckPart("--group", options.group, groups, "the groups are " + all);
}

}  // namespace

Command AddMutantsCommand(CLI::App* app) {
  auto options = std::make_shared<MutationScoreOptions>();
  auto list = std::make_shared<bool>(false);
  app->add_option("--seed", options->seed, "seed of the random problems")->check(WholeNumber(0));
  app->add_option("--cases", options->limit, "problems drawn for one bug before it counts as a survivor")
      ->check(WholeNumber(1));
  app->add_option("--curve", options->curve_problems, "problems for each point of the detection curve; 0: no curve")
      ->check(WholeNumber(0));
  app->add_option("--group", options->group, "part of a group's name, such as \"forward bf16\"");
  app->add_option("--mutation", options->mutation, "part of a bug's name, such as SwapGates");
  app->add_flag("--list", *list,
                "print the rows, names and meanings of the bugs that --mutation chooses, and nothing else");
  AddColours(app);
  app->footer(
      "Columns: group, row of the catalogue of real bugs (docs/verdicts/method.md), bug, the check that caught it,\n"
      "problems drawn until then, what the bug does. `./tandem check --impl=mutant:NAME` runs one of them.\n"
      "Exit code 1 if a bug survives.");
  return [options, list] {
    CheckNames(*options);
    if (*list) {
      PrintMutations(options->mutation, Columns(stdout), &std::cout);
      return kExitConforms;
    }
    ProgressLine line("mutants");
    const MutationObserver observer = {[&](size_t done, size_t all) { line.ShowStep(done, all, "hunts"); },
                                       [&] { line.Hide(); }};
    const MutationScore score = MeasureMutationScore(*options, &std::cout, observer);
    if (score.kills.empty()) throw UsageError("no bug of that name can appear in that group");
    return score.complete() ? kExitConforms : kExitFails;
  };
}

}  // namespace tandem::conformance
