// The gates' gradients of the six cells, one vector of units at a time. diff_y is the gradient with respect to y; letters as
// in the specification.

// Per-target include guard.
#if defined(TANDEM_OPTIMIZED_KERNELS_BACKWARD_CELL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_OPTIMIZED_KERNELS_BACKWARD_CELL_INL_H_
#undef TANDEM_OPTIMIZED_KERNELS_BACKWARD_CELL_INL_H_
#else
#define TANDEM_OPTIMIZED_KERNELS_BACKWARD_CELL_INL_H_
#endif

#include "api/core/gates.h"
#include "hwy/highway.h"
#include "optimized/kernels/activations-inl.h"
#include "optimized/kernels/backward_kernels.h"
#include "optimized/kernels/state-inl.h"
#include "optimized/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tandem {
namespace optimized {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// One vector of units of one minibatch row.
struct DiffLanes {
  const BackwardCellArgs& args;
  Dim row;
  Dim unit;
  Dim block;
  Dim lane;   // in the block
  Dim valid;  // units left in the tensor from here on; may be <= 0

  HWY_INLINE F32Vec Load(const ConstRows& rows) const { return hn::LoadU(F32Tag(), rows.At(row) + unit); }
  HWY_INLINE F32Vec LoadOrZero(const ConstRows& rows) const {
    return rows.base == nullptr ? hn::Zero(F32Tag()) : Load(rows);
  }
  HWY_INLINE F32Vec Gate(int g, int gates) const { return SavedGate(GateOffset(g, gates)); }
  // The candidate of GRU and AUGRU, which has a part of its own.
  HWY_INLINE F32Vec Candidate() const { return SavedGate(CandidateOffset()); }
  // The gates of all steps do not stay in L2: those of the next row are fetched meanwhile.
  HWY_INLINE F32Vec SavedGate(Dim offset) const {
    __builtin_prefetch(args.gates.At(row + 1) + offset, 0, 3);
    return hn::LoadU(F32Tag(), args.gates.At(row) + offset);
  }
  HWY_INLINE Dim GateOffset(int g, int gates) const { return (block * gates + g) * kBlock + lane; }
  HWY_INLINE Dim CandidateOffset() const {
    return NumFirstPassGates(Cell::kGru) * CeilDiv(args.units, kBlock) * kBlock + block * kBlock + lane;
  }
  HWY_INLINE F32Vec Masked(F32Vec v) const {
    const F32Tag d;
    if (valid >= static_cast<Dim>(hn::MaxLanes(d))) return v;
    if (valid <= 0) return hn::Zero(d);
    return hn::IfThenElseZero(hn::FirstN(d, static_cast<size_t>(valid)), v);
  }
  HWY_INLINE void Store(const Rows& rows, F32Vec v) const { hn::StoreU(Masked(v), F32Tag(), rows.At(row) + unit); }
  HWY_INLINE void StoreGradient(const Rows& rows, Dim offset, F32Vec v) const {
    hn::StoreU(Masked(RoundTo(args.rounding, v)), F32Tag(), rows.At(row) + offset);
  }
  // The gradient with respect to h_t. `from_above` ends with the units.
  HWY_INLINE F32Vec DiffH() const {
    const F32Tag d;
    F32Vec sum = LoadOrZero(args.from_next_step);
    if (args.from_above.base != nullptr && valid > 0) {
      const float* from = args.from_above.At(row) + unit;
      const bool whole = valid >= static_cast<Dim>(hn::MaxLanes(d));
      sum = hn::Add(sum, whole ? hn::LoadU(d, from) : hn::LoadN(d, from, static_cast<size_t>(valid)));
    }
    return sum;
  }
};

// Side by side in a block of the saved gates; the candidate of GRU has a part of its own.
constexpr int kRnnGates = NumFirstPassGates(Cell::kVanillaRnn), kLstmGates = NumFirstPassGates(Cell::kLstm);
constexpr int kGruGates = NumFirstPassGates(Cell::kGru), kLbrGruGates = NumFirstPassGates(Cell::kLbrGru);

HWY_INLINE void DiffRnn(const DiffLanes& x) {
  const F32Tag d;
  const BackwardCellArgs& args = x.args;
  F32Vec slope = hn::Zero(d);
  if (args.activation.kind == Activation::kRelu) {  // the saved gate is the pre-activation: alpha < 0 hides its sign
    slope = hn::IfThenElse(hn::Gt(x.Gate(VanillaGate::kOnly, kRnnGates), hn::Zero(d)), hn::Set(d, 1.f),
                           hn::Set(d, args.activation.alpha));
  } else if (args.activation.kind == Activation::kTanh) {
    slope = TanhSlope(x.Load(args.h));
  } else {
    slope = SigmoidSlope(x.Load(args.h));
  }
  x.StoreGradient(args.diff_gates, x.GateOffset(VanillaGate::kOnly, kRnnGates), hn::Mul(x.DiffH(), slope));
}

// Forward saved the pre-activation.
HWY_INLINE void DiffRnnOfAny(const DiffLanes& x) {
  const F32Vec pre = x.Gate(VanillaGate::kOnly, kRnnGates);
  const GateFunctions* const gates = x.args.gate_functions;
  const F32Vec slope =
      gates == nullptr ? SlopeOf(F32Tag(), x.args.activation, pre) : SlopeWithin(*gates, x.args.activation, pre);
  x.StoreGradient(x.args.diff_gates, x.GateOffset(VanillaGate::kOnly, kRnnGates), hn::Mul(x.DiffH(), slope));
}

HWY_INLINE F32Vec LoadPeephole(const DiffLanes& x, int place) {
  return hn::LoadU(F32Tag(), x.args.peephole + place * x.args.peephole_row + x.unit);
}

// G of the cells that follow: SpecGates or OwnGates.
template <class G>
HWY_INLINE void DiffLstm(const DiffLanes& x) {
  const BackwardCellArgs& args = x.args;
  const G gates(args.gate_functions);
  const GateSlope i = gates.RecurrentSlope(x.Gate(LstmGate::kInput, kLstmGates));
  const GateSlope f = gates.ForgetSlope(x.Gate(LstmGate::kForget, kLstmGates), i.value);
  const GateSlope g = gates.CandidateSlope(x.Gate(LstmGate::kCandidate, kLstmGates));
  const GateSlope o = gates.RecurrentSlope(x.Gate(LstmGate::kOutput, kLstmGates));
  const GateSlope tanh_c = gates.OutputSlope(x.Load(args.c));
  const F32Vec diff_h = x.DiffH();
  const F32Vec diff_o = hn::Mul(hn::Mul(diff_h, tanh_c.value), o.slope);
  F32Vec diff_c = hn::MulAdd(hn::Mul(diff_h, o.value), tanh_c.slope, x.LoadOrZero({args.diff_c.base, args.diff_c.row}));
  if (args.peephole != nullptr) diff_c = hn::MulAdd(diff_o, LoadPeephole(x, LstmPeephole::kOutput), diff_c);
  const F32Vec c_prev = x.LoadOrZero(args.c_prev);
  const F32Vec through_f = hn::Mul(diff_c, c_prev);
  const F32Vec diff_i = hn::Mul(gates.WithForget(hn::Mul(diff_c, g.value), through_f), i.slope);
  const F32Vec diff_f = gates.OfForget(through_f, f.slope);
  const F32Vec diff_g = hn::Mul(hn::Mul(diff_c, i.value), g.slope);
  F32Vec diff_c_prev = hn::Mul(diff_c, f.value);
  if (args.peephole != nullptr) {
    diff_c_prev = hn::MulAdd(diff_i, LoadPeephole(x, LstmPeephole::kInput), diff_c_prev);
    diff_c_prev = hn::MulAdd(diff_f, LoadPeephole(x, LstmPeephole::kForget), diff_c_prev);
  }
  x.Store(args.diff_c, diff_c_prev);
  x.StoreGradient(args.diff_gates, x.GateOffset(LstmGate::kInput, kLstmGates), diff_i);
  x.StoreGradient(args.diff_gates, x.GateOffset(LstmGate::kForget, kLstmGates), diff_f);
  x.StoreGradient(args.diff_gates, x.GateOffset(LstmGate::kCandidate, kLstmGates), diff_g);
  x.StoreGradient(args.diff_gates, x.GateOffset(LstmGate::kOutput, kLstmGates), diff_o);
  if (args.saved_product.base != nullptr) {
    x.StoreGradient(args.saved_product, x.unit, hn::Mul(o.value, tanh_c.value));
  }
}

// GRU and LBR-GRU share this: u, o and h_prev blend into h.
struct DiffBlend {
  F32Vec diff_u, diff_o;
  F32Vec diff_h_prev;  // the part that does not go through a gate
  F32Vec diff_a;       // this vector's addends
};

HWY_INLINE DiffBlend BlendGradients(const DiffLanes& x, const GateSlope& u_gate, const GateSlope& o_gate,
                                    F32Vec h_prev) {
  const F32Tag d;
  const BackwardCellArgs& args = x.args;
  const F32Vec u = u_gate.value, o = o_gate.value;
  const F32Vec one = hn::Set(d, 1.f);
  const F32Vec diff_h = x.DiffH();
  const F32Vec diff_weight = hn::Mul(diff_h, hn::Sub(h_prev, o));
  DiffBlend result;
  F32Vec weight = u;  // of h_prev in h
  result.diff_u = hn::Mul(diff_weight, u_gate.slope);
  result.diff_a = hn::Zero(d);
  if (args.attention.base != nullptr) {
    const F32Vec keep = hn::Sub(one, hn::Set(d, *args.attention.At(x.row)));
    if (args.reading == Reading::kSpec) {
      weight = hn::Mul(keep, u);
      result.diff_a = x.Masked(hn::Neg(hn::Mul(diff_weight, u)));
    } else {
      result.diff_a = x.Masked(hn::Neg(hn::Mul(result.diff_u, u)));
    }
    result.diff_u = hn::Mul(result.diff_u, keep);
  }
  result.diff_o = hn::Mul(hn::Mul(diff_h, hn::Sub(one, weight)), o_gate.slope);
  result.diff_h_prev = hn::Mul(diff_h, weight);
  return result;
}

// The first half: u and the candidate. Returns the addends of the attention's gradient.
template <class G>
HWY_INLINE F32Vec DiffGru(const DiffLanes& x) {
  const BackwardCellArgs& args = x.args;
  const G gates(args.gate_functions);
  const DiffBlend diff = BlendGradients(x, gates.RecurrentSlope(x.Gate(GruGate::kUpdate, kGruGates)),
                                        gates.CandidateSlope(x.Candidate()), x.LoadOrZero(args.h_prev));
  x.StoreGradient(args.diff_gates, x.GateOffset(GruGate::kUpdate, kGruGates), diff.diff_u);
  x.StoreGradient(args.diff_gates, x.CandidateOffset(), diff.diff_o);
  x.Store(args.diff_h_prev, diff.diff_h_prev);
  return diff.diff_a;
}

// The second half: the reset gate.
template <class G>
HWY_INLINE void DiffGruReset(const DiffLanes& x) {
  const BackwardCellArgs& args = x.args;
  const GateSlope r = G(args.gate_functions).RecurrentSlope(x.Gate(GruGate::kReset, kGruGates));
  const F32Vec h_prev = x.LoadOrZero(args.h_prev);
  const F32Vec diff_product = x.Load({args.through_reset.base, args.through_reset.row});
  x.StoreGradient(args.diff_gates, x.GateOffset(GruGate::kReset, kGruGates),
                  hn::Mul(hn::Mul(diff_product, h_prev), r.slope));
  x.StoreGradient(args.saved_product, x.unit, hn::Mul(r.value, h_prev));
  const F32Vec direct = x.Load({args.diff_h_prev.base, args.diff_h_prev.row});
  x.Store(args.diff_h_prev, hn::MulAdd(diff_product, r.value, direct));
}

template <class G>
HWY_INLINE F32Vec DiffLbrGru(const DiffLanes& x) {
  const BackwardCellArgs& args = x.args;
  const G gates(args.gate_functions);
  const GateSlope r = gates.RecurrentSlope(x.Gate(GruGate::kReset, kLbrGruGates));
  const DiffBlend diff =
      BlendGradients(x, gates.RecurrentSlope(x.Gate(GruGate::kUpdate, kLbrGruGates)),
                     gates.CandidateSlope(x.Gate(GruGate::kCandidate, kLbrGruGates)), x.LoadOrZero(args.h_prev));
  const F32Vec diff_r = hn::Mul(hn::Mul(diff.diff_o, x.Load(args.linear)), r.slope);
  for (const Rows& rows : {args.diff_gates, args.diff_gates_iter}) {
    x.StoreGradient(rows, x.GateOffset(GruGate::kUpdate, kLbrGruGates), diff.diff_u);
    x.StoreGradient(rows, x.GateOffset(GruGate::kReset, kLbrGruGates), diff_r);
  }
  x.StoreGradient(args.diff_gates, x.GateOffset(GruGate::kCandidate, kLbrGruGates), diff.diff_o);
  x.StoreGradient(args.diff_gates_iter, x.GateOffset(GruGate::kCandidate, kLbrGruGates), hn::Mul(diff.diff_o, r.value));
  x.Store(args.diff_h_prev, diff.diff_h_prev);
  return diff.diff_a;
}

// Calls body(lanes) for every vector of a row that is asked for, padding included.
template <class Body>
HWY_INLINE void ForEachDiffVector(const BackwardCellArgs& args, Dim row, const Body& body) {
  const Dim end = std::min(args.blocks.end, CeilDiv(args.units, kBlock));
  for (Dim block = args.blocks.begin; block < end; ++block) {
    for (Dim lane = 0; lane < kBlock; lane += kLanes) {
      const Dim unit = block * kBlock + lane;
      body(DiffLanes{args, row, unit, block, lane, args.units - unit});
    }
  }
}

// Adds up a block's lanes in one order, for vectors of any length.
HWY_INLINE float SumOfBlock(float* lanes) {
  for (Dim n = kBlock / 2; n > 0; n /= 2) {
    for (Dim i = 0; i < n; ++i) lanes[i] += lanes[i + n];
  }
  return lanes[0];
}

// The gradient of a row's attention has one sum for each lane of a block. With one for each lane of a vector its bits would
// depend on the target.
template <class Body>
HWY_INLINE void ForEachRowWithAttention(const BackwardCellArgs& args, const Body& body) {
  const F32Tag d;
  const bool has_attention = args.diff_attention.base != nullptr;
  for (Dim row = args.rows.begin; row < args.rows.end; ++row) {
    HWY_ALIGN float diff_a[kBlock] = {};
    ForEachDiffVector(args, row, [&](const DiffLanes& x) HWY_ATTR {
      const F32Vec addends = body(x);
      if (has_attention) hn::Store(hn::Add(hn::Load(d, diff_a + x.lane), addends), d, diff_a + x.lane);
    });
    if (has_attention) *args.diff_attention.At(row) = SumOfBlock(diff_a);
  }
}

template <class Body>
HWY_INLINE void ForEachRow(const BackwardCellArgs& args, const Body& body) {
  for (Dim row = args.rows.begin; row < args.rows.end; ++row) ForEachDiffVector(args, row, body);
}

template <class G>
HWY_INLINE void RunBackwardCellOf(const BackwardCellArgs& args) {
  switch (args.cell) {
    case Cell::kVanillaRnn:
      if (!IsInlined(args.activation.kind) || args.gate_functions != nullptr) {
        return ForEachRow(args, [](const DiffLanes& x) HWY_ATTR { DiffRnnOfAny(x); });
      }
      return ForEachRow(args, [](const DiffLanes& x) HWY_ATTR { DiffRnn(x); });
    case Cell::kLstm:
      return ForEachRow(args, [](const DiffLanes& x) HWY_ATTR { DiffLstm<G>(x); });
    case Cell::kGru:
    case Cell::kAugru:
      return ForEachRowWithAttention(args, [](const DiffLanes& x) HWY_ATTR { return DiffGru<G>(x); });
    case Cell::kLbrGru:
    case Cell::kLbrAugru:
      return ForEachRowWithAttention(args, [](const DiffLanes& x) HWY_ATTR { return DiffLbrGru<G>(x); });
  }
}

HWY_INLINE void RunBackwardCell(const BackwardCellArgs& args) {
  if (args.gate_functions == nullptr) return RunBackwardCellOf<SpecGates>(args);
  RunBackwardCellOf<OwnGates>(args);
}

HWY_INLINE void RunResetGate(const BackwardCellArgs& args) {
  if (args.gate_functions == nullptr) {
    return ForEachRow(args, [](const DiffLanes& x) HWY_ATTR { DiffGruReset<SpecGates>(x); });
  }
  ForEachRow(args, [](const DiffLanes& x) HWY_ATTR { DiffGruReset<OwnGates>(x); });
}

}  // namespace HWY_NAMESPACE
}  // namespace optimized
}  // namespace tandem
HWY_AFTER_NAMESPACE();

#endif  // TANDEM_OPTIMIZED_KERNELS_BACKWARD_CELL_INL_H_
