// This error says what is wrong with the words or the files of the user.
#ifndef TANDEM_CONFORMANCE_CLI_RUNS_USAGE_ERROR_H_
#define TANDEM_CONFORMANCE_CLI_RUNS_USAGE_ERROR_H_

#include <stdexcept>

namespace tandem::conformance {

// The message is one sentence; the program ends with exit code 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CLI_RUNS_USAGE_ERROR_H_
