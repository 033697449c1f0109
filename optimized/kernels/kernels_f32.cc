// Kernels for f32 weights.
#define TANDEM_KERNELS F32
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/kernels_f32.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After foreach_target.h:
#include "optimized/kernels/kernels-inl.h"
