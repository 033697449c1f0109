#include <cstdio>

#include "conformance/cli/cli.h"
#include "conformance/problem/problem_help.h"

namespace tandem::conformance {

Command AddHelpCommand(CLI::App* app) {
  app->require_subcommand(1);
  app->add_subcommand("problem", "how a problem is written: letters, options, defaults, examples");
  return [] {
    std::fputs(ProblemHelp().c_str(), stdout);
    return kExitConforms;
  };
}

}  // namespace tandem::conformance
