// These functions run the optimized backend on each Highway target of the machine.
#ifndef TANDEM_CONFORMANCE_TESTS_OPTIMIZED_TARGETS_H_
#define TANDEM_CONFORMANCE_TESTS_OPTIMIZED_TARGETS_H_

#include <memory>
#include <string>
#include <vector>

#include "api/core/error.h"
#include "api/core/targets_testing.h"
#include "api/library/primitives/implementation_list.h"
#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {

// Creates a plan without the backend that the list falls back to.
inline std::unique_ptr<const RnnPlan> CreateOptimized(const RnnProblem& problem, std::string* why_not) {
  return ChooseRnn(problem, {0, 0}, why_not).plan;
}

inline std::vector<std::string> TargetsOfThisMachine() {
  const ForcedTarget none("?");
  try {
    CreateOptimized(ToRnnProblem(ParseProblem("sic16")), nullptr);
  } catch (const Error& error) {
    return TargetsNamedIn(error.what());
  }
  return {};
}

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_TESTS_OPTIMIZED_TARGETS_H_
