#include "optimized/backend.h"

#include "optimized/backward/backward.h"
#include "optimized/forward/forward.h"

namespace tandem {
namespace optimized {

std::unique_ptr<const RnnPlan> CreateRnn(const RnnProblem& problem, std::string* why_not) {
  return CreateRnnForTeam(problem, TeamOptionsFromEnvironment(), why_not);
}

std::unique_ptr<const RnnPlan> CreateRnnForTeam(const RnnProblem& problem, const TeamOptions& team,
                                                std::string* why_not) {
  if (problem.IsBackward()) return CreateBackward(problem, team, why_not);
  return CreateForward(problem, team, why_not);
}

}  // namespace optimized
}  // namespace tandem
