#include <algorithm>
#include <cstdio>

#include "conformance/cli/cli.h"
#include "conformance/cli/manual/completion.h"
#include "conformance/cli/manual/man_page.h"
#include "conformance/judge/campaign.h"
#include "conformance/judge/profiles.h"
#include "conformance/plugins/builtin_plugins.h"
#include "conformance/problem/problem_help.h"

namespace tandem::conformance {
namespace {

OptionValues KnownValues() {
  OptionValues values = {{"--impl", BuiltinWords()}};
  for (const Tier tier : {Tier::kSmoke, Tier::kQuick, Tier::kFull, Tier::kSoak}) {
    values["--tier"].push_back(ToString(tier));
  }
  for (const Profile& profile : Profiles()) {
    std::string name = profile.name;
    std::replace(name.begin(), name.end(), ' ', '-');
    values["--profile"].push_back(name);
  }
  return values;
}

std::string Page(const CLI::App& program, const std::string& topic) {
  if (topic == "problem") return ProblemHelp();
  const std::vector<ManualCommand> commands = ManualCommands(program, KnownValues());
  if (topic == "man") return ManPage(commands);
  if (topic == "bash") return BashCompletion(commands, ProblemManualOptions());
  if (topic == "zsh") return ZshCompletion(commands, ProblemManualOptions());
  return FishCompletion(commands, ProblemManualOptions());
}

}  // namespace

Command AddHelpCommand(CLI::App* app) {
  app->require_subcommand(1);
  app->add_subcommand("problem", "how a problem is written: letters, options, defaults, examples");
  app->add_subcommand("man", "the man page, tandem(1)");
  app->add_subcommand("bash", "what bash completes");
  app->add_subcommand("zsh", "what zsh completes");
  app->add_subcommand("fish", "what fish completes");
  return [app] {
    std::fputs(Page(*app->get_parent(), app->get_subcommands()[0]->get_name()).c_str(), stdout);
    return kExitConforms;
  };
}

}  // namespace tandem::conformance
