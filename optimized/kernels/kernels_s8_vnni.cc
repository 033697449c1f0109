// Kernels for s8 weights on AVX2's processors with AVX-VNNI.
#define TANDEM_KERNELS S8Vnni
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/kernels_s8_vnni.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After foreach_target.h:
#include "optimized/kernels/kernels-inl.h"
