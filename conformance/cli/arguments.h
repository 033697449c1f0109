// What the user typed, checked before CLI11 converts it, and what is wrong with it in a sentence that says what to type.
#ifndef TANDEM_CONFORMANCE_CLI_ARGUMENTS_H_
#define TANDEM_CONFORMANCE_CLI_ARGUMENTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/cli/runs/cli11_classes.h"

namespace tandem::conformance {

// Option values: seconds, which no clock is too small for; kSecondsOrNone permits 0.
extern const CLI::Validator kSeconds, kSecondsOrNone;

// NAME=VALUE of the environment.
extern const CLI::Validator kVariable;

// Option values: the digits of a number from `low` to `high`.
CLI::Validator WholeNumber(uint64_t low, uint64_t high = 1'000'000'000);

// Throws UsageError, which names the option, if no file can be written at `path`. Before work that would be lost.
void CheckWritable(const std::string& option, const std::string& path);

// The same for the reports' directory, which is created.
void PrepareFolder(const std::string& path);

// Throws UsageError if the first word is no command of the program, or if an option has an empty value (--report=): CLI11
// would take the next word.
void CheckArguments(const CLI::App& program, const std::vector<std::string>& words);

// `help COMMAND...` as `COMMAND... --help`; other words as they are. The program's name is none of the words.
std::vector<std::string> WithHelpAsked(const CLI::App& program, const std::vector<std::string>& words);

// "--impl", "--tier", ...: of the command that was parsed.
std::vector<std::string> OptionsOf(const CLI::App& program);

// What CLI11 complains about, with the option's description and the way to the help. Requires that it is no request for
// help.
std::string InWords(const CLI::App& program, const CLI::ParseError& error);

// The implementations of one argument, which commas separate. A comma belongs to a word where the word with it is the path of
// a file or folder (behind onednn: or compose:, too), and in a command (pipe:), which goes to the end of the argument.
std::vector<std::string> ImplementationsIn(const std::string& argument);

// --color, which takes effect when it is read.
void AddColours(CLI::App* app);

// --impl, which may be repeated. `words` keeps its value if the option is not given; it lives until the command has run.
void AddImplementations(CLI::App* app, std::vector<std::string>* words, const std::string& help);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CLI_ARGUMENTS_H_
