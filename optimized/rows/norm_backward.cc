// Backward through the kernels of norm_kernels.cc.
#define TANDEM_TARGETS (HWY_SSE2 | HWY_AVX2 | HWY_AVX3)
#include "optimized/machine/compiled_targets.h"
// After the targets:
#include "optimized/rows/norm_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/rows/norm_backward.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After foreach_target.h:
#include "api/core/gates.h"
#include "hwy/highway.h"
#include "optimized/kernels/backward_cell-inl.h"
#include "optimized/machine/dispatch.h"
#include "optimized/rows/norm-inl.h"
#include "optimized/rows/row_contracts.h"

HWY_BEFORE_NAMESPACE();
namespace tandem {
namespace optimized {
namespace HWY_NAMESPACE {

// The means of a row in [NORM.B4], where d is the gradient of v^.
struct DiffMeans {
  float d;
  float d_v_hat;
};

// `delta` and `v_hat` are those of `lanes`, and so is `gain`.
HWY_INLINE DiffMeans DiffMeansOf(const NormedLanes& lanes, const float* delta, const float* v_hat, const float* gain) {
  const F32Tag tag;
  const float count = static_cast<float>(lanes.gates * lanes.units);
  const auto d = [&](Dim place)
                     HWY_ATTR { return hn::Mul(hn::LoadU(tag, delta + place), hn::LoadU(tag, gain + place)); };
  return {SumOfNormed(lanes, d) / count, SumOfNormed(lanes, [&](Dim place) HWY_ATTR {
                                           return hn::Mul(d(place), hn::LoadU(tag, v_hat + place));
                                         }) / count};
}

// [NORM.B4]
HWY_INLINE F32Vec ThroughNormalize(const Moments& moments, const DiffMeans& means, F32Vec d, F32Vec v_hat) {
  const F32Tag tag;
  const F32Vec centered = hn::Sub(d, hn::Set(tag, means.d));
  return hn::Div(hn::NegMulAdd(v_hat, hn::Set(tag, means.d_v_hat), centered), hn::Set(tag, moments.root));
}

HWY_INLINE void Standardize(const NormedLanes& lanes, const Moments& moments, const float* v, float* v_hat) {
  const F32Tag tag;
  ForEachNormed(lanes, [&](Dim place, Dim, Dim) HWY_ATTR {
    hn::StoreU(Standardized(moments, hn::LoadU(tag, v + place)), tag, v_hat + place);
  });
}

HWY_INLINE void ThroughNormOfRow(const ThroughNormArgs& args, Dim row, const NormedLanes& lanes, Dim first) {
  const F32Tag tag;
  const float *v = args.v.At(row) + first, *delta = args.delta.At(row) + first, *gain = args.gain + first;
  float *v_hat = args.v_hat.At(row) + first, *diff_v = args.diff_v.At(row) + first;
  const Moments moments = MomentsOf(lanes, v, args.sums.epsilon);
  Standardize(lanes, moments, v, v_hat);
  const DiffMeans means = DiffMeansOf(lanes, delta, v_hat, gain);
  ForEachNormed(lanes, [&](Dim place, Dim valid, Dim) HWY_ATTR {
    const F32Vec d = hn::Mul(hn::LoadU(tag, delta + place), hn::LoadU(tag, gain + place));
    const F32Vec diff = ThroughNormalize(moments, means, d, hn::LoadU(tag, v_hat + place));
    hn::StoreU(FirstLanes(RoundTo(args.rounding, diff), valid), tag, diff_v + place);
  });
}

void ThroughNorm(const ThroughNormArgs& args) {
  Check(args);
  for (Dim row = args.rows.begin; row < args.rows.end; ++row) {
    ForEachNorm(args.sums,
                [&](const NormedLanes& lanes, Dim first) HWY_ATTR { ThroughNormOfRow(args, row, lanes, first); });
  }
}

// A row of an LSTM, in two passes around the means of its c.
template <class G>
struct DiffNormedLstmRow {
  const NormCellBackwardArgs& args;
  const BackwardCellArgs& cell = *args.cell;
  const G gates{cell.gate_functions};

