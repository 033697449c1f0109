// Kernels for s8 weights.
#include "optimized/kernels/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/kernels_s8.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After foreach_target.h:
#include "hwy/highway.h"
#include "optimized/kernels/target.h"
#include "optimized/kernels/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tandem {
namespace optimized {
namespace HWY_NAMESPACE {

Kernels MakeKernelsS8() { return {S8Storage::kOperand, S8Storage::kGroup, &RunTiles<S8Storage>}; }

}  // namespace HWY_NAMESPACE
}  // namespace optimized
}  // namespace tandem
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tandem {
namespace optimized {

HWY_EXPORT(MakeKernelsS8);
Kernels KernelsS8(int64_t target) { return TANDEM_DISPATCH(MakeKernelsS8, target)(); }

}  // namespace optimized
}  // namespace tandem
#endif  // HWY_ONCE
