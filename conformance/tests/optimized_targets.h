// The optimized backend on each Highway target of the machine.
#ifndef TANDEM_CONFORMANCE_TESTS_OPTIMIZED_TARGETS_H_
#define TANDEM_CONFORMANCE_TESTS_OPTIMIZED_TARGETS_H_

#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "api/core/error.h"
#include "api/library/primitives/implementation_list.h"
#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {

// Without the backend that the list falls back to.
inline std::unique_ptr<const RnnPlan> CreateOptimized(const RnnProblem& problem, std::string* why_not) {
  return ChooseRnn(problem, {0, 0}, why_not).plan;
}

// TANDEM_TARGET, while it lives.
class ForcedTarget {
 public:
  explicit ForcedTarget(const std::string& name) {
    if (const char* before = std::getenv("TANDEM_TARGET")) before_ = before;
    setenv("TANDEM_TARGET", name.c_str(), 1);
  }
  // An empty name forces nothing.
  ~ForcedTarget() { setenv("TANDEM_TARGET", before_.c_str(), 1); }

 private:
  std::string before_;
};

// The library lists them when it is asked for one that does not exist.
inline std::vector<std::string> TargetsOfThisMachine() {
  const ForcedTarget none("?");
  std::vector<std::string> targets;
  try {
    CreateOptimized(ToRnnProblem(ParseProblem("sic16")), nullptr);
  } catch (const Error& error) {
    const std::string message = error.what();
    std::istringstream names(message.substr(message.rfind(": ") + 1));
    for (std::string name; names >> name;) targets.push_back(name.substr(0, name.find(',')));
  }
  return targets;
}

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_TESTS_OPTIMIZED_TARGETS_H_
