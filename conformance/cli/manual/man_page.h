// tandem(1).
#ifndef TANDEM_CONFORMANCE_CLI_MANUAL_MAN_PAGE_H_
#define TANDEM_CONFORMANCE_CLI_MANUAL_MAN_PAGE_H_

#include <string>
#include <vector>

#include "conformance/cli/manual/commands.h"

namespace tandem::conformance {

// In the macros of man(7).
std::string ManPage(const std::vector<ManualCommand>& commands, Caller caller);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CLI_MANUAL_MAN_PAGE_H_
