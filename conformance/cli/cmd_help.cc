#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>

#include "conformance/cli/arguments.h"
#include "conformance/cli/cli.h"
#include "conformance/cli/manual/completion.h"
#include "conformance/cli/manual/man_page.h"
#include "conformance/cli/terminal.h"
#include "conformance/judge/campaign.h"
#include "conformance/judge/profiles.h"
#include "conformance/plugins/builtin_plugins.h"
#include "conformance/problem/problem_help.h"
#include "conformance/sandbox/runfiles.h"

namespace tandem::conformance {
namespace {

OptionValues KnownValues() {
  OptionValues values = {{"--impl", BuiltinWords()}, {"--color", ColourWords()}};
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

std::string Page(const CLI::App& program, const std::string& topic, Caller caller) {
  const std::vector<ManualCommand> commands = ManualCommands(program, KnownValues(), caller);
  if (topic == "man") return ManPage(commands, caller);
  if (topic == "bash") return BashCompletion(commands, ProblemManualOptions(), caller);
  if (topic == "zsh") return ZshCompletion(commands, ProblemManualOptions());
  return FishCompletion(commands, ProblemManualOptions());
}

}  // namespace

Command AddHelpCommand(CLI::App* app) {
  app->require_subcommand(0, 1);
  app->add_subcommand("problem", "how a problem is written: letters, options, defaults, examples");
  const auto launcher = std::make_shared<bool>(false);
  const auto add_page = [&](const char* topic, const char* what) {
    // What ./tandem says to the program. No help lists it.
    app->add_subcommand(topic, what)->add_flag("--launcher", *launcher)->group("");
  };
  add_page("man", "the man page, tandem(1)");
  add_page("bash", "what bash completes");
  add_page("zsh", "what zsh completes");
  add_page("fish", "what fish completes");
  return [app, launcher] {
    const std::vector<CLI::App*> topics = app->get_subcommands();
    const CLI::App& program = *app->get_parent();
    const std::string topic = topics.empty() ? "" : topics[0]->get_name();
    if (topic.empty() || topic == "problem") {
      // program.help() is that of the command that was parsed.
      const std::string commands = program.get_formatter()->make_help(&program, "tandem", CLI::AppFormatMode::Normal);
      Print(topic.empty() ? commands : ProblemHelp(), stdout);
    } else {
      const std::string page = *launcher ? Page(program, topic, Caller::kLauncher)
                                         : WithProgram("tandem", Page(program, topic, Caller::kProgram));
      std::fputs(page.c_str(), stdout);
    }
    return kExitConforms;
  };
}

}  // namespace tandem::conformance
