// The reference as a backend: the equations in double, every value rounded where a tensor stores it.
#ifndef TANDEM_REFERENCE_BACKEND_H_
#define TANDEM_REFERENCE_BACKEND_H_

#include <memory>
#include <string>

#include "api/core/rnn/implementation.h"
#include "api/core/rnn/stepper.h"

namespace tandem {
namespace reference {

// An RnnFactory. Takes every problem that Validate() accepts, with plain layouts or `any`.
std::unique_ptr<const RnnPlan> CreateRnn(const RnnProblem& problem, std::string* why_not);

// A StepperFactory: each step is an execution of one time step and one row.
std::unique_ptr<Stepper> CreateStepper(const RnnProblem& problem, const StepWeights& weights);

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_BACKEND_H_
