// The body of each kernels_*.cc, once for each target: KernelsNAME(target) for the NAME that TANDEM_KERNELS stands for.
#include <type_traits>

#include "hwy/highway.h"
#include "optimized/kernels/kernels.h"
#include "optimized/kernels/target.h"
#include "optimized/kernels/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tandem {
namespace optimized {
namespace HWY_NAMESPACE {

template <class S>
Kernels KernelsOf() {
  if constexpr (std::is_void<S>::value) {
    return {};
  } else {
    return {S::kOperand, S::kGroup, S::kWidening, &RunTiles<S>};
  }
}

static Kernels MakeKernels() { return KernelsOf<HWY_CONCAT(TANDEM_KERNELS, Storage)>(); }

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace optimized
}  // namespace tandem
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tandem {
namespace optimized {

HWY_EXPORT(MakeKernels);
Kernels HWY_CONCAT(Kernels, TANDEM_KERNELS)(int64_t target) { return TANDEM_DISPATCH(MakeKernels, target)(); }

}  // namespace optimized
}  // namespace tandem
#endif  // HWY_ONCE
