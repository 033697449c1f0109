#include "optimized/kernels/kernels.h"

#include <set>

namespace tandem {
namespace optimized {

#define TANDEM_KERNELS_ENTRY(name, weights, data, factors, order) Kernels Kernels##name(const Target& target);
#include "optimized/kernels/kernels.inc"
#undef TANDEM_KERNELS_ENTRY

const std::vector<KernelsEntry>& KernelsRegistry() {
  static const std::vector<KernelsEntry> registry = {
#define TANDEM_KERNELS_ENTRY(name, weights, data, factors, order) \
  {#name, DataType::weights, DataType::data, Factors::factors, SumOrder::order, &Kernels##name},
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

Kernels KernelsFor(DataType weights, DataType data, const Target& target, KernelsPermitted permitted) {
  for (const KernelsEntry& entry : KernelsRegistry()) {
    if (entry.factors == Factors::kNarrowed && permitted.factors == Factors::kExact) continue;
    if (entry.order == SumOrder::kOwn && permitted.order == SumOrder::kCommon) continue;
    if (entry.weights != weights || !IsExactIn(entry.data, data)) continue;
    const Kernels kernels = entry.kernels(target);
    if (kernels.run != nullptr) return kernels;
  }
  return {};
}

DataType StorageFor(DataType weights, const Target& target) {
  const bool widened = weights == DataType::kF16 && KernelsFor(weights, DataType::kF32, target).run == nullptr;
  return widened ? DataType::kF32 : weights;
}

std::string CodeOfTargets() {
  std::set<DataType> types;
  for (const KernelsEntry& entry : KernelsRegistry()) types.insert(entry.weights);
  std::string text;
  for (const Target& target : TargetsOfThisMachine()) {
    ((text += text.empty() ? "" : "; ") += TargetName(target)) += " runs ";
    for (const DataType weights : types) {
      if (weights != *types.begin()) text += ", ";
      const DataType data = IsFloating(weights) ? weights : DataType::kU8;
      ((text += KernelsFor(StorageFor(weights, target), data, target).code) += " for ") += ToString(weights);
    }
  }
  return text;
}

}  // namespace optimized
}  // namespace tandem
