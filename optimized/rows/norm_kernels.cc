#define TANDEM_TARGETS (HWY_SSE2 | HWY_AVX2 | HWY_AVX3)
#include "optimized/machine/compiled_targets.h"
// After the targets:
#include "optimized/rows/norm_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/rows/norm_kernels.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After foreach_target.h:
#include "api/core/gates.h"
#include "hwy/highway.h"
#include "optimized/kernels/cell-inl.h"
#include "optimized/machine/dispatch.h"
#include "optimized/rows/norm-inl.h"
#include "optimized/rows/row_contracts.h"

HWY_BEFORE_NAMESPACE();
namespace tandem {
namespace optimized {
namespace HWY_NAMESPACE {

HWY_INLINE void NormRow(const NormRowsArgs& args, Dim row, const NormedLanes& lanes, Dim first) {
  const F32Tag d;
  const float* from = args.from.At(row) + first;
  float* to = args.to.At(row) + first;
  const float* addend = args.addend.base == nullptr ? nullptr : args.addend.At(row) + first;
  float* kept = args.kept.base == nullptr ? nullptr : args.kept.At(row) + first;
  const Moments moments = MomentsOf(lanes, from, args.sums.epsilon);
  ForEachNormed(lanes, [&](Dim place, Dim, Dim) HWY_ATTR {
    const Dim column = first + place;
    const F32Vec v = hn::LoadU(d, from + place);
    if (kept != nullptr) hn::StoreU(v, d, kept + place);
    F32Vec sum =
        hn::MulAdd(hn::LoadU(d, args.gain + column), Standardized(moments, v), hn::LoadU(d, args.offset + column));
    if (addend != nullptr) sum = hn::Add(sum, hn::LoadU(d, addend + place));
    if (args.bias != nullptr) sum = hn::Add(sum, hn::LoadU(d, args.bias + column));
    hn::StoreU(sum, d, to + place);
  });
}

void NormRows(const NormRowsArgs& args) {
  Check(args);
  for (Dim row = args.rows.begin; row < args.rows.end; ++row) {
    ForEachNorm(args.sums, [&](const NormedLanes& lanes, Dim first) HWY_ATTR { NormRow(args, row, lanes, first); });
  }
}

// This stands for a storage: CellLanes needs no more of one.
template <class O>
struct StatesOf {
  using Operand = O;
};

// A row of an LSTM, in two passes: c must be known as a whole before its norm is.
template <class O, class G>
struct NormedLstmRow {
  using X = CellLanes<StatesOf<O>>;
  static constexpr Dim kGates = NumFirstPassGates(Cell::kLstm);
  const NormCellArgs& args;
  const G gates{args.cell->gates};
  const Quantizer unused{StateQuantization()};

