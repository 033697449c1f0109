// Storages of bf16 and s8 for a processor with tiles of its own, AMX, or its emulation. A tile of weights is 16 groups of k of one
// block as they lie packed (layout.h), a tile of A 64 bytes of 16 rows.
//
// A sum of bf16 takes 32 k at a time: even and odd products apart, from zero, then both, then what was there before. All rows have
// that order, however many there are and whichever thread has them.

// Per-target include guard.
#if defined(TANDEM_OPTIMIZED_KERNELS_STORAGE_TILES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_OPTIMIZED_KERNELS_STORAGE_TILES_INL_H_
#undef TANDEM_OPTIMIZED_KERNELS_STORAGE_TILES_INL_H_
#else
#define TANDEM_OPTIMIZED_KERNELS_STORAGE_TILES_INL_H_
#endif

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "api/core/types.h"
#include "hwy/highway.h"
#include "optimized/kernels/kernels.h"
#include "optimized/kernels/micro_kernel-inl.h"
#include "optimized/kernels/storage_float-inl.h"
#include "optimized/kernels/storage_s8-inl.h"
#include "optimized/kernels/vectors-inl.h"
#include "optimized/machine/target.h"
#include "optimized/tiles/amx_tiles.h"
#include "optimized/tiles/emulated_tiles.h"
#include "optimized/tiles/tile_thread.h"

#if HWY_ARCH_X86_64 && HWY_TARGET == HWY_AVX3_SPR
#define TANDEM_TILES AmxTiles
#elif !HWY_ARCH_WASM && (HWY_TARGET == HWY_AVX3_ZEN4 || HWY_TARGET == HWY_STATIC_TARGET)
#define TANDEM_TILES EmulatedTiles
#endif

#if defined(TANDEM_TILES)
HWY_BEFORE_NAMESPACE();
namespace tandem {
namespace optimized {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tiles = TANDEM_TILES;
constexpr Feature kTilesFeature = std::is_same<Tiles, EmulatedTiles>::value ? Feature::kAmxEmulated : Feature::kAmx;
// One row waits for its weights, which vectors of 512 bits read as fast.
constexpr bool kRowByVectors = HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3;
constexpr Dim kTileGroups = kMostTileRows;

// body(0), ..., body(N - 1), the numbers known to the compiler.
template <int N, class Body, int I = 0>
HWY_INLINE void Unrolled(const Body& body) {
  if constexpr (I < N) {
    body(std::integral_constant<int, I>());
    Unrolled<N, Body, I + 1>(body);
  }
}

// HEIGHT x WIDTH tiles of sums, at most four: out = init + a * b for the `steps` next times `groups` groups of k. With two by two,
// each tile of A and of weights is loaded once for two products.
template <class S, int HEIGHT, int WIDTH>
HWY_INLINE void MultiplyGrid(const Tile<S>& tile, Dim steps, Dim groups) {
  constexpr int kSum = ProductTiles::kSum, kA = ProductTiles::kA, kWeights = ProductTiles::kWeights;
  constexpr Dim kElement = static_cast<Dim>(sizeof(typename S::Factor)), kAcc = 4;
  const Product<S>& product = tile.product[0];
  const typename S::Factor* a = product.a;
  const typename S::Weight* b = product.b;
  const Dim a_stride = product.a_row * kElement, lower = kMostTileRows * product.a_row;
  Unrolled<HEIGHT * WIDTH>([&](auto i) {
    constexpr int kRow = i / WIDTH, kColumn = i % WIDTH;
    Tiles::template Load<kSum + 2 * kRow + kColumn>(tile.init + kRow * kMostTileRows * tile.init_row + kColumn * kBlock,
                                                    tile.init_row * kAcc);
  });
  for (Dim step = 0; step < steps; ++step) {
    if (product.ahead->Fetch()) product.ahead->Fetch();  // 16 groups, of which the loop over k takes 8 at a time
    Unrolled<HEIGHT>([&](auto i) { Tiles::template Load<kA + i>(a + i * lower, a_stride); });
    Unrolled<WIDTH>([&](auto j) {
      Tiles::template Load<kWeights + j % 2>(b + j * product.b_stream, kMostTileBytes);
      Unrolled<HEIGHT>([&](auto i) { S::template AddTiles<kSum + 2 * i + j, kA + i, kWeights + j % 2>(); });
    });
    a += groups * S::kGroup;
    b += groups * S::kGroup * kBlock;
  }
  Unrolled<HEIGHT * WIDTH>([&](auto i) {
    constexpr int kRow = i / WIDTH, kColumn = i % WIDTH;
    Tiles::template Store<kSum + 2 * kRow + kColumn>(tile.out + kRow * kMostTileRows * tile.out_row + kColumn * kBlock,
                                                     tile.out_row * kAcc);
  });
}

// The tile from block `block` on.
template <class S>
HWY_INLINE Tile<S> From(Tile<S> tile, Dim block) {
  tile.product[0].b += block * tile.product[0].b_stream;
  tile.init += block * kBlock;
  tile.out += block * kBlock;
  return tile;
}

// `steps` times `groups` groups of k.
template <class S>
HWY_NOINLINE void MultiplyByTiles(const Tile<S>& tile, Dim rows, Dim vectors, Dim steps, Dim groups) {
  TileThread<Tiles>::Configure({static_cast<int>(rows), static_cast<int>(groups)});
  const auto run = [&](auto height, auto width, Dim from) {
    MultiplyGrid<S, height, width>(From(tile, from), steps, groups);
  };
  using One = std::integral_constant<int, 1>;
  using Two = std::integral_constant<int, 2>;
  if (rows <= kMostTileRows && vectors == 4) return run(One(), std::integral_constant<int, 4>(), 0);
  for (Dim from = 0; from < vectors; from += 2) {
    const bool pair = from + 2 <= vectors;
    if (rows <= kMostTileRows) {
      pair ? run(One(), Two(), from) : run(One(), One(), from);
    } else {
      pair ? run(Two(), Two(), from) : run(Two(), One(), from);
    }
  }
}

// AMX's tiles and the emulated ones share these members. Groups of k that do not fill a tile have a configuration of their own:
// behind a stream is the next one, whose values times zero may be NaN.
struct TileStorage : RegisterTiles {
  static constexpr bool kInRegisters = false;
  static constexpr int kTileRows = ProductTiles::kMostRows;
  static constexpr int kMaxRows = kTileRows;
  static constexpr int kSums = 4 * kMostTileRows * kBlockVectors;
  static bool RunsOn(const Target& target) { return target.Has(kTilesFeature); }
  static void Begin() { TileThread<Tiles>::Begin(); }
  static void End() { TileThread<Tiles>::End(); }

