// The micro-kernel: the sums of a tile, a few rows by the vectors of one panel, stay in registers while k runs. And the
// geometry of such tiles, which a storage has by deriving from RegisterTiles.

// Per-target include guard.
#if defined(TANDEM_OPTIMIZED_KERNELS_MICRO_KERNEL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_OPTIMIZED_KERNELS_MICRO_KERNEL_INL_H_
#undef TANDEM_OPTIMIZED_KERNELS_MICRO_KERNEL_INL_H_
#else
#define TANDEM_OPTIMIZED_KERNELS_MICRO_KERNEL_INL_H_
#endif

#include <algorithm>
#include <type_traits>

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "optimized/kernels/kernels.h"
#include "optimized/kernels/prefetch-inl.h"
#include "optimized/kernels/vectors-inl.h"
#include "optimized/machine/target.h"

HWY_BEFORE_NAMESPACE();
namespace tandem {
namespace optimized {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class S>
constexpr bool kPairedSums = S::kSumsPerVector == 2;
template <class S>
constexpr int kPassRows = kPairedSums<S> ? S::kMaxRows : HWY_MIN(S::kMaxRows, S::kSums / kBlockVectors);

// Groups of k in a turn of the loop over k. One or two rows leave the loop's own instructions time enough.
template <class S, int MR>
constexpr Dim kTurnOf = MR >= 3 ? S::kTurn : 1;

// Rows of A times the weights of a tile.
template <class S>
struct Product {
  const typename S::Factor* a;
  Dim a_row;
  const typename S::Weight* b;
  Dim b_stream;  // weights from one gate of one block to the next
  Dim groups;
  FetchAhead* ahead;
};

// One tile, whose sums have one product, or two: W x and U h.
template <class S, int PRODUCTS = 1>
struct Tile {
  using Acc = hn::TFromD<typename S::AccTag>;
  Product<S> product[PRODUCTS];
  const Acc* init;
  Dim init_row;
  const float* bias;  // of f32 sums; may be null
  Acc* out;
  Dim out_row;
  WeightsIn weights_in;
};

template <class S, int MR, int NV>
using Sums = Accumulators<hn::Vec<typename S::AccTag>, MR, NV * S::kSumsPerVector>;

// The next GROUPS groups of k, without a loop. Weights AHEAD groups further are fetched, if it is not 0.
template <class S, int MR, int NV, Dim GROUPS, Dim AHEAD>
HWY_INLINE void MultiplyGroups(OperandRows<typename S::Factor, MR>& rows, Weights<typename S::Weight, S::kGroup>& b,
                               Sums<S, MR, NV>& acc) {
  HWY_UNROLL(8)
  for (Dim g = 0; g < GROUPS; ++g) {
    const Weights<typename S::Weight, S::kGroup> at = {b.at + g * kBlock * S::kGroup, b.stream, b.first};
    if constexpr (AHEAD > 0) {
      for (int j = 0; j < NV; j += kBlockVectors) hwy::Prefetch(at.Vector(j) + AHEAD * kBlock * S::kGroup);
    }
    S::template MultiplyGroup<MR, NV>(rows, g * S::kGroup, at, acc);
  }
  HWY_UNROLL(16)
  for (int i = 0; i < MR; ++i) rows.at[i] += GROUPS * S::kGroup;
  b.at += GROUPS * kBlock * S::kGroup;
}

// MR rows from `row` on by NV vectors: in one block, from `column` on, or from vector FIRST of the block at `column` on.
template <class S, int MR, int NV, int FIRST, Dim AHEAD>
HWY_INLINE void AddProduct(const Product<S>& product, Dim row, Dim column, Sums<S, MR, NV>& acc) {
  const typename S::Factor* HWY_RESTRICT a = product.a + row * product.a_row;
  Weights<typename S::Weight, S::kGroup> b = {
      product.b + column / kBlock * product.b_stream + column % kBlock * S::kGroup, product.b_stream, FIRST};
  const Dim a_row = product.a_row;
#if HWY_ARCH_ARM_A64
  // One loop: of a body that stands twice, GCC makes a function with the sums in memory.
  for (Dim g = product.groups; g > 0; --g) {
    S::template MultiplyGroup<MR, NV>(OperandRowsAt<MR>(a, a_row), 0, b, acc);
    a += S::kGroup;
    b.at += kBlock * S::kGroup;
  }
#else
  auto rows = OperandRowsAt<MR>(a, a_row);
  // Inlined by force: it stands twice, and the compiler would make a function with the sums in memory.
  const auto multiply = [&](Dim groups) HWY_ATTR __attribute__((always_inline)) {
    constexpr Dim kTurn = kTurnOf<S, MR>;
    for (; groups >= kTurn; groups -= kTurn) MultiplyGroups<S, MR, NV, kTurn, AHEAD>(rows, b, acc);
    if constexpr (kTurn > 1) {
      for (; groups > 0; --groups) MultiplyGroups<S, MR, NV, 1, AHEAD>(rows, b, acc);
    }
  };
  Dim left = product.groups;
  // One tile of several has at least three rows. The other case has a loop of its own for the sake of small products.
  if constexpr (MR >= 3) {
    for (; left > kTuning.loop.fetch_groups && product.ahead->Fetch(); left -= kTuning.loop.fetch_groups) {
      multiply(kTuning.loop.fetch_groups);
    }
  }
  multiply(left);
#endif
}

// One bias for all rows.
template <class S, int MR, int NV>
HWY_INLINE void AddBias(const float* HWY_RESTRICT bias, Sums<S, MR, NV>& acc) {
  HWY_UNROLL(16)
  for (int j = 0; j < NV; ++j) {
    const F32Vec b = hn::LoadU(F32Tag(), bias + j * kLanes);
    HWY_UNROLL(16)
    for (int i = 0; i < MR; ++i) acc.at[i][j] = hn::Add(acc.at[i][j], b);
  }
}

// The sums of the same rows and vectors.
template <class S, int MR, int NV, int FIRST = 0, Dim AHEAD = 0, int PRODUCTS>
HWY_INLINE void MultiplyPass(const Tile<S, PRODUCTS>& tile, Dim row, Dim column) {
  const typename S::AccTag d;
  Sums<S, MR, NV> acc;
  const typename Tile<S>::Acc* HWY_RESTRICT init = tile.init + row * tile.init_row + column + FIRST * kLanes;
  HWY_UNROLL(16)
  for (int i = 0; i < MR; ++i) {
    HWY_UNROLL(16)
    for (int j = 0; j < NV * S::kSumsPerVector; ++j) {
      if constexpr (kPairedSums<S>) {
        acc.at[i][j] = hn::Zero(d);
      } else {
        acc.at[i][j] = hn::LoadU(d, init + i * tile.init_row + j * kLanes);
      }
    }
  }
  // A loop: of a body that stands twice, GCC makes a function with the sums in memory.
  for (int p = 0; p < PRODUCTS; ++p) AddProduct<S, MR, NV, FIRST, AHEAD>(tile.product[p], row, column, acc);
  if constexpr (std::is_same<typename Tile<S>::Acc, float>::value) {
    if (tile.bias != nullptr) AddBias<S, MR, NV>(tile.bias + column + FIRST * kLanes, acc);
  }
  typename Tile<S>::Acc* HWY_RESTRICT out = tile.out + row * tile.out_row + column + FIRST * kLanes;
  HWY_UNROLL(16)
  for (int i = 0; i < MR; ++i) {
    HWY_UNROLL(16)
    for (int j = 0; j < NV; ++j) {
      auto sum = acc.at[i][j];
      if constexpr (kPairedSums<S>) {
        sum = hn::Add(S::Merge(acc.at[i][2 * j], acc.at[i][2 * j + 1]),
                      hn::LoadU(d, init + i * tile.init_row + j * kLanes));
      }
      hn::StoreU(sum, d, out + i * tile.out_row + j * kLanes);
    }
  }
}

// The vectors whose sums the registers hold: with paired sums beside the weights of both and two more.
template <class S, int MR>
constexpr int FittingVectors() {
  return kPairedSums<S> ? (kRegisters - 2) / (2 * (MR + 1)) : S::kSums / MR;
}

// The vectors of one pass: as many as the registers hold, or fewer if all passes then have the same length. Whole blocks,
// unless these leave eight sums or less, when two multiply-adds can begin in each cycle, and one takes four. (Additions
// of s32 take one.)
template <class S, int MR, int VECTORS>
constexpr int PassVectors() {
  constexpr int kFit = FittingVectors<S, MR>();
  constexpr int kFitBlocks = kFit / kBlockVectors;
  constexpr bool kWhole = kPairedSums<S> || kFitBlocks == 0 || MR * kFitBlocks * kBlockVectors > 8;
  constexpr int kStep = kWhole ? kBlockVectors : 1;
  constexpr int kMost = kWhole ? HWY_MAX(1, kFitBlocks) * kBlockVectors : kFit;
  return static_cast<int>(RoundUp(EvenPart(VECTORS, kMost), kStep));
}

// If a row's sums do not all fit the registers, stream by stream: a pass over half of each cache line would fetch the
// other half from L2 a second time.
template <class S, int MR, int VECTORS, int FIRST = 0, int PRODUCTS>
HWY_INLINE void MultiplyVectors(const Tile<S, PRODUCTS>& tile, Dim row) {
  if constexpr (kPairedSums<S> && FittingVectors<S, MR>() < kBlockVectors) {
    // The stream of a gate, 16 bytes for each k, is still in the L1 cache when the next pass over it begins.
    constexpr int kVectors = FittingVectors<S, MR>() >= 2 ? 2 : 1;
    for (Dim column = 0; column < VECTORS * kLanes; column += kVectors * kLanes) {
      MultiplyPass<S, MR, kVectors>(tile, row, column);
    }
  } else if constexpr (FIRST < VECTORS) {
    constexpr int kVectors = HWY_MIN((PassVectors<S, MR, VECTORS>()), VECTORS - FIRST);
    MultiplyPass<S, MR, kVectors, FIRST % kBlockVectors>(tile, row, FIRST / kBlockVectors * kBlock);
    MultiplyVectors<S, MR, VECTORS, FIRST + kVectors>(tile, row);
  }
}

// A pass takes as many rows as have their sums of a block in registers, or fewer if all passes are then alike.
template <class S, int MR, int BLOCKS, int PRODUCTS>
HWY_INLINE void MultiplyPasses(const Tile<S, PRODUCTS>& tile, Dim row) {
  constexpr int kRows = static_cast<int>(EvenPart(MR, kPassRows<S>));
  MultiplyVectors<S, kRows, BLOCKS * kBlockVectors>(tile, row);
  if constexpr (MR > kRows) MultiplyPasses<S, MR - kRows, BLOCKS>(tile, row + kRows);
}

// One or two rows times weights from L3: two streams at a time, whose lines are fetched into L1 ahead.
template <class S, int MR, int BLOCKS>
HWY_NOINLINE void MultiplyFromL3(const Tile<S>& tile) {
  for (Dim block = 0; block < BLOCKS; block += 2) {
    MultiplyPass<S, MR, 2 * kBlockVectors, 0, kTuning.tile.groups_from_l3>(tile, 0, block * kBlock);
  }
}

template <class S, int MR, int BLOCKS, int PRODUCTS>
HWY_NOINLINE void MicroKernel(const Tile<S, PRODUCTS>& tile) {
  if constexpr (MR <= 2 && BLOCKS % 2 == 0 && PRODUCTS == 1 && S::kReadsFromL3) {
    if (tile.weights_in == WeightsIn::kL3) return MultiplyFromL3<S, MR, BLOCKS>(tile);
  }
  MultiplyPasses<S, MR, BLOCKS>(tile, 0);
}

// With kLeastInputRows rows or more, each tile has at least so many.
constexpr int kLeastRowsOfMany = 3;

// Calls the template whose numbers are those that are known at run time.
template <class S, int NV, int MR, int PRODUCTS>
HWY_INLINE void MultiplyRows(const Tile<S, PRODUCTS>& tile, Dim rows) {
  constexpr int kMost = PRODUCTS == 1 ? S::kMaxRows : S::kTileRows;
  if constexpr (MR <= kMost) {
    if (rows == MR) return MicroKernel<S, MR, NV>(tile);
    MultiplyRows<S, NV, MR + 1>(tile, rows);
  } else {
    HWY_DASSERT(rows >= 1 && rows <= kMost);
  }
}

template <class S, int NV = 1, int PRODUCTS>
HWY_INLINE void Multiply(const Tile<S, PRODUCTS>& tile, Dim rows, Dim vectors) {
  if constexpr (PRODUCTS == 2) {
    HWY_DASSERT(rows >= kLeastRowsOfMany);
    if (vectors == kMaxPanelVectors) return MultiplyRows<S, kMaxPanelVectors, kLeastRowsOfMany>(tile, rows);
    // The last panel, if the blocks do not fill it.
    Tile<S> one = {{tile.product[0]}, tile.init, tile.init_row, nullptr, tile.out, tile.out_row, tile.weights_in};
    Multiply<S>(one, rows, vectors);
    one.bias = tile.bias;
    one.product[0] = tile.product[1];
    one.init = tile.out;
    one.init_row = tile.out_row;
    Multiply<S>(one, rows, vectors);
  } else if constexpr (NV <= kMaxPanelVectors) {
    if (vectors == NV) return MultiplyRows<S, NV, 1>(tile, rows);
    Multiply<S, NV + 1>(tile, rows, vectors);
  } else {
    HWY_DASSERT(vectors >= 1 && vectors <= kMaxPanelVectors);
  }
}

// The members that storages share whose sums stay in vector registers. A storage with tiles of another kind has members of its
// own in place of these.
struct RegisterTiles {
  static constexpr int kTileRows = static_cast<int>(kTuning.tile.rows);      // of each of several tiles
  static constexpr int kMaxRows = static_cast<int>(kTuning.tile.most_rows);  // of the only tile, on whichever processor
  // 24 sums, 4 weights and a broadcast fit 32 registers; 16 registers hold half as many. V8 compiles WebAssembly for 15, of which
  // weights and products take some: 12 sums are at 13 GMAC/s, 8 at 27 (Zen 5).
  static constexpr int kSums = HWY_TARGET == HWY_WASM ? 8 : kRegisters * 3 / 4;
  static constexpr Dim kTurn = 1;                // groups of k in a turn of the loop over k
  static constexpr int kSumsPerVector = 1;       // accumulators of a vector of outputs
  static constexpr bool kReadsFromL3 = false;    // heeds WeightsIn::kL3
  static constexpr bool kInRegisters = true;     // the sums, while k runs
  static constexpr bool kAddsInput = false;      // serves TileArgs::input
  static constexpr bool kMultipliesRow = false;  // has MultiplyRow() for a single row
  static constexpr int32_t kOffset = 0;          // Kernels::offset
  static constexpr double kMacsPerCycle = 0;     // Kernels::macs_per_cycle; 0: as vectors multiply
  static bool RunsOn(const Target&) { return true; }
  // Around all that a thread multiplies: Kernels::begin, Kernels::end.
  static void Begin() {}
  static void End() {}

