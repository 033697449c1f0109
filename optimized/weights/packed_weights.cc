#include "optimized/weights/packed_weights.h"

namespace tandem {
namespace optimized {

void PackedWeights::PackShare(int thread, int team, const void* plain, char* scratchpad) const {
  for (Dim panel = thread; packer && panel < packer->panels(); panel += team)
    packer->PackPanel(panel, plain, region.In(scratchpad));
}

PackedWeights ChooseWeights(PackedKind kind, DataType storage, GatePasses passes, MemoryDesc* md) {
  PackedWeights weights;
  weights.layout = MakePackedLayout(*md, kind, storage, passes);
  if (IsAny(*md)) *md = MakePackedDesc(*md, weights.layout);
  if (!IsOpaque(*md)) weights.packer.reset(new WeightsPacker(*md, weights.layout, TypeOf(*md)));
  return weights;
}

PackedWeights NoWeightsIter(PackedKind kind, DataType storage, const RnnProblem& problem) {
  MemoryDesc md = problem.md[kWeightsLayer];
  md.dims[2] = kind == PackedKind::kForward ? 0 : problem.sic;
  PackedWeights weights;
  weights.layout = MakePackedLayout(md, kind, storage, TraitsOf(problem.cell).passes);
  return weights;
}

void MakeAnyDense(RnnProblem* problem) {
  for (MemoryDesc& md : problem->md) {
    if (!IsZero(md) && IsAny(md)) md = MakeDense(Dims(md.dims, md.dims + md.ndims), TypeOf(md));
  }
}

}  // namespace optimized
}  // namespace tandem