  static HWY_INLINE Dim NumTiles(Dim rows, Dim) { return CeilDiv(rows, Dim{kTileRows}); }
  // Even heights need fewer configurations.
  static HWY_INLINE Dim TileHeight(Dim left, Dim) { return CeilDiv(left, CeilDiv(left, Dim{kTileRows})); }

  template <class S>
  static HWY_INLINE void MultiplyTile(const Tile<S>& tile, Dim rows, Dim vectors) {
    if constexpr (kRowByVectors) {
      if (rows == 1) return S::MultiplyOneRow(tile, vectors);
    }
    const Dim steps = tile.product[0].groups / kTileGroups, tail = tile.product[0].groups % kTileGroups;
    if (steps > 0 || tail == 0) MultiplyByTiles(tile, rows, vectors, steps, kTileGroups);
    if (tail == 0) return;
    Tile<S> rest = tile;
    rest.product[0].a += steps * kTileGroups * S::kGroup;
    rest.product[0].b += steps * kTileGroups * S::kGroup * kBlock;
    if (steps > 0) {
      rest.init = tile.out;
      rest.init_row = tile.out_row;
    }
    MultiplyByTiles(rest, rows, vectors, 1, tail);
  }
};

struct Bf16AmxStorage : TileStorage {
  using Weight = hwy::bfloat16_t;
  using Operand = hwy::bfloat16_t;
  using Factor = hwy::bfloat16_t;
  using AccTag = F32Tag;
  static constexpr int kGroup = 2;
  static constexpr int kPadding = kGroup;
  static constexpr DataType kOperand = DataType::kBf16;
  static constexpr double kMacsPerCycle = 512;

  template <int SUM, int A, int WEIGHTS>
  static void AddTiles() {
    Tiles::template AddBf16<SUM, A, WEIGHTS>();
  }

  template <class S>
  static HWY_INLINE void MultiplyTile(const Tile<S>& tile, Dim rows, Dim vectors) {
    TileStorage::MultiplyTile(tile, rows, vectors);
    if (tile.bias == nullptr) return;
    for (Dim row = 0; row < rows; ++row) {
      float* HWY_RESTRICT out = tile.out + row * tile.out_row;
      for (Dim i = 0; i < vectors * kBlock; i += kLanes) {
        hn::StoreU(hn::Add(hn::LoadU(F32Tag(), out + i), hn::LoadU(F32Tag(), tile.bias + i)), F32Tag(), out + i);
      }
    }
  }

