// Kernels for bf16 weights and f32 states, which are narrowed.
#define TANDEM_KERNELS Bf16Narrowing
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/kernels_bf16_narrowing.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After foreach_target.h:
#include "optimized/kernels/kernels-inl.h"
