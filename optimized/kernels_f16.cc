// Kernels for f16 weights.
#include "optimized/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels_f16.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After foreach_target.h:
#include "hwy/highway.h"
#include "optimized/target.h"
#include "optimized/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tandem {
namespace optimized {
namespace HWY_NAMESPACE {

Kernels MakeKernelsF16() { return {F16Storage::kOperand, F16Storage::kGroup, &RunTiles<F16Storage>}; }

}  // namespace HWY_NAMESPACE
}  // namespace optimized
}  // namespace tandem
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tandem {
namespace optimized {

HWY_EXPORT(MakeKernelsF16);
Kernels KernelsF16(int64_t target) { return TANDEM_DISPATCH(MakeKernelsF16, target)(); }

}  // namespace optimized
}  // namespace tandem
#endif  // HWY_ONCE
