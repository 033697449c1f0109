#include <iostream>
#include <memory>

#include "conformance/cli/cli.h"
#include "conformance/mutants/mutation_score.h"

namespace tandem::conformance {

Command AddMutantsCommand(CLI::App* app) {
  auto options = std::make_shared<MutationScoreOptions>();
  auto list = std::make_shared<bool>(false);
  app->add_option("--seed", options->seed, "seed of the random problems");
  app->add_option("--cases", options->limit, "problems drawn for one bug before it counts as a survivor")
      ->check(CLI::PositiveNumber);
  app->add_option("--curve", options->curve_problems, "problems for each point of the detection curve; 0: no curve");
  app->add_option("--group", options->group, "part of a group's name, such as \"forward bf16\"");
  app->add_option("--mutation", options->mutation, "part of a bug's name, such as SwapGates");
  app->add_flag("--list", *list, "print the bugs' rows, names and meanings, and nothing else");
  app->footer(
      "Columns: group, row of the catalogue of real bugs (docs/verdicts/method.md), bug, the check that caught it,\n"
      "problems drawn until then, what the bug does. `./tandem check --impl=mutant:NAME` runs one of them.\n"
      "Exit code 1 if a bug survives.");
  return [options, list] {
    if (*list) {
      PrintMutations(&std::cout);
      return kExitConforms;
    }
    const MutationScore score = MeasureMutationScore(*options, &std::cout);
    if (score.kills.empty()) throw UsageError("no bug has that name in that group");
    return score.complete() ? kExitConforms : kExitFails;
  };
}

}  // namespace tandem::conformance
