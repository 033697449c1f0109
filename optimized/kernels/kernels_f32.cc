// Kernels for f32 weights.
#include "optimized/kernels/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/kernels_f32.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After foreach_target.h:
#include "hwy/highway.h"
#include "optimized/kernels/target.h"
#include "optimized/kernels/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tandem {
namespace optimized {
namespace HWY_NAMESPACE {

Kernels MakeKernelsF32() { return {F32Storage::kOperand, F32Storage::kGroup, &RunTiles<F32Storage>}; }

}  // namespace HWY_NAMESPACE
}  // namespace optimized
}  // namespace tandem
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tandem {
namespace optimized {

HWY_EXPORT(MakeKernelsF32);
Kernels KernelsF32(int64_t target) { return TANDEM_DISPATCH(MakeKernelsF32, target)(); }

}  // namespace optimized
}  // namespace tandem
#endif  // HWY_ONCE
