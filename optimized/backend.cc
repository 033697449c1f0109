#include "optimized/backend.h"

#include "api/core/environment.h"
#include "api/core/error.h"
#include "optimized/backward/backward.h"
#include "optimized/forward/forward.h"
#include "optimized/kernels/kernels.h"
#include "optimized/machine/target.h"
#include "optimized/threads/threading.h"

namespace tandem {
namespace optimized {

std::unique_ptr<const RnnPlan> CreateRnn(const RnnProblem& problem, std::string* why_not) {
  return CreateRnnForTeam(problem, TeamOptionsFromEnvironment(), why_not);
}

std::unique_ptr<const RnnPlan> CreateRnnForTeam(const RnnProblem& problem, const TeamOptions& team,
                                                std::string* why_not) {
  if (TargetsAreAsked()) ThrowInvalid("TANDEM_TARGET: help: " + CodeOfTargets());
  if (problem.IsBackward()) return CreateBackward(problem, team, why_not);
  return CreateForward(problem, team, why_not);
}

std::unique_ptr<Stepper> CreateStepper(const RnnProblem& problem, const StepWeights& weights) {
  return CreateForwardStream(problem, weights);
}

std::string SettingsInForce() {
  std::string settings = std::to_string(MaxThreads());
  for (const Variable variable :
       {Variable::kTandemTarget, Variable::kTandemDivision, Variable::kTandemTuning, Variable::kOmpWaitPolicy}) {
    const char* value = ValueOf(variable);
    (settings += '\0') += value == nullptr ? "" : value;
  }
  return settings;
}

}  // namespace optimized
}  // namespace tandem
