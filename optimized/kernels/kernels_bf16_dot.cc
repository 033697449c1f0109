// Kernels for bf16 weights and bf16 states, on the one target where that is the faster form.
#include "optimized/kernels/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/kernels_bf16_dot.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After foreach_target.h:
#include "hwy/highway.h"
#include "optimized/kernels/target.h"
#include "optimized/kernels/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tandem {
namespace optimized {
namespace HWY_NAMESPACE {

Kernels MakeKernelsBf16Dot() {
#if HWY_TARGET == HWY_AVX3_ZEN4
  return {Bf16DotStorage::kOperand, Bf16DotStorage::kGroup, &RunTiles<Bf16DotStorage>};
#else
  return {};
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace optimized
}  // namespace tandem
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tandem {
namespace optimized {

HWY_EXPORT(MakeKernelsBf16Dot);
Kernels KernelsBf16Dot(int64_t target) { return TANDEM_DISPATCH(MakeKernelsBf16Dot, target)(); }

}  // namespace optimized
}  // namespace tandem
#endif  // HWY_ONCE
