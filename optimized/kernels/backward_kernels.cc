#define TANDEM_TARGETS (HWY_SSE2 | HWY_AVX2 | HWY_AVX3)
#include "optimized/machine/compiled_targets.h"
// After the targets:
#include <iterator>

#include "optimized/kernels/backward_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/backward_kernels.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After foreach_target.h:
#include <cstring>

#include "api/core/gates.h"
#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "optimized/kernels/backward_cell-inl.h"
#include "optimized/kernels/contracts.h"
#include "optimized/machine/dispatch.h"
#include "optimized/weights/element.h"

HWY_BEFORE_NAMESPACE();
namespace tandem {
namespace optimized {
namespace HWY_NAMESPACE {

void Cells(const BackwardCellArgs& args) {
  Check(args);
  RunBackwardCell(args);
}

void ResetGate(const BackwardCellArgs& args) {
  CheckReset(args);
  RunResetGate(args);
}

// The gradients are exact in bf16, so nothing is rounded.
HWY_INLINE void StorePair(F32Vec even, F32Vec odd, uint16_t* to) {
  const S32Tag d;
  // The processor's byte order decides which half of a lane comes first in memory.
  const F32Vec first = HWY_IS_LITTLE_ENDIAN ? even : odd, second = HWY_IS_LITTLE_ENDIAN ? odd : even;
  const auto low = hn::ShiftRight<16>(hn::BitCast(hn::RebindToUnsigned<S32Tag>(), first));
  const auto high = hn::And(hn::BitCast(d, second), hn::Set(d, static_cast<int32_t>(0xffff0000u)));
  hn::StoreU(hn::Or(hn::BitCast(d, low), high), d, reinterpret_cast<int32_t*>(to));
}

// The blocks of a panel in one of its rows: in place, or put together from pieces.
class PanelRow {
 public:
  explicit PanelRow(const PackGradientArgs& args) : args_(args), together_(!PiecesAreBlocks(args)) {}

  void Take(Dim row) {
    from_ = args_.rows + row * args_.row;
    if (!together_) return;
    for (int i = 0; i < args_.n_pieces; ++i) Copy(from_ + args_.piece[i].from, columns_ + args_.piece[i].to);
    const F32Tag d;
    for (Dim lane = 0; lane < kBlock; lane += kLanes) hn::StoreU(hn::Zero(d), d, columns_ + args_.columns + lane);
  }
  const float* Block(Dim block) const {
    return together_ ? columns_ + block * kBlock : from_ + args_.piece[block].from;
  }

 private:
  static bool PiecesAreBlocks(const PackGradientArgs& args) {
    for (int i = 0; i < args.n_pieces; ++i) {
      if (args.piece[i].to != i * kBlock) return false;
    }
    return args.columns == args.n_pieces * kBlock;
  }
  static void Copy(const float* from, float* to) {
    const F32Tag d;
    for (Dim lane = 0; lane < kBlock; lane += kLanes) hn::StoreU(hn::LoadU(d, from + lane), d, to + lane);
  }

