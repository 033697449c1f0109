#include "optimized/forward/column_scales.h"

#include <algorithm>

#include "api/core/attributes/quantization.h"

namespace tandem {
namespace optimized {
namespace {

// Lists the values of `weight_scale(gate, unit)`.
template <class WeightScale>
ColumnScales ScalesOf(const RnnProblem& problem, const PackedLayout& layout, const WeightScale& weight_scale) {
  const DataQparams q = DataQparamsOf(problem.attr);
  ColumnScales scales;
  scales.weight.resize(static_cast<size_t>(layout.columns));
  scales.product.resize(scales.weight.size());
  for (Dim gate = 0; gate < layout.gates; ++gate) {
    for (Dim block = 0; block < layout.blocks; ++block) {
      const Dim first = Column(layout, gate, block * kBlock);
      for (Dim i = 0; i < kBlock; ++i) {
        const auto column = static_cast<size_t>(first + i);
        scales.weight[column] = weight_scale(gate, std::min(block * kBlock + i, layout.units - 1));
        scales.product[column] = ProductScale(scales.weight[column], q);
      }
    }
  }
  return scales;
}

}  // namespace

ColumnScales GateScales(const RnnProblem& problem, const PackedLayout& layout) {
  return ScalesOf(problem, layout,
                  [&](Dim gate, Dim unit) { return WeightsScale(problem.attr, gate, unit, problem.dhc); });
}

ColumnScales ProjectionScales(const RnnProblem& problem, const PackedLayout& layout) {
  return ScalesOf(problem, layout, [&](Dim, Dim unit) { return ProjectionScale(problem.attr, unit); });
}

}  // namespace optimized
}  // namespace tandem
