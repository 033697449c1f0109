// One row of one layer. A step of a small layer is a chain of latencies: k multiply-adds for each sum, two activations, h
// stored and read again. So the sums of several vectors of units stay in registers from the products to the cell, W x is
// added in the same pass, and nothing is decided in a step that is known before. The sums and the cells are those of the
// tiles: the bits are equal.

// Per-target include guard.
#if defined(TANDEM_OPTIMIZED_KERNELS_ROW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_OPTIMIZED_KERNELS_ROW_INL_H_
#undef TANDEM_OPTIMIZED_KERNELS_ROW_INL_H_
#else
#define TANDEM_OPTIMIZED_KERNELS_ROW_INL_H_
#endif

#include <algorithm>
#include <type_traits>

#include "hwy/highway.h"
#include "optimized/kernels/cell-inl.h"
#include "optimized/kernels/kernels.h"
#include "optimized/kernels/micro_kernel-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tandem {
namespace optimized {
namespace HWY_NAMESPACE {

// Storages whose products are those of A as it is, with f32 sums.
template <class S>
constexpr bool kStepsRows = std::is_same<typename S::Operand, typename S::Factor>::value&&
    std::is_same<typename S::AccTag, F32Tag>::value&& S::kInRegisters;

// The weights of one group of k for UNITS vectors of units and all GATES of each: Vector(unit * GATES + gate).
template <class W, int GROUP, int GATES, int UNITS>
struct RowWeights {
  const W* at[UNITS];  // gate 0
  Dim stream;          // from one gate to the next
  HWY_INLINE const W* Vector(int j) const { return at[j / GATES] + j % GATES * stream; }
};

template <int GATES, int UNITS>
using RowSums = Accumulators<F32Vec, 1, GATES * UNITS>;

// Vectors of units from `first` on.
template <class S, int GATES, int UNITS>
HWY_INLINE void AddRow(const ProductArgs& product, Dim first, RowSums<GATES, UNITS>& sums) {
  if (product.k == 0) return;  // it has no weights
  using Weight = typename S::Weight;
  RowWeights<Weight, S::kGroup, GATES, UNITS> weights;
  weights.stream = kBlock * product.k_padded;
  HWY_UNROLL(4)
  for (int u = 0; u < UNITS; ++u) {
    const Dim vector = first + u;
    weights.at[u] = static_cast<const Weight*>(product.weights) + vector / kBlockVectors * GATES * weights.stream +
                    vector % kBlockVectors * kLanes * S::kGroup;
  }
  using Factor = typename S::Factor;
  OperandRows<Factor, 1> a = {{static_cast<const Factor*>(product.a)}};
  for (Dim left = CeilDiv(product.k, Dim{S::kGroup}); left > 0; --left) {
    S::template MultiplyGroup<1, GATES * UNITS>(a, 0, weights, sums);
    a.at[0] += S::kGroup;
    HWY_UNROLL(4)
    for (int u = 0; u < UNITS; ++u) weights.at[u] += kBlock * S::kGroup;
  }
}

// The columns of a vector of units, in the part.
template <int GATES>
HWY_INLINE Dim ColumnOf(Dim vector) {
  return vector / kBlockVectors * GATES * kBlock + vector % kBlockVectors * kLanes;
}

template <int GATES, int UNITS>
HWY_INLINE void StartSums(const void* init, Dim first, RowSums<GATES, UNITS>& sums) {
  HWY_UNROLL(16)
  for (int j = 0; j < GATES * UNITS; ++j) {
    const Dim column = ColumnOf<GATES>(first + j / GATES) + j % GATES * kBlock;
    sums.at[0][j] = hn::LoadU(F32Tag(), static_cast<const float*>(init) + column);
  }
}

template <int GATES, int UNITS>
HWY_INLINE void AddRowBias(const float* bias, Dim first, RowSums<GATES, UNITS>& sums) {
  if (bias == nullptr) return;
  HWY_UNROLL(16)
  for (int j = 0; j < GATES * UNITS; ++j) {
    const Dim column = ColumnOf<GATES>(first + j / GATES) + j % GATES * kBlock;
    sums.at[0][j] = hn::Add(sums.at[0][j], hn::LoadU(F32Tag(), bias + column));
  }
}

// RowLanes does as Lanes, with the sums in registers. Rows of h are as long as the blocks, so that whole vectors are stored.
// Beyond the last unit these are zeros where a group of k is read as a whole: the weights are zero there, but zero times
// infinity is NaN.
template <class S>
struct RowLanes : CellLanes<S> {
  using typename CellLanes<S>::Operand;
  using CellLanes<S>::args;
  const F32Vec* iter;   // of each gate: U h, or the sum of both products
  const F32Vec* input;  // of each gate: W x, where it is apart

