// States handed on: what one execution leaves is what the next one starts from, in the same process, in two pairs of
// state buffers that take turns. The third execution is the first that reads an address for the second time.
#include "conformance/judge/relations/other_orders.h"

namespace tandem::conformance {

void CheckHandedOn(uint64_t number, RelationRun* run) {
  const int executions = 3 + static_cast<int>(number % 2);
  TensorSet tensors = run->in().inputs;
  if (!run->RunOnStatesLeft(executions, &tensors)) return;
  TensorSet started = run->in().inputs;
  for (const Tensor state : {kSrcIter, kSrcIterC}) started[state] = tensors[state];
  run->JudgeByBounds(started, tensors, executions == 3 ? "the third" : "the fourth");
}

}  // namespace tandem::conformance
