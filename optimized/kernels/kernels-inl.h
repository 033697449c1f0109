// The body of each kernels_*.cc, once for each target: KernelsNAME(target) for the NAME that TANDEM_KERNELS stands for.
#include <type_traits>

#include "hwy/highway.h"
#include "optimized/kernels/kernels.h"
#include "optimized/kernels/loop_nest-inl.h"
#include "optimized/kernels/row-inl.h"
#include "optimized/kernels/storage_float-inl.h"
#include "optimized/kernels/storage_s8-inl.h"
#include "optimized/machine/dispatch.h"

HWY_BEFORE_NAMESPACE();
namespace tandem {
namespace optimized {
namespace HWY_NAMESPACE {

// A VNNI or bf16 product does as many in each lane as a group has. SSE has no fused instruction for f32.
template <class S>
double MacsPerCycle() {
  if constexpr (S::kMacsPerCycle > 0) return S::kMacsPerCycle;
  const Tuning tuning = TuningOf(HWY_TARGET, ThisProcessor());
  if (kPairedSums<S>) return tuning.widened_bytes_per_cycle * kLanes;
  const Dim lanes = HWY_NATIVE_FMA ? tuning.vectors_per_cycle * kLanes : kLanes;
  return static_cast<double>(std::is_same<typename S::Factor, float>::value ? lanes : lanes * S::kGroup);
}

template <class S>
void Begin() {
  if (ContractsAreChecked()) CountBegun(1);
  S::Begin();
}

template <class S>
void End() {
  S::End();
  if (ContractsAreChecked()) CountBegun(-1);
}

template <class S>
Kernels KernelsOf([[maybe_unused]] const Target& target) {
  if constexpr (std::is_void<S>::value) {
    return {};
  } else {
    if (!S::RunsOn(target)) return {};
    Kernels kernels;
    kernels.code = hwy::TargetName(HWY_TARGET);
    kernels.operand = S::kOperand;
    kernels.padding = S::kPadding;
    kernels.macs_per_cycle = MacsPerCycle<S>();
    kernels.begin = &Begin<S>;
    kernels.run = &RunTiles<S>;
    kernels.end = &End<S>;
    kernels.row_function = &RowFunctionOf<S>;
    kernels.adds_input = S::kAddsInput;
    kernels.offset = S::kOffset;
    return kernels;
  }
}

static Kernels MakeKernels(const Target& target) { return KernelsOf<HWY_CONCAT(TANDEM_KERNELS, Storage)>(target); }

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace optimized
}  // namespace tandem
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tandem {
namespace optimized {

HWY_EXPORT(MakeKernels);
Kernels HWY_CONCAT(Kernels, TANDEM_KERNELS)(const Target& target) {
  return TANDEM_DISPATCH(MakeKernels, target)(target);
}

}  // namespace optimized
}  // namespace tandem
#endif  // HWY_ONCE