  HWY_INLINE RowLanes(const CellLanes<S>& lanes, const F32Vec* its_iter, const F32Vec* its_input)
      : CellLanes<S>(lanes), iter(its_iter), input(its_input) {}

  HWY_INLINE F32Vec Gate(int g) const { return PreActivation(g, iter[g], args.int8.column_bias); }
  HWY_INLINE F32Vec GateOfBoth(int g) const {
    return PreActivation(g, hn::Add(input[g], iter[g]), args.int8.column_bias);
  }
  HWY_INLINE F32Vec InputOnly(int g) const { return PreActivation(g, input[g], args.int8.column_bias); }
  HWY_INLINE F32Vec IterOnly(int g) const { return PreActivation(g, iter[g], args.int8.iter_bias); }
  HWY_INLINE F32Vec PreActivation(int g, F32Vec sum, const float* bias) const {
    if constexpr (kScalesColumns<S>) {
      return this->ScaleColumns(g, sum, bias);
    } else {
      return sum;
    }
  }
  HWY_INLINE F32Vec HPrev() const {
    return LoadState(this->quantizer, static_cast<const Operand*>(args.h_prev) + this->unit, kLanes);
  }
  HWY_INLINE void StoreH(F32Vec h) const {
    const F32Vec rounded = RoundTo(args.rounding, h);
    StoreState(this->quantizer, OfUnits(rounded), static_cast<Operand*>(args.h) + this->unit, kLanes);
    if (args.h_copy == nullptr) return;
    StoreState(this->quantizer, rounded, static_cast<Operand*>(args.h_copy) + this->unit, this->valid);
  }
  HWY_INLINE void StoreResetH(F32Vec reset_h) const {
    auto* to = static_cast<Operand*>(args.gru.reset_h) + this->unit;
    StoreState(this->quantizer, OfUnits(RoundTo(args.rounding, reset_h)), to, kLanes);
  }
  HWY_INLINE F32Vec OfUnits(F32Vec values) const {
    if constexpr (S::kGroup > 1) {
      const size_t count = static_cast<size_t>(HWY_MIN(this->valid, kLanes));
      return hn::IfThenElseZero(hn::FirstN(F32Tag(), count), values);
    } else {
      return values;
    }
  }
};

// This says whether W x and U h are summed together. The cells of LBR need both.
enum class Products { kTogether, kApart };

// The cells of UNITS vectors of units. A recursion, because GCC keeps the sums in memory for a loop.
template <class S, int GATES, void (*CELL)(const RowLanes<S>&), int UNITS, int DONE = 0>
HWY_INLINE void FinishUnits(const CellArgs& cell, Dim first, const RowSums<GATES, UNITS>& iter,
                            const RowSums<GATES, UNITS>& input) {
  const Quantizer quantizer(cell.int8.quantization);
  const Dim unit = (first + DONE) * kLanes;
  CELL(RowLanes<S>({cell, quantizer, 0, unit, ColumnOf<GATES>(first + DONE), cell.units - unit},
                   &iter.at[0][DONE * GATES], &input.at[0][DONE * GATES]));
  if constexpr (DONE + 1 < UNITS) FinishUnits<S, GATES, CELL, UNITS, DONE + 1>(cell, first, iter, input);
}

// UNITS vectors of units from `first` on.
template <class S, int GATES, Products PRODUCTS, void (*CELL)(const RowLanes<S>&), int UNITS>
HWY_INLINE void StepUnits(const TileArgs& args, Dim first) {
  RowSums<GATES, UNITS> iter, input;
  if constexpr (PRODUCTS == Products::kApart) {
    StartSums<GATES, UNITS>(args.init, first, iter);
    AddRow<S, GATES, UNITS>(args.product, first, iter);
    AddRowBias<GATES, UNITS>(args.bias, first, iter);
    if (args.input.k > 0) {
      StartSums<GATES, UNITS>(args.init, first, input);
      AddRow<S, GATES, UNITS>(args.input, first, input);
      AddRowBias<GATES, UNITS>(args.input_bias, first, input);
    } else {
      StartSums<GATES, UNITS>(args.cell->lbr.gx, first, input);
    }
  } else {
    StartSums<GATES, UNITS>(args.init, first, iter);
    AddRow<S, GATES, UNITS>(args.input, first, iter);
    AddRow<S, GATES, UNITS>(args.product, first, iter);
    AddRowBias<GATES, UNITS>(args.bias, first, iter);
  }
  FinishUnits<S, GATES, CELL, UNITS>(*args.cell, first, iter, input);
}

// Sums that leave registers for a value of A and, where it is no operand in memory, for weights.
constexpr int kRowSums = kRegisters == 32 ? 24 : 12;

// Several blocks at a time are faster as long as L1 holds a good part of the weights. But streams at distances that are multiples
// of 4 KB share the sets of L1: an LSTM of 128 units takes 6.8 us with four blocks at a time and 4.0 with one (Zen 5).
template <class S, int GATES>
HWY_INLINE bool TakesSeveralBlocks(const TileArgs& args) {
  constexpr Dim kMostBytes = 160 << 10, kMostOfSameSets = 64 << 10, kPage = 4 << 10;
  constexpr Dim kStreamBytes = kBlock * static_cast<Dim>(sizeof(typename S::Weight));  // for each k
  const Dim stream = args.product.k_padded * kStreamBytes;
  return stream * GATES * args.total_blocks <= (stream % kPage == 0 ? kMostOfSameSets : kMostBytes);
}

template <class S, int GATES, Products PRODUCTS, void (*CELL)(const RowLanes<S>&)>
void StepRow(const TileArgs& args) {
  constexpr int kSums = GATES * (PRODUCTS == Products::kApart ? 2 : 1);
  constexpr int kMost = std::min(4, std::max(1, kRowSums / kSums));
  const Dim end = std::min(args.blocks.end * kBlockVectors, CeilDiv(args.cell->units, kLanes));
  Dim first = args.blocks.begin * kBlockVectors;
  const Dim passes =
      CeilDiv(end - first, TakesSeveralBlocks<S, GATES>(args) ? Dim{kMost} : Dim{std::min(kMost, kBlockVectors)});
  for (Dim pass = 0; pass < passes; ++pass) {
    const Dim units = CeilDiv(end - first, passes - pass);
    if constexpr (kMost >= 4) {
      if (units == 4) StepUnits<S, GATES, PRODUCTS, CELL, 4>(args, first);
    }
    if constexpr (kMost >= 3) {
      if (units == 3) StepUnits<S, GATES, PRODUCTS, CELL, 3>(args, first);
    }
    if constexpr (kMost >= 2) {
      if (units == 2) StepUnits<S, GATES, PRODUCTS, CELL, 2>(args, first);
    }
    if (units == 1) StepUnits<S, GATES, PRODUCTS, CELL, 1>(args, first);
    first += units;
  }
}

// The function that serves an operation of a cell; null where the storage's sums are no f32 vectors.
template <class S>
RowFunction RowFunctionOf([[maybe_unused]] TileOp op, [[maybe_unused]] Cell cell) {
  if constexpr (kStepsRows<S>) {
    using X = RowLanes<S>;
    if (op == TileOp::kCandidate) return &StepRow<S, 1, Products::kTogether, GruCandidate<SpecGates, X>>;
    if (op == TileOp::kProjection) return &StepRow<S, 1, Products::kTogether, Projection<X>>;
    switch (cell) {
      case Cell::kVanillaRnn:
        return &StepRow<S, NumFirstPassGates(Cell::kVanillaRnn), Products::kTogether, RnnCell<X>>;
      case Cell::kLstm:
        return &StepRow<S, NumFirstPassGates(Cell::kLstm), Products::kTogether, LstmCell<SpecGates, X>>;
      case Cell::kGru:
      case Cell::kAugru:
        return &StepRow<S, NumFirstPassGates(Cell::kGru), Products::kTogether, GruGates<SpecGates, X>>;
      case Cell::kLbrGru:
      case Cell::kLbrAugru:
        return &StepRow<S, NumFirstPassGates(Cell::kLbrGru), Products::kApart, LbrGruCell<SpecGates, X>>;
    }
  }
  return nullptr;
}

}  // namespace HWY_NAMESPACE
}  // namespace optimized
}  // namespace tandem
HWY_AFTER_NAMESPACE();

#endif  // TANDEM_OPTIMIZED_KERNELS_ROW_INL_H_
