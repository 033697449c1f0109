// The gate math of the cells, on a tile of pre-activations that is still in the L1 cache. Letters as in the
// specification.

// Per-target include guard.
#if defined(TANDEM_OPTIMIZED_KERNELS_CELL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_OPTIMIZED_KERNELS_CELL_INL_H_
#undef TANDEM_OPTIMIZED_KERNELS_CELL_INL_H_
#else
#define TANDEM_OPTIMIZED_KERNELS_CELL_INL_H_
#endif

#include <cstdint>
#include <type_traits>

#include "api/core/gates.h"
#include "hwy/highway.h"
#include "optimized/kernels/activations-inl.h"
#include "optimized/kernels/kernels.h"
#include "optimized/kernels/state-inl.h"
#include "optimized/kernels/vectors-inl.h"
#include "optimized/weights/element.h"

HWY_BEFORE_NAMESPACE();
namespace tandem {
namespace optimized {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Accumulators of `rows` x `blocks`, gates of a block side by side; `row_size` apart.
template <class Acc>
struct CellTile {
  const Acc* acc;
  Dim row_size;
  Range rows;
  Range blocks;
};

// Sums become pre-activations by Int8Args.
template <class S>
constexpr bool kScalesColumns = sizeof(typename S::Weight) == 1;

HWY_INLINE F32Vec AsFloat(F32Vec sum) { return sum; }
HWY_INLINE F32Vec AsFloat(S32Vec sum) { return hn::ConvertTo(F32Tag(), sum); }

// The gate math knows only these types of a storage. Storages with the same types share its code.
template <class OPERAND, class ACC_TAG, class WEIGHT>
struct CellTypes {
  using Operand = OPERAND;
  using AccTag = ACC_TAG;
  using Weight = WEIGHT;
};
template <class S>
using CellTypesOf = CellTypes<typename S::Operand, typename S::AccTag,
                              typename std::conditional<kScalesColumns<S>, int8_t, float>::type>;

// Kernels S of bytes whose states are f32.
template <class S>
struct WithDynamicStates : S {
  using Operand = float;
};
template <class S>
constexpr bool kIsDynamic = false;
template <class S>
constexpr bool kIsDynamic<WithDynamicStates<S>> = true;

// One vector of units of one minibatch row: all that the cells need but the sums.
template <class S>
struct CellLanes {
  using Operand = typename S::Operand;
  const CellArgs& args;
  const Quantizer& quantizer;
  Dim row;
  Dim unit;
  Dim column;  // of gate 0, in the part
  Dim valid;   // units left in the tensor from here on, > 0

  HWY_INLINE F32Vec HPrev() const {
    if (args.h_prev == nullptr) return hn::Zero(F32Tag());
    return LoadState(quantizer, static_cast<const Operand*>(args.h_prev) + row * args.h_prev_row + unit, valid);
  }
  HWY_INLINE void StoreH(F32Vec h) const {
    StoreState(quantizer, RoundTo(args.rounding, h), static_cast<Operand*>(args.h) + row * args.h_row + unit, valid);
  }
  // r * h of GRU and AUGRU.
  HWY_INLINE void StoreResetH(F32Vec reset_h) const {
    auto* to = static_cast<Operand*>(args.gru.reset_h) + row * args.gru.reset_h_row + unit;
    StoreState(quantizer, RoundTo(args.rounding, reset_h), to, valid);
  }
  // For backward; lanes beyond the tensor are zero, because backward multiplies them.
  HWY_INLINE void SaveGate(int g, F32Vec value) const {
    const TrainingRows& training = args.training;
    if (training.gates == nullptr) return;
    Save(value, training.gates + row * training.gates_row + column + g * kBlock);
  }
  HWY_INLINE void SaveLinear(F32Vec value) const {
    const TrainingRows& training = args.training;
    if (training.linear == nullptr) return;
    Save(value, training.linear + row * training.linear_row + unit);
  }
  HWY_INLINE void Save(F32Vec value, float* HWY_RESTRICT to) const {
    const F32Tag d;
    const size_t n = static_cast<size_t>(HWY_MAX(valid, Dim{0}));
    hn::StoreU(n >= hn::MaxLanes(d) ? value : hn::IfThenElseZero(hn::FirstN(d, n), value), d, to);
  }
  // (1 - a) u of AUGRU and LBR-AUGRU, u of the others.
  HWY_INLINE F32Vec Attend(F32Vec u) const {
    if (args.attention.base == nullptr) return u;
    const F32Tag d;
    const float a = LoadFloat(args.attention.base, args.attention.type, row * args.attention.row);
    return hn::Mul(hn::Sub(hn::Set(d, 1.f), hn::Set(d, a)), u);
  }
  // The product with the scale of each column: PreActivation() of quantization.h, not a multiply-add.
  HWY_INLINE F32Vec ScaleColumns(int g, F32Vec sum, const float* bias) const {
    const F32Tag d;
    const Dim at = column + g * kBlock;
    return hn::Add(hn::Mul(sum, hn::LoadU(d, args.int8.column_scale + at)), hn::LoadU(d, bias + at));
  }
};

// Its sums are in memory.
template <class S>
struct Lanes : CellLanes<S> {
  using Acc = hn::TFromD<typename S::AccTag>;
  using AccVec = hn::Vec<typename S::AccTag>;
  using CellLanes<S>::args;
  using CellLanes<S>::row;
  using CellLanes<S>::column;
  const Acc* acc;  // gate 0; gate g is g blocks further

