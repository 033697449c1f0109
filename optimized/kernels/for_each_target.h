// For tests of Highway kernels: makes dynamic dispatch choose each of this machine's targets in turn.
#ifndef TANDEM_OPTIMIZED_KERNELS_FOR_EACH_TARGET_H_
#define TANDEM_OPTIMIZED_KERNELS_FOR_EACH_TARGET_H_

#include <cstdint>
#include <vector>

#include "hwy/targets.h"

namespace tandem {
namespace optimized {

// While it lives, HWY_DYNAMIC_DISPATCH runs the code compiled for `target`.
class ForcedTarget {
 public:
  explicit ForcedTarget(int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
  ~ForcedTarget() {
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
  ForcedTarget(const ForcedTarget&) = delete;
  ForcedTarget& operator=(const ForcedTarget&) = delete;
};

// What was compiled and can run here, best first; empty only if the build or the detection is broken.
inline std::vector<int64_t> TargetsOfThisMachine() { return hwy::SupportedAndGeneratedTargets(); }

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_KERNELS_FOR_EACH_TARGET_H_
