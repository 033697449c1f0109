// Kernels for f16 weights.
#include "optimized/kernels/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/kernels_f16.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After foreach_target.h:
#include "hwy/highway.h"
#include "optimized/kernels/target.h"
#include "optimized/kernels/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tandem {
namespace optimized {
namespace HWY_NAMESPACE {

// Without F16C a vector takes two dozen instructions: O4 36 ms on SSE4, against 11.5 ms from f32 weights.
#if (HWY_ARCH_X86 && HWY_TARGET > HWY_AVX2) || HWY_TARGET == HWY_EMU128 || HWY_TARGET == HWY_SCALAR
constexpr Widening kWidening = Widening::kSoftware;
#else
constexpr Widening kWidening = Widening::kInstruction;
#endif

Kernels MakeKernelsF16() { return {F16Storage::kOperand, F16Storage::kGroup, &RunTiles<F16Storage>, kWidening}; }

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
