// What the shells complete: commands, options, and those values that are words.
#ifndef TANDEM_CONFORMANCE_CLI_MANUAL_COMPLETION_H_
#define TANDEM_CONFORMANCE_CLI_MANUAL_COMPLETION_H_

#include <string>
#include <vector>

#include "conformance/cli/manual/commands.h"

namespace tandem::conformance {

// Scripts for tandem, and bash's also for the caller ./tandem. `problem` are the options of commands that take a problem.
std::string BashCompletion(const std::vector<ManualCommand>& commands, const std::vector<ManualOption>& problem,
                           Caller caller);
std::string ZshCompletion(const std::vector<ManualCommand>& commands, const std::vector<ManualOption>& problem);
std::string FishCompletion(const std::vector<ManualCommand>& commands, const std::vector<ManualOption>& problem);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CLI_MANUAL_COMPLETION_H_
