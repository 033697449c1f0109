// One run of an implementation against the oracle's intervals.
#ifndef TANDEM_CONFORMANCE_JUDGE_VERDICT_CHECK_BOUNDS_H_
#define TANDEM_CONFORMANCE_JUDGE_VERDICT_CHECK_BOUNDS_H_

#include "conformance/judge/verdict/verdict.h"
#include "conformance/oracle/declaration.h"
#include "conformance/problem/tensor_set.h"

namespace tandem::conformance {

// A run. `outputs` are the implementation's for `inputs`; of a backward problem the inputs hold the dst_* that its own forward
// has written.
struct Execution {
  const RnnProblem& problem;
  const TensorSet& inputs;
  const TensorSet& outputs;
};

// All outputs against the oracle, which starts from the states that the outputs show. The rows are named after `kind`.
ProblemReport CheckBounds(const Execution& run, const Declaration& declared, CheckKind kind);
// kTeacherForced or, where states are hidden, kFreeRunning.
ProblemReport CheckBounds(const Execution& run, const Declaration& declared);

// True if every recurrent state of the problem is visible in dst_layer, or the sequence has one step.
bool StatesAreVisible(const RnnProblem& problem);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_JUDGE_VERDICT_CHECK_BOUNDS_H_