  const PackGradientArgs& args_;
  const bool together_;
  const float* from_ = nullptr;
  HWY_ALIGN float columns_[kPanelColumns + kBlock];  // and the rest of the last piece
};

// Rows lie pages apart, so each of them costs a miss in the first-level TLB, and the processor's prefetchers do not follow.
// (GCC drops calls of a function that only prefetches, unless it is inlined by force.)
HWY_INLINE void FetchColumns(const PackGradientArgs& args, Dim row) {
  for (int i = 0; i < args.n_pieces; ++i) hwy::Prefetch(args.rows + row * args.row + args.piece[i].from);
}

// Writes zeros behind the last group of rows in each stream. (Not inlined: PackGradient() would keep more in memory.)
HWY_NOINLINE void ZeroPadding(const PackGradientArgs& args, Dim stream) {
  const size_t size = SizeOf(args.type);
  const Dim begin = RoundUp(args.count, GroupOf(args.type)) * kBlock;
  for (Dim block = 0; block < CeilDiv(args.columns, kBlock); ++block) {
    auto* to = static_cast<char*>(args.packed) + static_cast<size_t>(block * stream + begin) * size;
    std::memset(to, 0, static_cast<size_t>(stream - begin) * size);
  }
}

void PackGradient(const PackGradientArgs& args) {
  Check(args);
  const F32Tag d;
  constexpr Dim kRowsAhead = kTuning.backward.packed_rows_ahead;
  HWY_ALIGN float unused[kPanelColumns] = {};
  float* HWY_RESTRICT sums = args.sums == nullptr ? unused : args.sums;
  const Dim step = args.type == DataType::kF32 ? 1 : 2;
  PanelRow even_row(args), odd_row(args);
  // A block is a stream over rows.
  const Dim stream = RoundUp(args.count, args.padding) * kBlock;
  for (Dim row = 0; row < args.count; row += step) {
    for (Dim next = row + kRowsAhead; next < HWY_MIN(row + kRowsAhead + step, args.count); ++next) {
      FetchColumns(args, next);
    }
    even_row.Take(row);
    const bool has_odd = step == 2 && row + 1 < args.count;
    if (has_odd) odd_row.Take(row + 1);
    for (Dim column = 0; column < args.columns; column += kBlock) {
      const float* even_block = even_row.Block(column / kBlock);
      const float* odd_block = has_odd ? odd_row.Block(column / kBlock) : nullptr;
      for (Dim lane = 0; lane < kBlock; lane += kLanes) {
        const F32Vec even = hn::LoadU(d, even_block + lane);
        const Dim at = column / kBlock * stream + row * kBlock + lane * step;
        F32Vec sum = hn::Add(hn::LoadU(d, sums + column + lane), even);
        if (args.type == DataType::kF32) {
          hn::StoreU(even, d, static_cast<float*>(args.packed) + at);
        } else {
          const F32Vec odd = has_odd ? hn::LoadU(d, odd_block + lane) : hn::Zero(d);
          StorePair(even, odd, static_cast<uint16_t*>(args.packed) + at);
          sum = hn::Add(sum, odd);
        }
        hn::StoreU(sum, d, sums + column + lane);
      }
    }
  }
  if (args.padding > step) ZeroPadding(args, stream);
}

void NarrowRows(const NarrowRowsArgs& args) {
  Check(args);
  const F32Tag d;
  const hn::RebindToUnsigned<F32Tag> du;
  const hn::Rebind<uint16_t, F32Tag> d16;
  constexpr Dim kLanes = hn::MaxLanes(d);
  for (Dim row = args.rows.begin; row < args.rows.end; ++row) {
    for (Dim i = args.first; i < args.first + args.n; i += kLanes) {
      const auto bits = hn::BitCast(du, hn::LoadU(d, args.from.At(row) + i));
      hn::StoreU(hn::TruncateTo(d16, hn::ShiftRight<16>(bits)), d16, args.to + row * args.to_row + i);
    }
  }
}

void PeepholeGradient(const PeepholeGradientArgs& args) {
  Check(args);
  const F32Tag d;
  constexpr Dim kLanes = hn::MaxLanes(d);
  constexpr const CellTraits& kTraits = cells::kLstm;
  constexpr int kGateOf[] = {GateOfPeephole(kTraits, 0), GateOfPeephole(kTraits, 1), GateOfPeephole(kTraits, 2)};
  constexpr int kPeepholes = std::size(kGateOf);
  static_assert(kPeepholes == kTraits.peepholes);
  for (Dim unit = args.blocks.begin * kBlock; unit < args.blocks.end * kBlock; unit += kLanes) {
    const Dim column = unit / kBlock * kTraits.gates * kBlock + unit % kBlock;
    for (int p = 0; p < kPeepholes; ++p) {
      const ConstRows& state = p == LstmPeephole::kOutput ? args.c : args.c_prev;
      if (state.base == nullptr) continue;
      float* to = args.sums + p * args.sums_row + unit;
      F32Vec sum = hn::LoadU(d, to);
      for (Dim row = args.rows.begin; row < args.rows.end; ++row) {
        const float* diff = args.diff_gates.At(row) + column + kGateOf[p] * kBlock;
        sum = hn::MulAdd(hn::LoadU(d, diff), hn::LoadU(d, state.At(row) + unit), sum);
      }
      hn::StoreU(sum, d, to);
    }
  }
}

void AddRows(const AddRowsArgs& args) {
  Check(args);
  const F32Tag d;
  constexpr Dim kLanes = hn::MaxLanes(d);
  for (Dim row = args.rows.begin; row < args.rows.end; ++row) {
    for (Dim i = 0; i < RoundUp(args.n, kBlock); i += kLanes) {
      F32Vec sum = hn::Zero(d);
      const Dim left = args.n - i;
      if (left > 0) {
        const size_t n = static_cast<size_t>(left < kLanes ? left : kLanes);
        if (args.a.base != nullptr) sum = hn::LoadN(d, args.a.At(row) + i, n);
        if (args.b.base != nullptr) sum = hn::Add(sum, hn::LoadN(d, args.b.At(row) + i, n));
      }
      hn::StoreU(RoundTo(args.rounding, sum), d, args.to.At(row) + i);
    }
  }
}

void StoreBlock(const StoreBlockArgs& args) {
  Check(args);
  const F32Tag d;
  constexpr Dim kLanes = hn::MaxLanes(d);
  const bool add = args.mode == DiffWeightsMode::kAccumulate;
  for (Dim row = 0; row < args.rows; ++row) {
    // The rows may lie pages apart, and the caller stores their blocks one after the other.
    __builtin_prefetch(args.to.At(row) + 4 * kBlock, 1, 3);
    for (Dim i = 0; i < args.n; i += kLanes) {
      float* to = args.to.At(row) + i;
      const float* from = args.from.At(row) + i;
      const size_t n = static_cast<size_t>(args.n - i);
      if (n >= static_cast<size_t>(kLanes)) {
        const F32Vec sum = hn::LoadU(d, from);
        hn::StoreU(add ? hn::Add(hn::LoadU(d, to), sum) : sum, d, to);
      } else {
        const F32Vec sum = hn::LoadN(d, from, n);
        hn::StoreN(add ? hn::Add(hn::LoadN(d, to, n), sum) : sum, d, to, n);
      }
    }
  }
}

// Four by four in registers; sixteen by sixteen at a time, so that cache lines are written as a whole.
void TransposeBlock(const TransposeRowsArgs& args, Dim row, Dim k) {
  const hn::FixedTag<float, 4> d;
  for (Dim i = 0; i < kBlock; i += 4) {
    for (Dim j = 0; j < kBlock; j += 4) {
      const auto r0 = hn::LoadU(d, args.from.At(row + j) + k + i), r1 = hn::LoadU(d, args.from.At(row + j + 1) + k + i);
      const auto r2 = hn::LoadU(d, args.from.At(row + j + 2) + k + i);
      const auto r3 = hn::LoadU(d, args.from.At(row + j + 3) + k + i);
      const auto low01 = hn::InterleaveLower(d, r0, r1), high01 = hn::InterleaveUpper(d, r0, r1);
      const auto low23 = hn::InterleaveLower(d, r2, r3), high23 = hn::InterleaveUpper(d, r2, r3);
      hn::StoreU(hn::ConcatLowerLower(d, low23, low01), d, args.to.At(k + i) + row + j);
      hn::StoreU(hn::ConcatUpperUpper(d, low23, low01), d, args.to.At(k + i + 1) + row + j);
      hn::StoreU(hn::ConcatLowerLower(d, high23, high01), d, args.to.At(k + i + 2) + row + j);
      hn::StoreU(hn::ConcatUpperUpper(d, high23, high01), d, args.to.At(k + i + 3) + row + j);
    }
  }
}

void TransposeRows(const TransposeRowsArgs& args) {
  Check(args);
  for (Dim k0 = args.k.begin; k0 < args.k.end; k0 += kBlock) {
    for (Dim row0 = 0; row0 < args.rows; row0 += kBlock) {
      if (k0 + kBlock <= args.k.end && row0 + kBlock <= args.rows) {
        // The next channels, into L2: rows of a power of two share a few sets of L1.
        for (Dim row = row0; row < row0 + kBlock; ++row) __builtin_prefetch(args.from.At(row) + k0 + kBlock, 0, 2);
        for (Dim k = k0; k < k0 + kBlock; ++k) __builtin_prefetch(args.to.At(k) + row0 + kBlock, 1, 3);
        TransposeBlock(args, row0, k0);
        continue;
      }
      for (Dim k = k0; k < HWY_MIN(k0 + kBlock, args.k.end); ++k) {
        for (Dim row = row0; row < HWY_MIN(row0 + kBlock, args.rows); ++row) {
          // A client's rows may begin at any byte.
          std::memcpy(args.to.At(k) + row, args.from.At(row) + k, sizeof(float));
        }
      }
    }
  }
}

BackwardKernels MakeBackwardKernels() {
  return {&Cells, &ResetGate, &PackGradient, &PeepholeGradient, &AddRows, &NarrowRows, &StoreBlock, &TransposeRows};
}

}  // namespace HWY_NAMESPACE
}  // namespace optimized
}  // namespace tandem
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tandem {
namespace optimized {

HWY_EXPORT(MakeBackwardKernels);
BackwardKernels BackwardKernelsFor(const Target& target) { return TANDEM_DISPATCH(MakeBackwardKernels, target)(); }

}  // namespace optimized
}  // namespace tandem
#endif  // HWY_ONCE
