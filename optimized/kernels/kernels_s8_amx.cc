// Kernels for s8 weights on processors with AMX, and their emulation.
#define TANDEM_KERNELS S8Amx
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/kernels_s8_amx.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After foreach_target.h:
#include "optimized/kernels/storage_tiles-inl.h"
// After the storage:
#include "optimized/kernels/kernels-inl.h"
