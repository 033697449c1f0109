// The backends, in the order in which a primitive descriptor asks them.
#ifndef TANDEM_API_LIBRARY_PRIMITIVES_IMPLEMENTATION_LIST_H_
#define TANDEM_API_LIBRARY_PRIMITIVES_IMPLEMENTATION_LIST_H_

#include <memory>
#include <string>

#include "api/core/rnn/implementation.h"
#include "api/core/rnn/stepper.h"

namespace tandem {

// A plan and who made it.
template <class Plan>
struct Chosen {
  std::unique_ptr<const Plan> plan;
  int index = -1;
};

// The backends that are asked: those with first <= index <= last. For RNN, the environment restricts them further:
// TANDEM_IMPL=reference|optimized.
struct Candidates {
  int first = 0;
  int last = 1 << 20;
};

// The first candidate that serves `problem`; no plan if there is none, and `*why_not` then has each
// one's reason. Throws invalid_arguments if TANDEM_IMPL names no backend.
Chosen<RnnPlan> ChooseRnn(const RnnProblem& problem, Candidates candidates, std::string* why_not);
Chosen<ReorderPlan> ChooseReorder(const ReorderProblem& problem, Candidates candidates, std::string* why_not);

// Returns the function that makes the steppers of the backend with this index.
StepperFactory StepperFactoryOf(int index);

// Returns all that both depend on besides the problem: the environment and the number of threads.
std::string SettingsInForce();

}  // namespace tandem

#endif  // TANDEM_API_LIBRARY_PRIMITIVES_IMPLEMENTATION_LIST_H_
