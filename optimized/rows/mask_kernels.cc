#define TANDEM_TARGETS (HWY_SSE2 | HWY_AVX2 | HWY_AVX3)
#include "optimized/machine/compiled_targets.h"
// After the targets:
#include <cstring>

#include "optimized/rows/mask_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/rows/mask_kernels.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After foreach_target.h:
#include "hwy/highway.h"
#include "optimized/kernels/state-inl.h"
#include "optimized/machine/dispatch.h"
#include "optimized/rows/row_contracts.h"

HWY_BEFORE_NAMESPACE();
namespace tandem {
namespace optimized {
namespace HWY_NAMESPACE {

// `n` > 0 lanes of f32 that may begin at any byte; zeros beyond.
HWY_INLINE F32Vec LoadLanes(const float* from, Dim n) {
  const F32Tag d;
  return n >= kLanes ? hn::LoadU(d, from) : hn::LoadN(d, from, static_cast<size_t>(n));
}
HWY_INLINE F32Vec LoadLanesOrZero(const float* from, Dim at, Dim n) {
  return from == nullptr ? hn::Zero(F32Tag()) : LoadLanes(from + at, n);
}
HWY_INLINE void StoreLanes(F32Vec v, float* to, Dim n) {
  const F32Tag d;
  if (n >= kLanes) {
    hn::StoreU(v, d, to);
  } else {
    hn::StoreN(v, d, to, static_cast<size_t>(n));
  }
}

template <class Operand>
void MaskRowOf(const MaskRowArgs& args) {
  const Quantizer unused{StateQuantization()};
  const auto* from = static_cast<const Operand*>(args.from);
  auto* to = static_cast<Operand*>(args.to);
  for (Dim i = 0; i < args.n; i += kLanes) {
    const Dim left = args.n - i;
    const F32Vec product = hn::Mul(LoadLanes(args.mask + i, left), LoadState(unused, from + i, left));
    StoreState(unused, RoundTo(args.rounding, product), to + i, left);
  }
  std::memset(static_cast<void*>(to + args.n), 0, static_cast<size_t>(args.padded - args.n) * sizeof(Operand));
}

void MaskRow(const MaskRowArgs& args) {
  Check(args);
  args.type == DataType::kBf16 ? MaskRowOf<hwy::bfloat16_t>(args) : MaskRowOf<float>(args);
}

template <class Operand>
void MixRowOf(const MixRowArgs& args) {
  const Quantizer unused{StateQuantization()};
  const auto* before = static_cast<const Operand*>(args.before);
  auto* state = static_cast<Operand*>(args.state);
  for (Dim i = 0; i < args.n; i += kLanes) {
    const Dim left = args.n - i;
    const F32Vec z = LoadLanes(args.zoneout + i, left);
    const F32Vec mixed = Mixed(z, LoadState(unused, before + i, left), LoadState(unused, state + i, left));
    StoreState(unused, RoundTo(args.rounding, mixed), state + i, left);
  }
}

void MixRow(const MixRowArgs& args) {
  Check(args);
  args.type == DataType::kBf16 ? MixRowOf<hwy::bfloat16_t>(args) : MixRowOf<float>(args);
}

void SplitRow(const SplitRowArgs& args) {
  Check(args);
  for (Dim i = 0; i < args.n; i += kLanes) {
    const Dim left = args.n - i;
    const F32Vec z = LoadLanes(args.zoneout + i, left);
    const F32Vec diff = hn::Add(LoadLanesOrZero(args.above, i, left), LoadLanes(args.next + i, left));
    StoreLanes(hn::Mul(hn::Sub(hn::Set(F32Tag(), 1.f), z), diff), args.of_cell + i, left);
    StoreLanes(hn::Mul(z, diff), args.past + i, left);
  }
}

void JoinRow(const JoinRowArgs& args) {
  Check(args);
  const F32Vec one = hn::Set(F32Tag(), 1.f);
  for (Dim i = 0; i < args.n; i += kLanes) {
    const Dim left = args.n - i;
    const F32Vec others = hn::Add(LoadLanesOrZero(args.direct, i, left), LoadLanesOrZero(args.past, i, left));
    const F32Vec mask = args.mask == nullptr ? one : LoadLanes(args.mask + i, left);
    StoreLanes(hn::MulAdd(mask, LoadLanes(args.diff + i, left), others), args.diff + i, left);
  }
}

MaskKernels MakeMaskKernels() { return {&MaskRow, &MixRow, &SplitRow, &JoinRow}; }

}  // namespace HWY_NAMESPACE
}  // namespace optimized
}  // namespace tandem
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tandem {
namespace optimized {

HWY_EXPORT(MakeMaskKernels);
MaskKernels MaskKernelsFor(const Target& target) { return TANDEM_DISPATCH(MakeMaskKernels, target)(); }

}  // namespace optimized
}  // namespace tandem
#endif  // HWY_ONCE
