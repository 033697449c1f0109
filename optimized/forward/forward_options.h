// Some problems add masks, layer normalization or dynamic quantization to a step. Each of the three has a file of its own.
#ifndef TANDEM_OPTIMIZED_FORWARD_FORWARD_OPTIONS_H_
#define TANDEM_OPTIMIZED_FORWARD_FORWARD_OPTIONS_H_

#include "optimized/forward/chunk.h"

namespace tandem {
namespace optimized {

// In forward_masks.cc. Masks x of a row that is staged.
void MaskInput(const RunMemory& run, const Chunk& chunk, CellPlace place, Dim to_row);
// Returns the states before a step as U reads them, and so the reset gate of GRU, but not the blend of two states. The first row
// is the chunk's, as that of `previous`.
ConstStateRows BeginMasks(const RunMemory& run, const TeamThread& thread, const Chunk& chunk, Range rows,
                          const ConstStateRows& previous);
// Mixes the states after a step with those before it.
void MixStates(const RunMemory& run, const TeamThread& thread, const Chunk& chunk, const StepOutput& output,
               const ConstStateRows& previous);

// In forward_norms.cc. Computes `tile`, whose sums start from W x, row `hoisted` of `gx`, if that is not apart. `step` has no h.
void RunNormalized(const RunMemory& run, const Chunk& chunk, const StepOutput& step, Dim hoisted, const TileArgs& tile,
                   int part);

// In forward_dynamic.cc. W x has rows of its own in every cell.
void BeginDynamic(const RunMemory& run, const Chunk& chunk, StepArgs* args);
// Returns x of a chunk's cells, in the order of W x.
InputRows QuantizeInput(const RunMemory& run, const TeamThread& thread, const Chunk& chunk, const InputRows& input);
// Quantizes the rows that U multiplies: h, or r * h.
void QuantizeOperand(const RunMemory& run, const TeamThread& thread, const StepRows& place,
                     const ConstStateRows& previous, TileArgs* tile, CellArgs* cell);
// `n` rows, which `product` then reads. Returns their scales.
const QuantizedRow* QuantizeStates(const RunMemory& run, const TeamThread& thread, const ConstStateRows& rows, Dim n,
                                   Dim channels, ProductArgs* product);

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_FORWARD_FORWARD_OPTIONS_H_
