// The commands of the program as a table, read off its own options; and those of the launcher ./tandem.
#ifndef TANDEM_CONFORMANCE_CLI_MANUAL_COMMANDS_H_
#define TANDEM_CONFORMANCE_CLI_MANUAL_COMMANDS_H_

#include <map>
#include <string>
#include <vector>

#include "conformance/cli/manual/cli11_classes.h"

namespace tandem::conformance {

struct ManualOption {
  std::string name;                 // "--impl", without "=" and value
  std::string meaning;              // one clause
  std::string argument;             // what stands behind "=": "X", "SECONDS"; empty: the option is a flag
  std::vector<std::string> values;  // those that are words; more may be possible
};

enum class TakesProblem { kNo, kYes };

struct ManualCommand {
  std::string name;       // "vectors export"
  std::string arguments;  // "[PROBLEM]"
  std::string meaning;
  std::string note;  // what --help says after the options
  TakesProblem takes_problem = TakesProblem::kNo;
  std::vector<ManualOption> options;
};

// What a user types: the program, which is all that an installation has, or the launcher of the source tree, which has more
// commands and options.
enum class Caller { kProgram, kLauncher };

// Values of options by name, for those that the program's options do not tell: {"--tier", {"smoke", ...}}.
using OptionValues = std::map<std::string, std::vector<std::string>>;

// The subcommands of `program` and of these theirs, then what the caller has besides.
std::vector<ManualCommand> ManualCommands(const CLI::App& program, const OptionValues& values, Caller caller);

// The options of a problem, with their default in the meaning.
std::vector<ManualOption> ProblemManualOptions();

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CLI_MANUAL_COMMANDS_H_
