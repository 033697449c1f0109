// Compiles a file of kernels only for those Highway targets whose code differs: TANDEM_TARGETS, which the file defines
// before it includes this. This comes before every header of Highway.
//
// A target that is left out runs the code of the nearest compiled target that it extends (dispatch.h). For example, f32
// kernels have no instruction that AVX3_SPR has and AVX3 lacks: one code serves AVX3, AVX3_DL, AVX3_ZEN4 and AVX3_SPR.
// HWY_SSE2 is always in the set, because each x86-64 processor must find some code.
//
// A build that names HWY_DISABLED_TARGETS itself, as some configurations of .bazelrc do, has those targets in each file.
#ifndef TANDEM_OPTIMIZED_MACHINE_COMPILED_TARGETS_H_
#define TANDEM_OPTIMIZED_MACHINE_COMPILED_TARGETS_H_

#ifdef HWY_TARGETS
#error "Highway has chosen its targets already"
#endif
#ifndef TANDEM_TARGETS
#error "Define TANDEM_TARGETS first"
#endif

// The bits of other processors stay as they are: those have one target each.
#define TANDEM_X86_TARGETS ((HWY_SSE2 << 1) - 1)
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (TANDEM_X86_TARGETS & ~(TANDEM_TARGETS))
#endif

#endif  // TANDEM_OPTIMIZED_MACHINE_COMPILED_TARGETS_H_
