// The recurrence: a step multiplies U h, runs the gate math, and projects. Few of the kernels' arguments change from step to step.
#ifndef TANDEM_OPTIMIZED_FORWARD_FORWARD_STEPS_H_
#define TANDEM_OPTIMIZED_FORWARD_FORWARD_STEPS_H_

#include "optimized/forward/chunk.h"

namespace tandem {
namespace optimized {

// The arguments of a chunk's steps, without W x.
void BeginSteps(const RunMemory& run, const TeamThread& thread, const Chunk& chunk, StepArgs* args);
// Returns the rows of the new h.
StateRows ComputeStep(const RunMemory& run, const TeamThread& thread, const Chunk& chunk, Dim step,
                      const StepRows& place, StepArgs* args);

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_FORWARD_FORWARD_STEPS_H_