  HWY_INLINE float* C(Dim row) const { return args.cell->lstm.c + row * args.cell->lstm.c_row; }
  HWY_INLINE X LanesAt(Dim row, Dim unit) const {
    const Dim column = unit / kBlock * kGates * kBlock + unit % kBlock;
    return {*args.cell, unused, row, unit, column, args.cell->units - unit};
  }
  HWY_INLINE F32Vec PreActivation(const X& x, int g) const {
    const F32Tag d;
    const Dim column = x.column + g * kBlock;
    const F32Vec sum = hn::LoadU(d, args.sums.At(x.row) + column);
    return args.bias == nullptr ? sum : hn::Add(sum, hn::LoadU(d, args.bias + column));
  }
  HWY_INLINE F32Vec AddPeephole(const X& x, int place, F32Vec c, F32Vec pre) const {
    const LstmArgs& lstm = args.cell->lstm;
    if (lstm.peephole == nullptr) return pre;
    return hn::MulAdd(hn::LoadU(F32Tag(), lstm.peephole + place * lstm.peephole_row + x.unit), c, pre);
  }
  // The sum f c' + i c~ is written over c'.
  HWY_INLINE void MakeC(const X& x) const {
    const F32Tag d;
    float* c = C(x.row) + x.unit;
    const F32Vec c_prev = hn::LoadU(d, c);
    const F32Vec pre_i = AddPeephole(x, LstmPeephole::kInput, c_prev, PreActivation(x, LstmGate::kInput));
    const F32Vec pre_f = AddPeephole(x, LstmPeephole::kForget, c_prev, PreActivation(x, LstmGate::kForget));
    const F32Vec pre_g = PreActivation(x, LstmGate::kCandidate);
    const F32Vec i = gates.Recurrent(pre_i), f = gates.Forget(pre_f, i), g = gates.Candidate(pre_g);
    x.SaveGate(LstmGate::kInput, gates.Kept(pre_i, i));
    x.SaveGate(LstmGate::kForget, gates.Kept(pre_f, f));
    x.SaveGate(LstmGate::kCandidate, gates.Kept(pre_g, g));
    hn::StoreU(hn::MulAdd(f, c_prev, hn::Mul(i, g)), d, c);
  }
  HWY_INLINE void MakeH(const X& x, const Moments& moments) const {
    const F32Tag d;
    float* c = C(x.row) + x.unit;
    const F32Vec raw = hn::LoadU(d, c);
    const F32Vec normed =
        hn::MulAdd(hn::LoadU(d, args.gain + x.unit), Standardized(moments, raw), hn::LoadU(d, args.offset + x.unit));
    const F32Vec kept = args.norm == CellNorm::kState ? normed : raw;
    const F32Vec pre_o = AddPeephole(x, LstmPeephole::kOutput, kept, PreActivation(x, LstmGate::kOutput));
    const F32Vec o = gates.Recurrent(pre_o);
    x.SaveGate(LstmGate::kOutput, gates.Kept(pre_o, o));
    hn::StoreU(RoundTo(args.cell->lstm.c_rounding, kept), d, c);
    x.StoreH(hn::Mul(o, gates.Output(normed)));
  }
  HWY_INLINE void Run(Dim row) const {
    const NormedLanes lanes = {1, args.cell->units, kBlock};
    ForEachNormed(lanes, [&](Dim unit, Dim valid, Dim) HWY_ATTR {
      if (valid > 0) MakeC(LanesAt(row, unit));
    });
    const Moments moments = MomentsOf(lanes, C(row), args.epsilon);
    ForEachNormed(lanes, [&](Dim unit, Dim valid, Dim) HWY_ATTR {
      const X x = LanesAt(row, unit);
      if (valid > 0) return MakeH(x, moments);
      for (int g = 0; g < kGates; ++g) x.SaveGate(g, hn::Zero(F32Tag()));
    });
  }
};

template <class O, class G>
void NormCellOf(const NormCellArgs& args) {
  const NormedLstmRow<O, G> lstm{args};
  for (Dim row = args.rows.begin; row < args.rows.end; ++row) lstm.Run(row);
}

void NormCell(const NormCellArgs& args) {
  Check(args);
  const bool own = args.cell->gates != nullptr;
  if (args.type == DataType::kBf16) {
    own ? NormCellOf<hwy::bfloat16_t, OwnGates>(args) : NormCellOf<hwy::bfloat16_t, SpecGates>(args);
  } else {
    own ? NormCellOf<float, OwnGates>(args) : NormCellOf<float, SpecGates>(args);
  }
}

NormKernels MakeNormKernels() { return {&NormRows, &NormCell}; }

}  // namespace HWY_NAMESPACE
}  // namespace optimized
}  // namespace tandem
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tandem {
namespace optimized {

HWY_EXPORT(MakeNormKernels);
NormKernels NormKernelsFor(const Target& target) { return TANDEM_DISPATCH(MakeNormKernels, target)(); }

}  // namespace optimized
}  // namespace tandem
#endif  // HWY_ONCE
