#include "optimized/kernels/kernels.h"

namespace tandem {
namespace optimized {

#define TANDEM_KERNELS_ENTRY(name, weights, data) Kernels Kernels##name(const Target& target);
#include "optimized/kernels/kernels.inc"
#undef TANDEM_KERNELS_ENTRY

const std::vector<KernelsEntry>& KernelsRegistry() {
  static const std::vector<KernelsEntry> registry = {
#define TANDEM_KERNELS_ENTRY(name, weights, data) {#name, DataType::weights, DataType::data, &Kernels##name},
#include "optimized/kernels/kernels.inc"
#undef TANDEM_KERNELS_ENTRY
  };
  return registry;
}

Kernels KernelsFor(DataType weights, DataType data, const Target& target) {
  for (const KernelsEntry& entry : KernelsRegistry()) {
    if (entry.weights != weights || (entry.data != DataType::kUndef && entry.data != data)) continue;
    const Kernels kernels = entry.kernels(target);
    if (kernels.run != nullptr) return kernels;
  }
  return {};
}

}  // namespace optimized
}  // namespace tandem
