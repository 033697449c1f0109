// Carries h and c between the client's tensors and the kernels' rows: in before the first step, out after each one. It also leaves
// what rows have where they have no step (docs/sequence_lengths.md).
#ifndef TANDEM_OPTIMIZED_FORWARD_FORWARD_STATES_H_
#define TANDEM_OPTIMIZED_FORWARD_FORWARD_STATES_H_

#include "optimized/forward/chunk.h"

namespace tandem {
namespace optimized {

// Each thread loads its own units of c. All threads need all units of h: if h is copied, they wait for one another.
void LoadStates(const RunMemory& run, const TeamThread& thread, Dim d);
// h that rows start from at `step`, to `before`, where the step before would have left it.
void StartRows(const RunMemory& run, const TeamThread& thread, const Chunk& chunk, Dim step, const StateRows& before);

// After a step each thread stores the units that it computed: h of the last layer in dst_layer,
void StoreLayer(const RunMemory& run, const TeamThread& thread, const Chunk& chunk, const StepOutput& output);
// h and c in the workspace, zeros beyond their last channel,
void SaveStates(const RunMemory& run, const TeamThread& thread, const Chunk& chunk, const StepOutput& output);
// and the states that rows end with.
void StoreStates(const RunMemory& run, const TeamThread& thread, const Chunk& chunk, const StepOutput& output);

// After all steps: dst_layer beyond the rows' ends, and the states of rows without a step.
void FinishRows(const RunMemory& run, const TeamThread& thread);

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_FORWARD_FORWARD_STATES_H_
