// These functions check what the user typed before CLI11 converts it. A message is a sentence that says what to type.
#ifndef TANDEM_CONFORMANCE_CLI_ARGUMENTS_H_
#define TANDEM_CONFORMANCE_CLI_ARGUMENTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/cli/runs/cli11_classes.h"

namespace tandem::conformance {

// The option's value is a number of seconds above 0; kSecondsOrNone permits 0.
extern const CLI::Validator kSeconds, kSecondsOrNone;

// The option's value is NAME=VALUE of the environment.
extern const CLI::Validator kVariable;

// The option's value is the digits of a number from `low` to `high`.
CLI::Validator WholeNumber(uint64_t low, uint64_t high = 1'000'000'000);

// Throws UsageError, which names the option, if no file can be written at `path`. It is called before work that would be lost.
void CheckWritable(const std::string& option, const std::string& path);

// Creates the reports' folder. Throws UsageError, which names the option, if no report can be written there.
void PrepareFolder(const std::string& path);

// Throws UsageError if the first word is no command, or if an option has no value (--report=): CLI11 would take the next word.
void CheckArguments(const CLI::App& program, const std::vector<std::string>& words);

// Returns `help COMMAND...` as `COMMAND... --help`, and other words as they are. The program's name is none of the words.
std::vector<std::string> WithHelpAsked(const CLI::App& program, const std::vector<std::string>& words);

// Returns the options of the command that was parsed: "--impl", "--tier", ...
std::vector<std::string> OptionsOf(const CLI::App& program);

// Returns CLI11's complaint with the option's description and the way to the help. Requires that it is no request for help.
std::string InWords(const CLI::App& program, const CLI::ParseError& error);

// Returns the implementations of one argument, which commas separate. The longest word that is the path of a file or folder
// (also behind onednn: or compose:) keeps its commas, and so does a command (pipe:), which goes to the end.
std::vector<std::string> ImplementationsIn(const std::string& argument);

// Adds --color, which takes effect when it is read.
void AddColours(CLI::App* app);

// Adds --impl, which may be repeated. `words` keeps its value if the option is not given; it lives until the command has run.
void AddImplementations(CLI::App* app, std::vector<std::string>* words, const std::string& help);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CLI_ARGUMENTS_H_
