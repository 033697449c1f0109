// Kernels for s8 weights.
#define TANDEM_KERNELS S8
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/kernels_s8.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After foreach_target.h:
#include "optimized/kernels/kernels-inl.h"
