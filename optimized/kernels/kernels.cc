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

std::string CodeOfTargets() {
  struct Types {
    const char* name;
    DataType weights, data;
  };
  constexpr Types kTypes[] = {{"f32", DataType::kF32, DataType::kF32},
                              {"bf16", DataType::kBf16, DataType::kBf16},
                              {"f16", DataType::kF16, DataType::kF16},
                              {"s8", DataType::kS8, DataType::kU8}};
  std::string text;
  for (const Target& target : TargetsOfThisMachine()) {
    ((text += text.empty() ? "" : "; ") += TargetName(target)) += " runs ";
    for (const Types& types : kTypes) {
      if (&types != kTypes) text += ", ";
      ((text += KernelsFor(types.weights, types.data, target).code) += " for ") += types.name;
    }
  }
  return text;
}

}  // namespace optimized
}  // namespace tandem
