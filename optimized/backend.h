// The optimized backend's entry points, for the implementation list.
#ifndef TANDEM_OPTIMIZED_BACKEND_H_
#define TANDEM_OPTIMIZED_BACKEND_H_

#include <memory>
#include <string>

#include "api/core/rnn/implementation.h"
#include "api/core/rnn/stepper.h"
#include "optimized/weights/reorder.h"  // CreateReorder, IWYU pragma: export

namespace tandem {
namespace optimized {

// An RnnFactory: null with the reason in `why_not` for a problem that is not served. Throws invalid_arguments for a
// TANDEM_TARGET that names no target of this machine, for a TANDEM_DIVISION that is none (team_options.h), and for a
// TANDEM_TUNING that is none (machine/tuning_in_force.h); also for TANDEM_TARGET=help, with the code of all targets.
std::unique_ptr<const RnnPlan> CreateRnn(const RnnProblem& problem, std::string* why_not);
// The same for tests that decide about the threads (team_options.h).
struct TeamOptions;
std::unique_ptr<const RnnPlan> CreateRnnForTeam(const RnnProblem& problem, const TeamOptions& team,
                                                std::string* why_not);

// A StepperFactory. Its steps run on the caller's thread.
std::unique_ptr<Stepper> CreateStepper(const RnnProblem& problem, const StepWeights& weights);

// Equal as long as both create the same for the same problem: what they depend on besides it, as it was given.
std::string SettingsInForce();

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_BACKEND_H_
