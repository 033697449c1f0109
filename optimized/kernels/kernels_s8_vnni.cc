// Kernels for s8 weights on AVX2's processors with AVX-VNNI.
#define TANDEM_KERNELS S8Vnni
#define TANDEM_TARGETS (HWY_SSE2 | HWY_AVX2)
#include "optimized/machine/compiled_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/kernels_s8_vnni.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After foreach_target.h:
#include "optimized/kernels/kernels-inl.h"
