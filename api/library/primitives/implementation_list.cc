#include "api/library/primitives/implementation_list.h"

#include <string>

#include "api/core/environment.h"
#include "api/core/error.h"
#include "api/library/primitives/verbose_line.h"
#include "optimized/backend.h"
#include "reference/backend.h"
#include "reference/reorder/reorder.h"

namespace tandem {
namespace {

struct Implementation {
  const char* name;
  RnnFactory create_rnn;
  ReorderFactory create_reorder;
  StepperFactory create_stepper;
};

// The most preferred one is the first.
constexpr Implementation kImplementations[] = {
    {"optimized", optimized::CreateRnn, optimized::CreateReorder, optimized::CreateStepper},
    {"reference", reference::CreateRnn, reference::CreateReorder, reference::CreateStepper},
};
constexpr int kCount = sizeof kImplementations / sizeof kImplementations[0];

// Empty if TANDEM_IMPL is not set.
std::string ForcedName() {
  const std::string forced = Environment({Variable::kTandemImpl});
  if (forced.empty()) return forced;
  std::string valid;
  for (const Implementation& implementation : kImplementations) {
    if (forced == implementation.name) return forced;
    valid += std::string(valid.empty() ? "" : " or ") + implementation.name;
  }
  ThrowInvalid("TANDEM_IMPL: is \"" + forced + "\", but must be " + valid);
}

template <class Problem>
void AddReason(const Problem& problem, const char* name, const std::string& reason, std::string* why_not) {
  PrintDispatch(problem, name, reason);
  *why_not += (why_not->empty() ? "" : "; ") + std::string(name) + ": " + reason;
}

// `forced`: the one name that is asked, or empty.
template <class Plan, class Problem, class Factory>
Chosen<Plan> Choose(const Problem& problem, Candidates candidates, Factory Implementation::*factory,
                    const std::string& forced, std::string* why_not) {
  for (int i = candidates.first; i < kCount && i <= candidates.last; ++i) {
    const Implementation& implementation = kImplementations[i];
    std::string reason = "has no such primitive";
    if (!forced.empty() && forced != implementation.name) {
      AddReason(problem, implementation.name, "is excluded by TANDEM_IMPL=" + forced, why_not);
      continue;
    }
    if (implementation.*factory != nullptr) {
      auto plan = (implementation.*factory)(problem, &reason);
      if (plan != nullptr) return {std::move(plan), i};
    }
    AddReason(problem, implementation.name, reason, why_not);
  }
  return {};
}

}  // namespace

Chosen<RnnPlan> ChooseRnn(const RnnProblem& problem, Candidates candidates, std::string* why_not) {
  return Choose<RnnPlan>(problem, candidates, &Implementation::create_rnn, ForcedName(), why_not);
}

Chosen<ReorderPlan> ChooseReorder(const ReorderProblem& problem, Candidates candidates, std::string* why_not) {
  // Each backend serves the layouts that concern it, so forcing one would leave some conversions to nobody. The name is
  // checked all the same.
  ForcedName();
  return Choose<ReorderPlan>(problem, candidates, &Implementation::create_reorder, "", why_not);
}

StepperFactory StepperFactoryOf(int index) { return kImplementations[index].create_stepper; }

std::string SettingsInForce() { return Environment({Variable::kTandemImpl}) + '\0' + optimized::SettingsInForce(); }

}  // namespace tandem
