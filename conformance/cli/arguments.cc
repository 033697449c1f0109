#include "conformance/cli/arguments.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "conformance/cli/cli.h"
#include "conformance/cli/terminal.h"
#include "conformance/plugins/builtin_plugins.h"
#include "conformance/problem/base/nearest.h"

namespace tandem::conformance {
namespace {

constexpr double kMostSeconds = 1e7;  // 115 days

CLI::Validator Finite(const char* what, bool (*holds)(double)) {
  return CLI::Validator(
      [what, holds](std::string& text) {
        char* end = nullptr;
        const double value = std::strtod(text.c_str(), &end);
        const bool number = !text.empty() && *end == '\0' && std::isfinite(value);
        return number && holds(value) ? std::string() : "\"" + text + "\" is not " + what;
      },
      what);
}

using Apps = std::vector<const CLI::App*>;

Apps CommandsOf(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::string Joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::vector<std::string> NamesOf(const Apps& apps) {
  std::vector<std::string> names;
  for (const CLI::App* app : apps) names.push_back(app->get_name());
  return names;
}

// The result is for example "./tandem vectors export".
std::string CallOf(const CLI::App& app) {
  return app.get_parent() == nullptr ? "./tandem" : CallOf(*app.get_parent()) + " " + app.get_name();
}

bool IsHelp(const CLI::App& app) { return app.get_name() == "help"; }

// Goes down to the command that the words name. Throws UsageError if a word is none of the commands.
const CLI::App& Descend(const CLI::App& app, size_t at, const std::vector<std::string>& words) {
  const Apps commands = CommandsOf(app);
  if (commands.empty()) return app;
  const std::string word = at < words.size() ? words[at] : "";
  if (word == "-h" || word == "--help" || word == "--version") return app;
  for (const CLI::App* command : commands) {
    if (command->get_name() == word) return Descend(*command, at + 1, words);
  }
  std::vector<std::string> names = NamesOf(commands);
  if (word.empty() && app.get_require_subcommand_min() == 0) return app;
  if (word.empty()) throw UsageError(CallOf(app) + " needs a command: " + Joined(names));
  if (IsHelp(app)) {
    for (const std::string& command : NamesOf(CommandsOf(*app.get_parent()))) names.push_back(command);
    throw UsageError(CallOf(app) + " has no topic \"" + word + "\"" +
                     DidYouMean(word, names, "the topics are " + Joined(names)));
  }
  throw UsageError(CallOf(app) + " has no command \"" + word + "\"" +
                   DidYouMean(word, names, "there are " + Joined(names)));
}

// Returns the last command that was parsed.
const CLI::App& Chosen(const CLI::App& app) {
  const std::vector<CLI::App*> parsed = app.get_subcommands();
  return parsed.empty() ? app : Chosen(*parsed.back());
}

std::string NameIn(const std::string& message) { return message.substr(0, message.find_first_of(": ")); }

bool StartsWith(const std::string& text, const std::string& prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

bool IsPath(const std::string& word) {
  std::string path = word;
  for (const char* prefix : {kCompiledPrefix, kComposePrefix}) {
    if (StartsWith(word, prefix)) path = word.substr(std::string(prefix).size());
  }
  std::error_code error;
  return std::filesystem::exists(path, error);
}

// Returns the length of the first word.
size_t LengthOfFirst(const std::string& text) {
  if (StartsWith(text, kPipePrefix)) return text.size();
  for (size_t end = text.size(); end != std::string::npos && end > 0; end = text.rfind(',', end - 1)) {
    const std::string word = text.substr(0, end);
    if (word.find(',') != std::string::npos && IsPath(word)) return end;
  }
  return std::min(text.find(','), text.size());
}

}  // namespace

const CLI::Validator kSeconds =
    Finite("a number of seconds above 0 and at most 1e7", [](double x) { return x > 0 && x <= kMostSeconds; });
const CLI::Validator kSecondsOrNone =
    Finite("a number of seconds from 0 to 1e7", [](double x) { return x >= 0 && x <= kMostSeconds; });

const CLI::Validator kVariable(
    [](std::string& word) {
      const size_t name = word.find('=');
      return name == 0 || name == std::string::npos ? "'" + word + "' is not of the form NAME=VALUE" : std::string();
    },
    "NAME=VALUE", "variable");

CLI::Validator WholeNumber(uint64_t low, uint64_t high) {
  return CLI::Validator(
      [low, high](std::string& text) {
        const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
        errno = 0;
        const unsigned long long value = std::strtoull(text.c_str(), nullptr, 10);
        if (digits && errno == 0 && value >= low && value <= high) return std::string();
        return "\"" + text + "\" is not a whole number from " + std::to_string(low) + " to " + std::to_string(high);
      },
      "");
}

void CheckWritable(const std::string& option, const std::string& path) {
  const bool existed = access(path.c_str(), F_OK) == 0;
  std::FILE* file = std::fopen(path.c_str(), "ae");
  if (file == nullptr) throw UsageError(option + "=" + path + ": cannot write there: " + std::strerror(errno));
  std::fclose(file);
  if (!existed) std::remove(path.c_str());
}

void PrepareFolder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw UsageError("--report=" + path + ": cannot write there: " + error.message());
  CheckWritable("--report", path + "/report.json");
}

std::vector<std::string> WithHelpAsked(const CLI::App& program, const std::vector<std::string>& words) {
  if (words.size() < 2 || words[0] != "help") return words;
  const std::vector<std::string> names = NamesOf(CommandsOf(program));
  if (std::find(names.begin(), names.end(), words[1]) == names.end()) return words;
  std::vector<std::string> asked(words.begin() + 1, words.end());
  asked.push_back("--help");
  return asked;
}

void CheckArguments(const CLI::App& program, const std::vector<std::string>& words) {
  const CLI::App& command = Descend(program, 0, words);
  for (const std::string& word : words) {
    if (word.size() < 4 || word.compare(0, 2, "--") != 0 || word.back() != '=') continue;
    const std::string name = word.substr(0, word.size() - 1);
    if (command.get_option_no_throw(name) == nullptr) continue;
    throw UsageError(name + " has no value: type " + name + "=VALUE, or leave " + name + " out");
  }
}

std::vector<std::string> OptionsOf(const CLI::App& program) {
  std::vector<std::string> names;
  for (const CLI::Option* option : Chosen(program).get_options()) names.push_back(option->get_name());
  return names;
}

std::string InWords(const CLI::App& program, const CLI::ParseError& error) {
  const CLI::App& command = Chosen(program);
  const std::string what = error.what(), help = "; " + CallOf(command) + " --help lists the options";
  const std::string name = NameIn(what);
  const CLI::Option* option = command.get_option_no_throw(name);
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr && option != nullptr) {
    return CallOf(command) + " needs " + name + ": " + option->get_description() + help;
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr && option != nullptr) {
    if (option->count() > 1) return name + " is given more than once" + help;
    return name + " has no value: type " + name + "=VALUE" + help;
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    return CallOf(command) + " does not take " + Joined(command.remaining(true)) + help;
  }
  return what + help;
}

std::vector<std::string> ImplementationsIn(const std::string& argument) {
  std::vector<std::string> words;
  for (std::string rest = argument; !rest.empty();) {
    const size_t length = LengthOfFirst(rest);
    if (length > 0) words.push_back(rest.substr(0, length));
    rest.erase(0, length + 1);
  }
  return words;
}

void AddColours(CLI::App* app) {
  const auto set = [](const std::string& word) {
    const std::vector<std::string> words = {"auto", "always", "never"};
    const auto found = std::find(words.begin(), words.end(), word);
    if (found == words.end()) throw UsageError("--color=" + word + " is none of " + Joined(words));
    SetColours(static_cast<Colours>(found - words.begin()));
  };
  app->add_option_function<std::string>(
         "--color", set, "verdicts in colour: auto (on a terminal, unless NO_COLOR is set), always, never")
      ->allow_extra_args(false);
}

void AddImplementations(CLI::App* app, std::vector<std::string>* words, const std::string& help) {
  const auto take = [words](const std::vector<std::string>& arguments) {
    words->clear();
    for (const std::string& argument : arguments) {
      for (std::string& word : ImplementationsIn(argument)) words->push_back(std::move(word));
    }
    if (words->empty()) throw UsageError("--impl names no implementation: type --impl=reference, for example");
  };
  app->add_option_function<std::vector<std::string>>("--impl", take, help)->allow_extra_args(false);
}

}  // namespace tandem::conformance
