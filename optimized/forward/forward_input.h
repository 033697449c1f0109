// x of a chunk, which is src_layer or h of the layer below, and its product W x: that is stored for all steps before the first
// one, or each step adds it to U h.
#ifndef TANDEM_OPTIMIZED_FORWARD_FORWARD_INPUT_H_
#define TANDEM_OPTIMIZED_FORWARD_FORWARD_INPUT_H_

#include "optimized/forward/chunk.h"

namespace tandem {
namespace optimized {

// Into how many parts the rows of a chunk are cut, so that W x of one part can be kept.
int NumRowParts(const RunMemory& run, Dim rows, Dim l);
// Brings W x into the arguments of steps, after BeginSteps(): PrepareInput(), and AddInput() if each step adds it.
void BeginInput(const RunMemory& run, const TeamThread& thread, const Chunk& chunk, StepArgs* args);

// Returns x as products read it.
InputRows PrepareInput(const RunMemory& run, const TeamThread& thread, const Chunk& chunk);
// W x becomes the first product of each sum.
void AddInput(const RunMemory& run, const Chunk& chunk, const InputRows& input, StepArgs* args);

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_FORWARD_FORWARD_INPUT_H_
