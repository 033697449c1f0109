#include "conformance/cli/manual/commands.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>

#include "conformance/problem/problem_options.h"

namespace tandem::conformance {
namespace {

ManualOption ToManual(const CLI::Option& option, const OptionValues& values) {
  ManualOption manual;
  manual.name = "--" + option.get_lnames()[0];
  manual.meaning = option.get_description();
  if (option.get_items_expected_max() > 0) manual.argument = "X";
  const auto found = values.find(manual.name);
  if (found != values.end()) manual.values = found->second;
  return manual;
}

ManualCommand ToManual(const CLI::App& app, const std::string& name, const OptionValues& values) {
  ManualCommand command;
  command.name = name;
  command.meaning = app.get_description();
  command.note = app.get_footer();
  command.takes_problem = app.get_allow_extras() ? TakesProblem::kYes : TakesProblem::kNo;
  if (app.get_allow_extras()) command.arguments = "[PROBLEM]";
  for (const CLI::Option* option : app.get_options()) {
    if (option == app.get_help_ptr() || option->get_group().empty()) continue;
    if (option->get_positional()) {
      command.arguments = option->get_name(true) + "...";
    } else {
      command.options.push_back(ToManual(*option, values));
    }
  }
  return command;
}

std::vector<const CLI::App*> SubcommandsOf(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

ManualCommand LauncherCommand(const char* name, const char* arguments, const char* meaning) {
  ManualCommand command;
  command.name = name;
  command.arguments = arguments;
  command.meaning = meaning;
  return command;
}

// What tools/ and ./tandem do before or without the program.
std::vector<ManualCommand> LauncherCommands() {
  ManualCommand fuzz = LauncherCommand("fuzz", "TARGET", "run a libFuzzer target with its corpus");
  fuzz.options = {{"--time", "how long (60)", "SECONDS", {}}};
  ManualCommand install =
      LauncherCommand("install", "", "the judge, headers, libraries, pkg-config and CMake files, this page");
  install.options = {{"--prefix", "where to; DESTDIR is respected", "DIR", {}},
                     {"--reading", "default reading of the specification (spec)", "X", {"spec", "onednn"}},
                     {"--as-dnnl", "find_package(dnnl) finds Tandem, too", "", {}}};
  ManualCommand package = LauncherCommand("package", "", "what install installs as an archive, and as Debian packages");
  ManualCommand wheel = LauncherCommand("wheel", "", "the package tandem_rnn for Python");
  ManualCommand npm = LauncherCommand("npm", "", "the package tandem-rnn for browsers and node");
  package.options = wheel.options = npm.options = {{"--output", "where to (the current directory)", "DIR", {}}};
  wheel.options.push_back({"--quick", "for this machine's processor alone, and without the judge", "", {}});
  ManualCommand site =
      LauncherCommand("site", "", "the guides and lessons that compute in the page, as one static site");
  site.options = {{"--out", "where to", "DIR", {}}};
  ManualCommand test = LauncherCommand("test", "[BAZEL OPTION...] [TARGET...]",
                                       "run the tests that a commit must pass, or those of the targets");
  test.options = {{"--all", "every test that CI runs", "", {}},
                  {"--pages", "install the browser that looks at the HTML pages first", "", {}},
                  {"--speech", "install what docs/speech.md needs first", "", {}}};
  return {test, fuzz, install, package, wheel, npm, site};
}

// The launcher's commands, and its options of the program's commands.
void AddLauncher(std::vector<ManualCommand>* commands) {
  const ManualOption arch = {
      "--arch", "build for another processor and run in an emulator", "CPU", {"aarch64", "i686", "riscv64", "s390x"}};
  for (ManualCommand& command : *commands) {
    if (command.name == "check" || command.name == "bench") {
      command.options.push_back({"--install", "install the libraries that --impl names first", "", {}});
    }
  }
  for (const ManualCommand& command : LauncherCommands()) commands->push_back(command);
  for (ManualCommand& command : *commands) {
    const std::vector<std::string> here = {"fuzz", "wheel", "npm", "site"};
    if (std::count(here.begin(), here.end(), command.name) > 0 || command.name.rfind("help", 0) == 0) continue;
    command.options.push_back(arch);
    if (command.name == "test") command.options.back().values.push_back("wasm32");
  }
}

// The words of a list that the option itself accepts: "f32, bf16 and others" has f32.
std::vector<std::string> WordsOf(const ProblemOption& option) {
  std::vector<std::string> words;
  std::istringstream list(option.values);
  for (std::string word; std::getline(list, word, ',');) {
    const size_t first = word.find_first_not_of(' ');
    if (first == std::string::npos) continue;
    word = word.substr(first);
    ProblemSpec spec;
    if (word.find(' ') == std::string::npos && option.set(word, &spec)) words.push_back(word);
  }
  return words;
}

}  // namespace

std::vector<ManualCommand> ManualCommands(const CLI::App& program, const OptionValues& values, Caller caller) {
  std::vector<ManualCommand> commands;
  for (const CLI::App* app : SubcommandsOf(program)) {
    const std::vector<const CLI::App*> nested = SubcommandsOf(*app);
    if (nested.empty()) commands.push_back(ToManual(*app, app->get_name(), values));
    for (const CLI::App* inner : nested) {
      commands.push_back(ToManual(*inner, app->get_name() + " " + inner->get_name(), values));
    }
  }
  if (caller == Caller::kLauncher) AddLauncher(&commands);
  return commands;
}

std::vector<ManualOption> ProblemManualOptions() {
  std::vector<ManualOption> options;
  const ProblemSpec defaults;
  for (const ProblemOption& option : ProblemOptions()) {
    ManualOption manual;
    manual.name = std::string("--") + option.name;
    const std::string value = option.get(defaults);
    manual.meaning = option.meaning + (value.empty() ? "" : " (" + value + ")") + ": " + option.values;
    manual.argument = "X";
    manual.values = WordsOf(option);
    options.push_back(manual);
  }
  options.push_back({"--batch", "a file of options and descriptors, as benchdnn has them", "FILE", {}});
  return options;
}

}  // namespace tandem::conformance
