// The commands of the tandem program. Each Add...Command declares its options; the returned function runs it and returns the
// exit code. 0: all conform. 1: something does not. 2: an option or file is wrong. 3: a batch file had unknown options. 4:
// every departure is known. 5: nothing is wrong, but not everything was judged. 128 + N: signal N interrupted it.
#ifndef TANDEM_CONFORMANCE_CLI_CLI_H_
#define TANDEM_CONFORMANCE_CLI_CLI_H_

#include <functional>
#include <string>
#include <vector>

#include "conformance/cli/runs/cli11_classes.h"
#include "conformance/cli/runs/usage_error.h"
#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {

constexpr int kExitConforms = 0;
constexpr int kExitFails = 1;
constexpr int kExitUsage = 2;
constexpr int kExitUnknownKnobs = 3;
constexpr int kExitKnownDepartures = 4;
constexpr int kExitPartial = 5;
constexpr int kExitSignal = 128;

// This is the error for options of problems, or batch files, without a descriptor.
constexpr char kNoProblem[] =
    "there are options but no problem: a problem such as l1t3mb2sic16 must follow them, here or in the batch file";

using Command = std::function<int()>;

Command AddBenchCommand(CLI::App* app);
Command AddCheckCommand(CLI::App* app);
Command AddHelpCommand(CLI::App* app);
Command AddListCommand(CLI::App* app);
Command AddMergeCommand(CLI::App* app);
Command AddTraceCommand(CLI::App* app);
Command AddCompareCommand(CLI::App* app);
Command AddDiagnoseCommand(CLI::App* app);
Command AddMutantsCommand(CLI::App* app);
Command AddTuneCommand(CLI::App* app);
Command AddVectorsCommand(CLI::App* app);

// Reads words of the problem notation; reports unknown options of batch files on stderr. Throws NotationError.
ProblemReader ReadProblems(const std::vector<std::string>& words);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CLI_CLI_H_
