// Calls what a translation unit compiled for each Highway target.
#ifndef TANDEM_OPTIMIZED_MACHINE_DISPATCH_H_
#define TANDEM_OPTIMIZED_MACHINE_DISPATCH_H_

#include <cstddef>

#include "hwy/highway.h"
#include "optimized/machine/target.h"

namespace tandem {
namespace optimized {

// Index in a dispatch table of the including translation unit: the best target that it compiled (compiled_targets.h) and
// that is not better than `target`. In Highway's masks a better target of the same processor has a lower bit. A table of
// one entry belongs to a build for a single target.
inline size_t DispatchIndex(const Target& target, size_t table_size) {
  if (table_size == 1) return 0;
  hwy::ChosenTarget chosen;
  chosen.Update(-target.highway);  // this bit and all higher ones
  return chosen.GetIndex();
}

}  // namespace optimized
}  // namespace tandem

// The function that HWY_EXPORT(name) exported, for `target`. Highway's own HWY_DYNAMIC_DISPATCH asks a process-wide
// variable instead.
#define TANDEM_DISPATCH(name, target)                           \
  (HWY_DISPATCH_TABLE(name)[::tandem::optimized::DispatchIndex( \
      target, sizeof(HWY_DISPATCH_TABLE(name)) / sizeof(HWY_DISPATCH_TABLE(name)[0]))])

#endif  // TANDEM_OPTIMIZED_MACHINE_DISPATCH_H_
