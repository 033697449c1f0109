// Kernels for bf16 weights, widened.
#define TANDEM_KERNELS Bf16
#define TANDEM_TARGETS (HWY_SSE2 | HWY_AVX2 | HWY_AVX3)
#include "optimized/machine/compiled_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/kernels_bf16.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After foreach_target.h:
#include "optimized/kernels/kernels-inl.h"