  struct Slopes {
    GateSlope i, f, g, o;
  };
  HWY_INLINE Slopes SlopesAt(const DiffLanes& x) const {
    Slopes slopes;
    slopes.i = gates.RecurrentSlope(x.Gate(LstmGate::kInput, kLstmGates));
    slopes.f = gates.ForgetSlope(x.Gate(LstmGate::kForget, kLstmGates), slopes.i.value);
    slopes.g = gates.CandidateSlope(x.Gate(LstmGate::kCandidate, kLstmGates));
    slopes.o = gates.RecurrentSlope(x.Gate(LstmGate::kOutput, kLstmGates));
    return slopes;
  }
  HWY_INLINE DiffLanes LanesAt(Dim row, Dim unit) const {
    return {cell, row, unit, unit / kBlock, unit % kBlock, cell.units - unit};
  }
  HWY_INLINE bool IsState() const { return args.norm == CellNorm::kState; }
  // c as its norm read it: that of [LSTM.4] is not kept where its norm is.
  HWY_INLINE F32Vec Raw(const DiffLanes& x, const Slopes& s) const {
    if (!IsState()) return x.Load(cell.c);
    return hn::MulAdd(s.f.value, x.LoadOrZero(cell.c_prev), hn::Mul(s.i.value, s.g.value));
  }
  // The c of tanh(c).
  HWY_INLINE F32Vec Shown(const DiffLanes& x) const {
    const F32Tag tag;
    if (IsState()) return x.Load(cell.c);
    return hn::MulAdd(hn::LoadU(tag, args.gain + x.unit), x.Load({args.v_hat.base, args.v_hat.row}),
                      hn::LoadU(tag, args.offset + x.unit));
  }
  struct Output {
    GateSlope tanh_c;
    F32Vec delta_o;
    F32Vec diff_shown;
  };
  HWY_INLINE Output OutputAt(const DiffLanes& x, const Slopes& s) const {
    Output output;
    output.tanh_c = gates.OutputSlope(Shown(x));
    const F32Vec diff_h = x.DiffH();
    output.delta_o = hn::Mul(hn::Mul(diff_h, output.tanh_c.value), s.o.slope);
    output.diff_shown = hn::Mul(hn::Mul(diff_h, s.o.value), output.tanh_c.slope);
    return output;
  }
  // The gradient of c that comes neither through tanh nor through its norm.
  HWY_INLINE F32Vec DiffKept(const DiffLanes& x, const Output& output) const {
    const F32Vec diff_c = x.LoadOrZero({cell.diff_c.base, cell.diff_c.row});
    if (cell.peephole == nullptr) return diff_c;
    return hn::MulAdd(output.delta_o, LoadPeephole(x, LstmPeephole::kOutput), diff_c);
  }
  HWY_INLINE void StoreRaw(const DiffLanes& x) const { x.Store(args.v_hat, Raw(x, SlopesAt(x))); }
  // The gradient of what the norm made.
  HWY_INLINE void StoreDelta(const DiffLanes& x) const {
    const Output output = OutputAt(x, SlopesAt(x));
    x.Store(args.delta, IsState() ? hn::Add(DiffKept(x, output), output.diff_shown) : output.diff_shown);
  }
  HWY_INLINE void StoreDiffs(const DiffLanes& x, const Moments& moments, const DiffMeans& means) const {
    const F32Tag tag;
    const Slopes s = SlopesAt(x);
    const Output output = OutputAt(x, s);
    const F32Vec d = hn::Mul(x.Load({args.delta.base, args.delta.row}), hn::LoadU(tag, args.gain + x.unit));
    F32Vec diff_c = ThroughNormalize(moments, means, d, x.Load({args.v_hat.base, args.v_hat.row}));
    if (!IsState()) diff_c = hn::Add(DiffKept(x, output), diff_c);
    const F32Vec through_f = hn::Mul(diff_c, x.LoadOrZero(cell.c_prev));
    const F32Vec diff_i = hn::Mul(gates.WithForget(hn::Mul(diff_c, s.g.value), through_f), s.i.slope);
    const F32Vec diff_f = gates.OfForget(through_f, s.f.slope);
    F32Vec diff_c_prev = hn::Mul(diff_c, s.f.value);
    if (cell.peephole != nullptr) {
      diff_c_prev = hn::MulAdd(diff_i, LoadPeephole(x, LstmPeephole::kInput), diff_c_prev);
      diff_c_prev = hn::MulAdd(diff_f, LoadPeephole(x, LstmPeephole::kForget), diff_c_prev);
    }
    x.Store(cell.diff_c, diff_c_prev);
    x.StoreGradient(cell.diff_gates, x.GateOffset(LstmGate::kInput, kLstmGates), diff_i);
    x.StoreGradient(cell.diff_gates, x.GateOffset(LstmGate::kForget, kLstmGates), diff_f);
    x.StoreGradient(cell.diff_gates, x.GateOffset(LstmGate::kCandidate, kLstmGates),
                    hn::Mul(hn::Mul(diff_c, s.i.value), s.g.slope));
    x.StoreGradient(cell.diff_gates, x.GateOffset(LstmGate::kOutput, kLstmGates), output.delta_o);
    if (cell.saved_product.base != nullptr) {
      x.StoreGradient(cell.saved_product, x.unit, hn::Mul(s.o.value, output.tanh_c.value));
    }
  }
  template <class Body>
  HWY_INLINE void ForEachUnit(Dim row, const NormedLanes& lanes, const Body& body) const {
    ForEachNormed(lanes, [&](Dim unit, Dim, Dim) HWY_ATTR { body(LanesAt(row, unit)); });
  }
  HWY_INLINE void Run(Dim row) const {
    const NormedLanes lanes = {1, cell.units, kBlock};
    float* v_hat = args.v_hat.At(row);
    ForEachUnit(row, lanes, [&](const DiffLanes& x) HWY_ATTR { StoreRaw(x); });
    const Moments moments = MomentsOf(lanes, v_hat, args.epsilon);
    Standardize(lanes, moments, v_hat, v_hat);
    ForEachUnit(row, lanes, [&](const DiffLanes& x) HWY_ATTR { StoreDelta(x); });
    const DiffMeans means = DiffMeansOf(lanes, args.delta.At(row), v_hat, args.gain);
    ForEachUnit(row, lanes, [&](const DiffLanes& x) HWY_ATTR { StoreDiffs(x, moments, means); });
  }
};

template <class G>
HWY_INLINE void NormCellBackwardOf(const NormCellBackwardArgs& args) {
  const DiffNormedLstmRow<G> lstm{args};
  for (Dim row = args.cell->rows.begin; row < args.cell->rows.end; ++row) lstm.Run(row);
}

void NormCellBackward(const NormCellBackwardArgs& args) {
  Check(args);
  args.cell->gate_functions == nullptr ? NormCellBackwardOf<SpecGates>(args) : NormCellBackwardOf<OwnGates>(args);
}

void NormGradient(const NormGradientArgs& args) {
  Check(args);
  const F32Tag tag;
  for (Dim i = args.first; i < args.first + args.n; i += kLanes) {
    F32Vec gain = hn::LoadU(tag, args.gain + i), offset = hn::LoadU(tag, args.offset + i);
    for (Dim row = args.rows.begin; row < args.rows.end; ++row) {
      const F32Vec delta = hn::LoadU(tag, args.delta.At(row) + i);
      gain = hn::MulAdd(delta, hn::LoadU(tag, args.v_hat.At(row) + i), gain);
      offset = hn::Add(offset, delta);
    }
    hn::StoreU(gain, tag, args.gain + i);
    hn::StoreU(offset, tag, args.offset + i);
  }
}

NormBackwardKernels MakeNormBackwardKernels() { return {&ThroughNorm, &NormCellBackward, &NormGradient}; }

}  // namespace HWY_NAMESPACE
}  // namespace optimized
}  // namespace tandem
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tandem {
namespace optimized {

HWY_EXPORT(MakeNormBackwardKernels);
NormBackwardKernels NormBackwardKernelsFor(const Target& target) {
  return TANDEM_DISPATCH(MakeNormBackwardKernels, target)();
}

}  // namespace optimized
}  // namespace tandem
#endif  // HWY_ONCE
