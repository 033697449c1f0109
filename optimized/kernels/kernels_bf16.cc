// Kernels for bf16 weights.
#include "optimized/kernels/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/kernels_bf16.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After foreach_target.h:
#include "hwy/highway.h"
#include "optimized/kernels/target.h"
#include "optimized/kernels/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tandem {
namespace optimized {
namespace HWY_NAMESPACE {

Kernels MakeKernelsBf16() {
  return {Bf16PromoteStorage::kOperand, Bf16PromoteStorage::kGroup, &RunTiles<Bf16PromoteStorage>};
}

}  // namespace HWY_NAMESPACE
}  // namespace optimized
}  // namespace tandem
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tandem {
namespace optimized {

HWY_EXPORT(MakeKernelsBf16);
Kernels KernelsBf16(int64_t target) { return TANDEM_DISPATCH(MakeKernelsBf16, target)(); }

}  // namespace optimized
}  // namespace tandem
#endif  // HWY_ONCE
