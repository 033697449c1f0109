// Kernels for s8 weights on processors with AMX, and their emulation.
#define TANDEM_KERNELS S8Amx
#define TANDEM_TARGETS (HWY_SSE2 | HWY_AVX3_ZEN4 | HWY_AVX3_SPR)
#include "optimized/machine/compiled_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/kernels_s8_amx.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After foreach_target.h:
#include "optimized/kernels/storage_tiles-inl.h"
// After the storage:
#include "optimized/kernels/kernels-inl.h"