  HWY_INLINE Lanes(const CellLanes<S>& lanes, const Acc* its_acc) : CellLanes<S>(lanes), acc(its_acc) {}

  HWY_INLINE F32Vec Gate(int g) const {
    if constexpr (kIsDynamic<S>) {
      const F32Vec iter = Product(g, Sum(g), args.dynamic.h, args.dynamic.h_sums);
      const F32Vec both = args.lbr.gx == nullptr ? iter : hn::Add(InputProduct(g), iter);
      return hn::Add(both, hn::LoadU(F32Tag(), args.int8.column_bias + column + g * kBlock));
    } else {
      return PreActivation(g, Sum(g), args.int8.column_bias);
    }
  }
  // LBR: of W x and U h together, and of each.
  HWY_INLINE F32Vec GateOfBoth(int g) const {
    if constexpr (kIsDynamic<S>) return Gate(g);
    return PreActivation(g, hn::Add(InputSum(g), Sum(g)), args.int8.column_bias);
  }
  HWY_INLINE F32Vec InputOnly(int g) const {
    if constexpr (kIsDynamic<S>) {
      return hn::Add(InputProduct(g), hn::LoadU(F32Tag(), args.int8.column_bias + column + g * kBlock));
    } else {
      return PreActivation(g, InputSum(g), args.int8.column_bias);
    }
  }
  HWY_INLINE F32Vec IterOnly(int g) const {
    if constexpr (kIsDynamic<S>) {
      const F32Vec iter = Product(g, Sum(g), args.dynamic.h, args.dynamic.h_sums);
      return hn::Add(iter, hn::LoadU(F32Tag(), args.int8.iter_bias + column + g * kBlock));
    } else {
      return PreActivation(g, Sum(g), args.int8.iter_bias);
    }
  }
  HWY_INLINE AccVec Sum(int g) const { return hn::LoadU(typename S::AccTag(), acc + g * kBlock); }
  // W x, where it is apart.
  HWY_INLINE AccVec InputSum(int g) const {
    const auto* gx = static_cast<const Acc*>(args.lbr.gx) + row * args.lbr.gx_row + column;
    return hn::LoadU(typename S::AccTag(), gx + g * kBlock);
  }
  HWY_INLINE F32Vec InputProduct(int g) const { return Product(g, InputSum(g), args.dynamic.x, args.dynamic.x_sums); }
  // Dynamic quantization: the zero point leaves the exact sum, which then is scaled. Integers wrap as the sums do.
  HWY_INLINE F32Vec Product(int g, S32Vec sum, const QuantizedRow* rows, const int32_t* weights) const {
    const F32Tag d;
    const S32Tag di;
    const Dim at = column + g * kBlock;
    const S32Vec offset = hn::Mul(hn::LoadU(di, weights + at), hn::Set(di, rows[row].zero_point));
    const F32Vec scale = hn::Mul(hn::LoadU(d, args.int8.column_scale + at), hn::Set(d, rows[row].scale));
    return hn::Mul(hn::ConvertTo(d, hn::Sub(sum, offset)), scale);
  }
  HWY_INLINE F32Vec PreActivation(int g, AccVec sum, const float* bias) const {
    if constexpr (kScalesColumns<S>) {
      return this->ScaleColumns(g, AsFloat(sum), bias);
    } else {
      return sum;
    }
  }
};

template <class X>
HWY_INLINE void RnnCell(const X& x) {
  const F32Tag d;
  const F32Vec pre = x.Gate(VanillaGate::kOnly);
  F32Vec h = pre;
  if (x.args.activation.kind == Activation::kRelu) {
    h = Relu(d, pre, hn::Set(d, x.args.activation.alpha));
  } else if (x.args.activation.kind == Activation::kTanh) {
    h = Tanh(d, pre);
  } else {
    h = Sigmoid(d, pre);
  }
  x.SaveGate(VanillaGate::kOnly, SlopeNeedsPreActivation(x.args.activation.kind) ? pre : h);
  x.StoreH(h);
}

template <class X>
HWY_INLINE void RnnCellOfAny(const X& x) {
  const F32Vec pre = x.Gate(VanillaGate::kOnly);
  x.SaveGate(VanillaGate::kOnly, pre);
  const GateFunctions* const gates = x.args.gates;
  x.StoreH(ActivationOf(F32Tag(), x.args.activation, gates == nullptr ? pre : Clipped(*gates, pre)));
}

// G of the cells that follow: SpecGates or OwnGates.
template <class G, class X>
HWY_INLINE void LstmCell(const X& x) {
  const F32Tag d;
  const CellArgs& args = x.args;
  const G gates(args.gates);
  float* HWY_RESTRICT c_state = args.lstm.c + x.row * args.lstm.c_row + x.unit;
  const F32Vec c_prev = hn::LoadU(d, c_state);
  F32Vec pre_i = x.Gate(LstmGate::kInput), pre_f = x.Gate(LstmGate::kForget), pre_o = x.Gate(LstmGate::kOutput);
  if (args.lstm.peephole != nullptr) {
    const float* p = args.lstm.peephole + x.unit;
    pre_i = hn::MulAdd(hn::LoadU(d, p + LstmPeephole::kInput * args.lstm.peephole_row), c_prev, pre_i);
    pre_f = hn::MulAdd(hn::LoadU(d, p + LstmPeephole::kForget * args.lstm.peephole_row), c_prev, pre_f);
  }
  const F32Vec i = gates.Recurrent(pre_i);
  const F32Vec f = gates.Forget(pre_f, i);
  const F32Vec pre_g = x.Gate(LstmGate::kCandidate);
  const F32Vec g = gates.Candidate(pre_g);
  const F32Vec c = hn::MulAdd(f, c_prev, hn::Mul(i, g));
  if (args.lstm.peephole != nullptr) {
    pre_o = hn::MulAdd(hn::LoadU(d, args.lstm.peephole + LstmPeephole::kOutput * args.lstm.peephole_row + x.unit), c,
                       pre_o);
  }
  const F32Vec o = gates.Recurrent(pre_o);
  hn::StoreU(RoundTo(args.lstm.c_rounding, c), d, c_state);
  x.SaveGate(LstmGate::kInput, gates.Kept(pre_i, i));
  x.SaveGate(LstmGate::kForget, gates.Kept(pre_f, f));
  x.SaveGate(LstmGate::kCandidate, gates.Kept(pre_g, g));
  x.SaveGate(LstmGate::kOutput, gates.Kept(pre_o, o));
  x.StoreH(hn::Mul(o, gates.Output(c)));
}

template <class G, class X>
HWY_INLINE void GruGates(const X& x) {
  const F32Tag d;
  const CellArgs& args = x.args;
  const G gates(args.gates);
  const F32Vec pre_u = x.Gate(GruGate::kUpdate), pre_r = x.Gate(GruGate::kReset);
  const F32Vec u = gates.Recurrent(pre_u);
  const F32Vec r = gates.Recurrent(pre_r);
  x.SaveGate(GruGate::kUpdate, gates.Kept(pre_u, u));
  x.SaveGate(GruGate::kReset, gates.Kept(pre_r, r));
  hn::StoreU(x.Attend(u), d, args.gru.update + x.row * args.gru.update_row + x.unit);
  x.StoreResetH(hn::Mul(r, x.HPrev()));
}

template <class G, class X>
HWY_INLINE void GruCandidate(const X& x) {
  const F32Tag d;
  const G gates(x.args.gates);
  constexpr int kGate = GruGate::kCandidate - NumFirstPassGates(Cell::kGru);  // of the second pass
  const F32Vec pre_o = x.Gate(kGate);
  const F32Vec o = gates.Candidate(pre_o);
  x.SaveGate(kGate, gates.Kept(pre_o, o));
  x.StoreH(gates.Blend(hn::LoadU(d, x.args.gru.update + x.row * x.args.gru.update_row + x.unit), o, x.HPrev()));
}

template <class G, class X>
HWY_INLINE void LbrGruCell(const X& x) {
  const G gates(x.args.gates);
  const F32Vec pre_u = x.GateOfBoth(GruGate::kUpdate), pre_r = x.GateOfBoth(GruGate::kReset);
  const F32Vec u = gates.Recurrent(pre_u);
  const F32Vec r = gates.Recurrent(pre_r);
  const F32Vec linear = x.IterOnly(GruGate::kCandidate);
  const F32Vec pre_o = hn::MulAdd(r, linear, x.InputOnly(GruGate::kCandidate));
  const F32Vec o = gates.Candidate(pre_o);
  x.SaveGate(GruGate::kUpdate, gates.Kept(pre_u, u));
  x.SaveGate(GruGate::kReset, gates.Kept(pre_r, r));
  x.SaveGate(GruGate::kCandidate, gates.Kept(pre_o, o));
  x.SaveLinear(linear);
  x.StoreH(gates.Blend(x.Attend(u), o, x.HPrev()));
}

template <class X>
HWY_INLINE void Projection(const X& x) {
  constexpr int kOnly = 0;  // a projection has one column for each unit
  x.StoreH(x.Gate(kOnly));
}

// CELL is inlined: of a lambda, GCC makes a function that is called for each vector where the kernel is large (u8 3 %).
template <class S, void (*CELL)(const Lanes<S>&)>
HWY_INLINE void ForEachVector(const CellArgs& args, const CellTile<typename Lanes<S>::Acc>& tile, Dim gates) {
  const Quantizer quantizer(args.int8.quantization);
  for (Dim row = tile.rows.begin; row < tile.rows.end; ++row) {
    const auto* acc = tile.acc + (row - tile.rows.begin) * tile.row_size;
    for (Dim block = tile.blocks.begin; block < tile.blocks.end; ++block) {
      for (Dim lane = 0; lane < kBlock; lane += kLanes) {
        const Dim unit = block * kBlock + lane;
        const Lanes<S> x({args, quantizer, row, unit, block * gates * kBlock + lane, args.units - unit},
                         acc + (block - tile.blocks.begin) * gates * kBlock + lane);
        if (x.valid > 0) {
          CELL(x);
        } else if (args.training.gates != nullptr) {
          for (int g = 0; g < gates; ++g) x.SaveGate(g, hn::Zero(F32Tag()));
          x.SaveLinear(hn::Zero(F32Tag()));
        }
      }
    }
  }
}

// The first operation of a time step. G: the functions of all cells but the vanilla RNN.
template <class S, class G>
HWY_INLINE void FinishGatesOf(const CellArgs& args, const CellTile<typename Lanes<S>::Acc>& tile) {
  switch (args.cell) {
    case Cell::kVanillaRnn:
      if (!IsInlined(args.activation.kind) || args.gates != nullptr) {
        return ForEachVector<S, RnnCellOfAny<Lanes<S>>>(args, tile, NumFirstPassGates(Cell::kVanillaRnn));
      }
      return ForEachVector<S, RnnCell<Lanes<S>>>(args, tile, NumFirstPassGates(Cell::kVanillaRnn));
    case Cell::kLstm:
      return ForEachVector<S, LstmCell<G, Lanes<S>>>(args, tile, NumFirstPassGates(Cell::kLstm));
    case Cell::kGru:
    case Cell::kAugru:
      return ForEachVector<S, GruGates<G, Lanes<S>>>(args, tile, NumFirstPassGates(Cell::kGru));
    case Cell::kLbrGru:
    case Cell::kLbrAugru:
      return ForEachVector<S, LbrGruCell<G, Lanes<S>>>(args, tile, NumFirstPassGates(Cell::kLbrGru));
  }
}

template <class S>
HWY_INLINE void FinishGates(const CellArgs& args, const CellTile<typename Lanes<S>::Acc>& tile) {
  if (args.gates == nullptr) return FinishGatesOf<S, SpecGates>(args, tile);
  FinishGatesOf<S, OwnGates>(args, tile);
}

template <class S>
HWY_INLINE void FinishCandidate(const CellArgs& args, const CellTile<typename Lanes<S>::Acc>& tile) {
  if (args.gates == nullptr) return ForEachVector<S, GruCandidate<SpecGates, Lanes<S>>>(args, tile, 1);
  ForEachVector<S, GruCandidate<OwnGates, Lanes<S>>>(args, tile, 1);
}

template <class S>
HWY_INLINE void FinishTileOf(TileOp op, const CellArgs& args, const CellTile<typename Lanes<S>::Acc>& tile) {
  switch (op) {
    case TileOp::kStore:
      return;
    case TileOp::kGates:
      return FinishGates<S>(args, tile);
    case TileOp::kCandidate:
      return FinishCandidate<S>(args, tile);
    case TileOp::kProjection:
      return ForEachVector<S, Projection<Lanes<S>>>(args, tile, 1);
  }
}

// S is a CellTypes. The loop nest calls this for each tile; inlined there, its copies would be a third of the library's code.
template <class S>
HWY_NOINLINE void FinishTile(TileOp op, const CellArgs& args, const CellTile<typename Lanes<S>::Acc>& tile) {
  if constexpr (std::is_same<typename S::Operand, uint8_t>::value) {
    if (args.dynamic.h != nullptr) return FinishTileOf<WithDynamicStates<S>>(op, args, tile);
  }
  FinishTileOf<S>(op, args, tile);
}

}  // namespace HWY_NAMESPACE
}  // namespace optimized
}  // namespace tandem
HWY_AFTER_NAMESPACE();

#endif  // TANDEM_OPTIMIZED_KERNELS_CELL_INL_H_
