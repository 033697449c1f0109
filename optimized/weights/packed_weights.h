// One weights tensor of a plan: how it lies packed, and how it gets there if it arrives plain.
#ifndef TANDEM_OPTIMIZED_WEIGHTS_PACKED_WEIGHTS_H_
#define TANDEM_OPTIMIZED_WEIGHTS_PACKED_WEIGHTS_H_

#include <memory>

#include "api/core/rnn/rnn_problem.h"
#include "optimized/weights/layout.h"
#include "optimized/weights/weights_packer.h"

namespace tandem {
namespace optimized {

struct PackedWeights {
  PackedLayout layout;
  std::unique_ptr<const WeightsPacker> packer;  // null if they arrive packed

  // Bytes of scratchpad for weights that arrive plain.
  Dim ScratchBytes() const { return packer ? static_cast<Dim>(layout.bytes) : 0; }
  // The packed tensor: what the user gave, or what PackShare() wrote to `scratch`.
  const char* Base(const void* given, const char* scratch) const {
    return packer ? scratch : static_cast<const char*>(given);
  }
  // Packs a thread's share if they arrive plain; true if so.
  bool PackShare(int thread, int team, const void* plain, char* scratch) const;
};

// Chooses the layout for the tensor of `md`, which becomes the packed descriptor if it is `any`.
PackedWeights ChooseWeights(PackedKind kind, DataType storage, GateSplit split, MemoryDesc* md);
// What is still `any` becomes row-major.
void MakeAnyDense(RnnProblem* problem);

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_WEIGHTS_PACKED_WEIGHTS_H_
