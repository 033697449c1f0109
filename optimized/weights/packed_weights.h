// One weights tensor of a plan: how it lies packed, and how it gets there if it arrives plain.
#ifndef TANDEM_OPTIMIZED_WEIGHTS_PACKED_WEIGHTS_H_
#define TANDEM_OPTIMIZED_WEIGHTS_PACKED_WEIGHTS_H_

#include <memory>

#include "api/core/rnn/rnn_problem.h"
#include "optimized/weights/layout.h"
#include "optimized/weights/regions.h"
#include "optimized/weights/weights_packer.h"

namespace tandem {
namespace optimized {

struct PackedWeights {
  PackedLayout layout;
  std::unique_ptr<const WeightsPacker> packer;  // null if they arrive packed

  Region<char> region;  // of the scratchpad, for weights that arrive plain

  // Adds the region if it is needed.
  void PlanScratch(Regions* regions) {
    region = regions->AddIf<char>(packer != nullptr, static_cast<Dim>(layout.bytes));
  }
  // Packs a thread's share of weights that arrive plain.
  void PackShare(int thread, int team, const void* plain, char* scratchpad) const;
  // The packed slice (l, d); null without weights. It is of what the user gave, or of what PackShare() wrote.
  const char* Slice(const void* given, char* scratchpad, Dim l, Dim d) const {
    const char* base = Base(given, scratchpad);
    return base == nullptr ? nullptr : base + SliceOffset(layout, l, d);
  }
  // Its column sums (s8 only).
  const int32_t* ColumnSums(const void* given, char* scratchpad, Dim l, Dim d) const {
    return reinterpret_cast<const int32_t*>(Base(given, scratchpad) + ColumnSumsOffset(layout, l, d));
  }

 private:
  const char* Base(const void* given, char* scratchpad) const {
    return packer ? region.In(scratchpad) : static_cast<const char*>(given);
  }
};

// Chooses the layout for the tensor of `md`, which becomes the packed descriptor if it is `any`.
PackedWeights ChooseWeights(PackedKind kind, DataType storage, GatePasses passes, MemoryDesc* md);
// Returns the weights of a cell without weights_iter: they have the columns of weights_layer, and nothing to multiply with.
PackedWeights NoWeightsIter(PackedKind kind, DataType storage, const RnnProblem& problem);
// Makes each layout that is still `any` row-major.
void MakeAnyDense(RnnProblem* problem);

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_WEIGHTS_PACKED_WEIGHTS_H_
