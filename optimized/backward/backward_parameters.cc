// What an execution does before a layer's first step: weights, peephole and attention into the kernels' layout and type.
#include <algorithm>

#include "optimized/backward/backward_run.h"
#include "optimized/weights/element.h"

namespace tandem {
namespace optimized {

void BackwardRun::PackWeights(const Worker& worker) {
  for (const Tensor tensor : {kWeightsLayer, kWeightsIter, kWeightsProjection}) {
    WeightsOf(tensor).PackShare(worker.thread, worker.team, buffers_.tensor[tensor], scratch_);
  }
}

void BackwardRun::LoadAttention(const Worker& worker) {
  const MemoryDesc& md = problem_.md[kAugruAttention];
  for (Dim t = 0; t < problem_.n_iter; ++t) {
    for (Dim n = worker.rows.begin; n < worker.rows.end; ++n) {
      const Dim index[] = {t, n, 0};
      *Scratch(at_.attention, t * problem_.mb + n) =
          LoadFloat(buffers_.tensor[kAugruAttention], TypeOf(md), OffsetAt(md, index));
    }
  }
}

void BackwardRun::LoadPeephole(Dim l, Dim d) {
  const MemoryDesc& md = problem_.md[kWeightsPeephole];
  float* to = Scratch(at_.peephole);
  std::fill_n(to, 3 * plan_.unit_row_, 0.f);
  for (Dim gate = 0; gate < 3; ++gate) {
    for (Dim unit = 0; unit < problem_.dhc; ++unit) {
      const Dim index[] = {l, d, gate, unit};
      to[gate * plan_.unit_row_ + unit] = LoadFloat(buffers_.tensor[kWeightsPeephole], TypeOf(md), OffsetAt(md, index));
    }
  }
}

}  // namespace optimized
}  // namespace tandem
