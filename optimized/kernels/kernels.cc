#include "optimized/kernels/kernels.h"

namespace tandem {
namespace optimized {

#define TANDEM_KERNELS_ENTRY(name, weights, data, factors) Kernels Kernels##name(const Target& target);
#include "optimized/kernels/kernels.inc"
#undef TANDEM_KERNELS_ENTRY

const std::vector<KernelsEntry>& KernelsRegistry() {
  static const std::vector<KernelsEntry> registry = {
#define TANDEM_KERNELS_ENTRY(name, weights, data, factors) \
  {#name, DataType::weights, DataType::data, Factors::factors, &Kernels##name},
#include "optimized/kernels/kernels.inc"
#undef TANDEM_KERNELS_ENTRY
  };
  return registry;
}

namespace {

bool IsExactIn(DataType type, DataType data) {
  return type == data || type == DataType::kUndef || (type == DataType::kF32 && IsFloating(data));
}

}  // namespace

Kernels KernelsFor(DataType weights, DataType data, const Target& target, Factors factors) {
  for (const KernelsEntry& entry : KernelsRegistry()) {
    if (entry.factors == Factors::kNarrowed && factors == Factors::kExact) continue;
    if (entry.weights != weights || !IsExactIn(entry.data, data)) continue;
    const Kernels kernels = entry.kernels(target);
    if (kernels.run != nullptr) return kernels;
  }
  return {};
}

}  // namespace optimized
}  // namespace tandem
