// The body of each kernels_*.cc, once for each target: KernelsNAME(target) for the NAME that TANDEM_KERNELS stands for.
#include <type_traits>

#include "hwy/highway.h"
#include "optimized/kernels/kernels.h"
#include "optimized/kernels/loop_nest-inl.h"
#include "optimized/kernels/target.h"

HWY_BEFORE_NAMESPACE();
namespace tandem {
namespace optimized {
namespace HWY_NAMESPACE {

// A VNNI or bf16 product does as many in each lane as a group has; bytes without VNNI reach 22 on AVX2, 11 on SSE, which has
// no fused instruction for f32.
template <class S>
double MacsPerCycle() {
  const Dim vectors = HWY_NATIVE_FMA ? VectorsPerCycle(HWY_TARGET) : 1;
  if (!std::is_same<typename S::Operand, float>::value) {
    if (kPairedSums<S>) return 2.75 * kLanes;
    return static_cast<double>(vectors * kLanes * S::kGroup);
  }
  return static_cast<double>(vectors * kLanes);
}

// While a panel of W and of U stays in the L2 cache, adding W x in each step pays: 1.00 to 1.05 with 1536 to 2048 k on Zen 5,
// but 0.92 to 0.96 with 2048 on Sapphire Rapids, where 1536 were not measured.
template <class S>
Dim MostInputK() {
  if (!kAddsInput<S>) return 0;
  if (IsZen5OrLater()) return 2048;
  return HWY_TARGET == HWY_AVX3_ZEN4 ? 1536 : 1024;
}

template <class S>
Kernels KernelsOf(int64_t target) {
  if constexpr (std::is_void<S>::value) {
    return {};
  } else {
    Kernels kernels = {S::kOperand, S::kGroup, S::kWidening, MacsPerCycle<S>(), &RunTiles<S>};
    kernels.most_input_k = MostInputK<S>();
    if constexpr (S::kOperand == DataType::kU8) {
      if (!S::RunsOn(target)) return {};
      kernels.offset = S::kOffset;
    }
    return kernels;
  }
}

static Kernels MakeKernels(int64_t target) { return KernelsOf<HWY_CONCAT(TANDEM_KERNELS, Storage)>(target); }

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace optimized
}  // namespace tandem
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tandem {
namespace optimized {

HWY_EXPORT(MakeKernels);
Kernels HWY_CONCAT(Kernels, TANDEM_KERNELS)(int64_t target) { return TANDEM_DISPATCH(MakeKernels, target)(target); }

}  // namespace optimized
}  // namespace tandem
#endif  // HWY_ONCE
