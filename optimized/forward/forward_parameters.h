// Brings weights, bias, peephole and the parameters of norms into the layout and type of the kernels.
#ifndef TANDEM_OPTIMIZED_FORWARD_FORWARD_PARAMETERS_H_
#define TANDEM_OPTIMIZED_FORWARD_FORWARD_PARAMETERS_H_

#include "optimized/forward/chunk.h"

namespace tandem {
namespace optimized {

// Each thread of a team calls this before its first step. It waits for the others where they prepare what this one reads.
void PrepareParameters(const RunMemory& run, const TeamThread& thread);

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_FORWARD_FORWARD_PARAMETERS_H_
