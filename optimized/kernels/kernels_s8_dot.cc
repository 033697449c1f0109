// Kernels for s8 weights on processors with SDOT.
#define TANDEM_KERNELS S8Dot
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/kernels_s8_dot.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After foreach_target.h:
#include "optimized/kernels/kernels-inl.h"