  // The rows are `row_bytes` apart.
  static HWY_INLINE Dim NumTiles(Dim rows, Dim row_bytes) {
    if (rows <= kTileRows) return 1;
    if (rows > kMaxRows) return CeilDiv(rows, kTileRows);
    const TileTuning& tile = TileOfThisProcessor();
    const bool crowded = tile.way_bytes > 0 && rows >= tile.crowded_rows && row_bytes % tile.way_bytes == 0;
    return rows <= tile.most_rows && !crowded ? 1 : CeilDiv(rows, kTileRows);
  }
  // The rows of the next tile, of `left` rows. As many tiles of six as possible, which multiply fastest; but eight rows
  // are 4 + 4, not 6 + 2.
  static HWY_INLINE Dim TileHeight(Dim left, Dim tiles) {
    if (tiles == 1 || left <= kTileRows) return left;
    return left < kTileRows + 4 ? CeilDiv(left, Dim{2}) : Dim{kTileRows};
  }
  // out = init + a * weights, `rows` rows by `vectors` blocks of one panel.
  template <class S, int PRODUCTS>
  static HWY_INLINE void MultiplyTile(const Tile<S, PRODUCTS>& tile, Dim rows, Dim vectors) {
    Multiply<S>(tile, rows, vectors);
  }

 private:
  // One code serves several targets (compiled_targets.h), so that it is the processor that decides.
  static HWY_INLINE const TileTuning& TileOfThisProcessor() {
    static const TileTuning tile = TuningOf(HWY_TARGET, ThisProcessor()).tile;
    return tile;
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace optimized
}  // namespace tandem
HWY_AFTER_NAMESPACE();

#endif  // TANDEM_OPTIMIZED_KERNELS_MICRO_KERNEL_INL_H_
