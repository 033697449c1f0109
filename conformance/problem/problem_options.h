// The table of options behind problem_notation.h: parser and printer share each row.
#ifndef TANDEM_CONFORMANCE_PROBLEM_PROBLEM_OPTIONS_H_
#define TANDEM_CONFORMANCE_PROBLEM_PROBLEM_OPTIONS_H_

#include <string>
#include <vector>

#include "conformance/problem/problem_spec.h"

namespace tandem::conformance {

struct ProblemOption {
  const char* name;  // without the dashes
  // False: the value means nothing to this option.
  bool (*set)(const std::string& value, ProblemSpec* spec);
  std::string (*get)(const ProblemSpec& spec);
  std::string values;   // for messages
  std::string meaning;  // for help: one clause
};

const std::vector<ProblemOption>& ProblemOptions();

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PROBLEM_PROBLEM_OPTIONS_H_
