// Which Highway target runs: the best this machine supports, or the one that TANDEM_TARGET names.
#ifndef TANDEM_OPTIMIZED_KERNELS_TARGET_H_
#define TANDEM_OPTIMIZED_KERNELS_TARGET_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "hwy/highway.h"

namespace tandem {
namespace optimized {

// A target is one of Highway's, or AVX2 with what it leaves out: AVX-VNNI, which Intel's processors without AVX-512 have since
// 2021.
constexpr int64_t kAvxVnni = int64_t{1} << 62;
inline int64_t HighwayTarget(int64_t target) { return target & ~kAvxVnni; }
// "AVX2", "AVX2_VNNI"
const char* TargetName(int64_t target);
// What was compiled and can run here, best first.
const std::vector<int64_t>& TargetsOfThisMachine();

// Reads TANDEM_TARGET each time it is called, so that it decides per primitive descriptor. Throws invalid_arguments,
// listing the valid names, for a name that is unknown or that this machine or this build cannot run.
int64_t TargetInForce();
// "hwy:avx3_zen4"
std::string ImplementationName(int64_t target);

// Whether this processor is AMD's Zen 5 or later.
bool IsZen5OrLater();
// How many vectors a core of this machine multiplies and adds in a cycle with the FMA instructions of `target`.
inline int VectorsPerCycle(int64_t target) { return target != HWY_AVX3_ZEN4 || IsZen5OrLater() ? 2 : 1; }

// The L2 cache of one core of this machine; 512 KB where the system does not say.
size_t L2CacheBytes();

// Index of `target` in a dispatch table of the including translation unit. A table of one entry belongs to a build for
// a single target.
inline size_t DispatchIndex(int64_t target, size_t table_size) {
  if (table_size == 1) return 0;
  hwy::ChosenTarget chosen;
  chosen.Update(HighwayTarget(target));
  return chosen.GetIndex();
}

}  // namespace optimized
}  // namespace tandem

// The function that HWY_EXPORT(name) exported, for `target`. Highway's own HWY_DYNAMIC_DISPATCH asks a process-wide
// variable instead.
#define TANDEM_DISPATCH(name, target)                           \
  (HWY_DISPATCH_TABLE(name)[::tandem::optimized::DispatchIndex( \
      target, sizeof(HWY_DISPATCH_TABLE(name)) / sizeof(HWY_DISPATCH_TABLE(name)[0]))])

#endif  // TANDEM_OPTIMIZED_KERNELS_TARGET_H_
