// This file brings weights and peephole into the kernels' layout and type, before the first step of a layer.
#include <algorithm>

#include "optimized/backward/backward_run.h"
#include "optimized/weights/element.h"

namespace tandem {
namespace optimized {

void BackwardRun::PackWeights(const TeamThread& thread) {
  for (const Tensor tensor : {kWeightsLayer, kWeightsIter, kWeightsProjection}) {
    WeightsOf(tensor).PackShare(thread.index, thread.team, buffers_.tensor[tensor], scratch_);
  }
}

void BackwardRun::PreparePeephole(Dim l, Dim d) {
  const MemoryDesc& md = problem_.md[kWeightsPeephole];
  float* to = Scratch(at_.peephole);
  const Dim peepholes = NumPeepholes(problem_.cell);
  std::fill_n(to, peepholes * plan_.unit_row_, 0.f);
  for (Dim gate = 0; gate < peepholes; ++gate) {
    for (Dim unit = 0; unit < problem_.dhc; ++unit) {
      const Dim index[] = {l, d, gate, unit};
      to[gate * plan_.unit_row_ + unit] = LoadFloat(buffers_.tensor[kWeightsPeephole], TypeOf(md), OffsetAt(md, index));
    }
  }
}

}  // namespace optimized
}  // namespace tandem
