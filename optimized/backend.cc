#include "optimized/backend.h"

#include "optimized/forward.h"

namespace tandem {
namespace optimized {

std::unique_ptr<const RnnPlan> CreateRnn(const RnnProblem& problem, std::string* why_not) {
  if (problem.IsBackward()) {
    if (why_not != nullptr) *why_not = "backward propagation is not served";
    return nullptr;
  }
  return CreateForward(problem, why_not);
}

}  // namespace optimized
}  // namespace tandem
