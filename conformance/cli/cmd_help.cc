#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "conformance/cli/cli.h"
#include "conformance/cli/terminal.h"
#include "conformance/problem/problem_help.h"
#include "conformance/sandbox/runfiles.h"

namespace tandem::conformance {
namespace {

// The man page and the completion are files, which an installation also has where man and bash look for them.
std::string Page(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(RunfilePath("tools/package/" + file)).rdbuf();
  return text.str();
}

}  // namespace

Command AddHelpCommand(CLI::App* app) {
  app->require_subcommand(0, 1);
  app->add_subcommand("problem", "how a problem is written: letters, options, defaults, examples");
  app->add_subcommand("man", "the man page, tandem(1)");
  app->add_subcommand("bash", "what bash completes");
  return [app] {
    const std::vector<CLI::App*> topics = app->get_subcommands();
    const std::string topic = topics.empty() ? "" : topics[0]->get_name();
    if (topic.empty()) {
      // program.help() is that of the command that was parsed.
      const CLI::App& program = *app->get_parent();
      Print(program.get_formatter()->make_help(&program, "tandem", CLI::AppFormatMode::Normal), stdout);
    } else if (topic == "problem") {
      Print(ProblemHelp(), stdout);
    } else {
      std::fputs(Page(topic == "man" ? "tandem.1" : "tandem.bash").c_str(), stdout);
    }
    return kExitConforms;
  };
}

}  // namespace tandem::conformance