  template <class S>
  static HWY_INLINE void MultiplyOneRow(const Tile<S>& tile, Dim vectors) {
    if (vectors == 4) return MultiplyBlocks<4>(tile);
    for (Dim i = 0; i < vectors; ++i) MultiplyBlocks<1>(From(tile, i));
  }

 private:
  // The order of sums of the tiles. Their flushing of subnormals is the thread's mode while it multiplies (threading.h).
  template <int BLOCKS, class S>
  static HWY_NOINLINE void MultiplyBlocks(const Tile<S>& tile) {
    constexpr int kVectors = BLOCKS * kBlockVectors;
    const F32Tag d;
    const hn::Repartition<hwy::bfloat16_t, F32Tag> pairs;
    const Product<S>& product = tile.product[0];
    const hwy::bfloat16_t* HWY_RESTRICT a = product.a;
    Weights<hwy::bfloat16_t, kGroup> b = {product.b, product.b_stream};
    F32Vec sum[kVectors];
    HWY_UNROLL(16)
    for (int j = 0; j < kVectors; ++j) sum[j] = hn::LoadU(d, tile.init + j * kLanes);
    for (Dim left = product.groups; left > 0; left -= kTileGroups) {
      F32Vec even[kVectors], odd[kVectors];
      HWY_UNROLL(16)
      for (int j = 0; j < kVectors; ++j) even[j] = odd[j] = hn::Zero(d);
      for (Dim g = 0; g < HWY_MIN(left, kTileGroups); ++g) {
        int32_t pair;
        std::memcpy(&pair, a, sizeof pair);
        const auto x = hn::BitCast(pairs, hn::Set(S32Tag(), pair));
        const F32Vec x_even = WidenEven(x), x_odd = WidenOdd(x);
        HWY_UNROLL(16)
        for (int j = 0; j < kVectors; ++j) {
          const Bf16Pairs w = hn::LoadU(pairs, b.Vector(j));
          even[j] = hn::MulAdd(x_even, WidenEven(w), even[j]);
          odd[j] = hn::MulAdd(x_odd, WidenOdd(w), odd[j]);
        }
        a += kGroup;
        b.at += kBlock * kGroup;
      }
      HWY_UNROLL(16)
      for (int j = 0; j < kVectors; ++j) sum[j] = hn::Add(sum[j], hn::Add(even[j], odd[j]));
    }
    HWY_UNROLL(16)
    for (int j = 0; j < kVectors; ++j) hn::StoreU(sum[j], d, tile.out + j * kLanes);
  }
};

// u8 x s8: exact, so that one row may be multiplied by any instructions.
struct S8AmxStorage : TileStorage {
  using Weight = int8_t;
  using Operand = uint8_t;
  using Factor = uint8_t;
  using AccTag = S32Tag;
  static constexpr int kGroup = 4;
  static constexpr int kPadding = kGroup;
  static constexpr DataType kOperand = DataType::kU8;
  static constexpr double kMacsPerCycle = 1024;

  template <int SUM, int A, int WEIGHTS>
  static void AddTiles() {
    Tiles::template AddBytes<SUM, A, WEIGHTS>();
  }

  template <class S>
  static HWY_INLINE void MultiplyOneRow(const Tile<S>& tile, Dim vectors) {
    const Product<S>& from = tile.product[0];
    const Tile<S8Storage> row = {{{from.a, from.a_row, from.b, from.b_stream, from.groups, from.ahead}},
                                 tile.init,
                                 tile.init_row,
                                 nullptr,
                                 tile.out,
                                 tile.out_row,
                                 tile.weights_in};
    MultiplyRows<1>(row, vectors);
  }

 private:
  template <int BLOCKS>
  static HWY_INLINE void MultiplyRows(const Tile<S8Storage>& row, Dim vectors) {
    if constexpr (BLOCKS <= kMaxPanelVectors) {
      if (vectors == BLOCKS) return MicroKernel<S8Storage, 1, BLOCKS>(row);
      MultiplyRows<BLOCKS + 1>(row, vectors);
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace optimized
}  // namespace tandem
HWY_AFTER_NAMESPACE();
#undef TANDEM_TILES
#else
namespace tandem {
namespace optimized {
namespace HWY_NAMESPACE {
using Bf16AmxStorage = void;  // no such kernels
using S8AmxStorage = void;
}  // namespace HWY_NAMESPACE
}  // namespace optimized
}  // namespace tandem
#endif

#endif  // TANDEM_OPTIMIZED_KERNELS_STORAGE_TILES_INL_H_
