// The problem notation explained, from the table of options itself.
#ifndef TANDEM_CONFORMANCE_PROBLEM_PROBLEM_HELP_H_
#define TANDEM_CONFORMANCE_PROBLEM_PROBLEM_HELP_H_

#include <string>
#include <vector>

#include "conformance/problem/problem_spec.h"

namespace tandem::conformance {

// Every letter of a descriptor, every option with its values and default, and an example for each cell.
std::string ProblemHelp();

// What of a problem has no effect on it, one sentence each: a peephole on GRU, an activation on LSTM.
std::vector<std::string> IgnoredOptions(const ProblemSpec& spec);

// "--alg VALUE" as the one word "--alg=VALUE", for the options of the notation.
std::vector<std::string> WithJoinedValues(const std::vector<std::string>& words);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PROBLEM_PROBLEM_HELP_H_
