// The loops around the micro-kernel: pieces of k, panels, segments, tiles; and the gate math after each tile.

// Per-target include guard.
#if defined(TANDEM_OPTIMIZED_KERNELS_LOOP_NEST_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_OPTIMIZED_KERNELS_LOOP_NEST_INL_H_
#undef TANDEM_OPTIMIZED_KERNELS_LOOP_NEST_INL_H_
#else
#define TANDEM_OPTIMIZED_KERNELS_LOOP_NEST_INL_H_
#endif

#include <algorithm>
#include <type_traits>

#include "hwy/highway.h"
#include "optimized/kernels/cell-inl.h"
#include "optimized/kernels/contracts.h"
#include "optimized/kernels/kernels.h"
#include "optimized/kernels/micro_kernel-inl.h"
#include "optimized/kernels/prefetch-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tandem {
namespace optimized {
namespace HWY_NAMESPACE {

// The blocks of a panel, or of a few panels, that lie in the caller's range; none where there is no such panel.
HWY_INLINE Range BlocksOf(const TileArgs& args, Dim panel_blocks, Dim panel) {
  const Dim end = std::min(args.total_blocks, (panel + 1) * panel_blocks);
  return {std::max(panel * panel_blocks, args.blocks.begin), std::min(end, args.blocks.end)};
}

template <class S>
constexpr bool kStages = !std::is_same<typename S::Operand, typename S::Factor>::value;

// Multiplies with rows of `a`. Operands of another type than the product's factors are staged in pieces of 12 KB; each sum
// goes on where the piece before left it.
template <class S>
HWY_INLINE void MultiplyOperand(Tile<S> tile, const typename S::Operand* a, Dim rows, Dim vectors) {
  Product<S>& product = tile.product[0];
  if constexpr (!kStages<S>) {
    product.a = a;
    S::MultiplyTile(tile, rows, vectors);
  } else {
    if constexpr (S::kMultipliesRow) {
      if (rows == 1) {
        return S::MultiplyRow(a, product.groups, {product.b, product.b_stream}, vectors, tile.init, tile.out);
      }
    }
    constexpr Dim kPiece = kTuning.tile.staged_k;
    constexpr Dim kPad = kTuning.tile.staged_pad;
    const Dim a_row = product.a_row;
    const Dim piece = rows <= S::kTileRows ? kPiece : kPiece * S::kTileRows / S::kMaxRows;
    const Dim staged_row = piece + kPad;
    HWY_ALIGN typename S::Factor staged[S::kTileRows * kPiece + S::kMaxRows * kPad];
    product.a = staged;
    product.a_row = staged_row;
    const float* bias = tile.bias;
    Dim left = product.groups * S::kGroup;
    do {
      const Dim n = std::min(left, piece);
      for (Dim i = 0; i < rows; ++i) S::Stage(a + i * a_row, n, staged + i * staged_row);
      product.groups = n / S::kGroup;
      tile.bias = n == left ? bias : nullptr;
      S::MultiplyTile(tile, rows, vectors);
      a += n;
      product.b += n * kBlock;
      tile.init = tile.out;
      tile.init_row = tile.out_row;
      left -= n;
    } while (left > 0);
  }
}

// Panels that are multiplied before the gate math of all. Without VNNI the chain of a GRU's u8, from bytes to bytes, is longer
// than others; an LSTM's next product overlaps with its gate math.
template <class S>
HWY_INLINE Dim PanelsAtOnce(const TileArgs& args) {
  if (args.op == TileOp::kStore || args.rows.size() > 1) return 1;
  if constexpr (kStages<S>) return S::kMultipliesRow && args.gates <= 2 ? kTuning.loop.staged_panels_of_row : 1;
  return kTuning.loop.panels_of_row;
}

// One tile times panels that lie side by side.
template <class S>
HWY_INLINE void MultiplyPanels(const TileArgs& args, Tile<S> tile, const typename S::Operand* a, Dim rows,
                               Dim vectors) {
  if constexpr (kStages<S>) return MultiplyOperand<S>(tile, a, rows, vectors);
  const Dim panel = args.panel_blocks * args.gates;
  for (; vectors > 0; vectors -= panel) {
    MultiplyOperand<S>(tile, a, rows, std::min(panel, vectors));
    tile.product[0].b += panel * tile.product[0].b_stream;
    tile.init += panel * kBlock;
    if (tile.bias != nullptr) tile.bias += panel * kBlock;
    tile.out += panel * kBlock;
  }
}

// A panel, or a few side by side, and what is fetched for the next.
template <int PRODUCTS>
struct Panel {
  Range blocks;
  FetchAhead ahead[PRODUCTS];
};

template <class S>
HWY_INLINE Product<S> ProductOf(const ProductArgs& args, Range groups, Dim column, FetchAhead* ahead) {
  Product<S> product;
  product.a = nullptr;
  product.a_row = args.a_row;
  product.b =
      static_cast<const typename S::Weight*>(args.weights) + column * args.k_padded + groups.begin * kBlock * S::kGroup;
  product.b_stream = kBlock * args.k_padded;
  product.groups = groups.size();
  product.ahead = ahead;
  return product;
}

// Groups of k, with the zeros that A and weights are padded with.
template <class S>
HWY_INLINE Dim GroupsOf(Dim k) {
  return CeilDiv(k, S::kPadding) * (S::kPadding / S::kGroup);
}

template <class S>
HWY_INLINE Range InputGroups(const TileArgs& args) {
  return {0, GroupsOf<S>(args.input.k)};
}

// The tile has neither rows of A nor of sums yet.
template <class S, int PRODUCTS>
HWY_INLINE Tile<S, PRODUCTS> TileOf(const TileArgs& args, Range groups, Panel<PRODUCTS>* panel) {
  const Dim column = panel->blocks.begin * args.gates * kBlock;
  constexpr int kLast = PRODUCTS - 1;
  Tile<S, PRODUCTS> tile;
  tile.product[kLast] = ProductOf<S>(args.product, groups, column, &panel->ahead[kLast]);
  if constexpr (PRODUCTS == 2) {
    tile.product[0] = ProductOf<S>(args.input, InputGroups<S>(args), column, &panel->ahead[0]);
  }
  tile.init_row = groups.begin == 0 ? args.init_row : args.out_row;
  const bool whole = groups.end == GroupsOf<S>(args.product.k);
  tile.bias = args.bias != nullptr && whole ? args.bias + column : nullptr;
  tile.weights_in = args.weights_in;
  return tile;
}

template <class S>
HWY_INLINE Dim NumTiles(const TileArgs& args) {
  return S::NumTiles(args.rows.size(), args.product.a_row * static_cast<Dim>(sizeof(typename S::Operand)));
}

template <class S, int PRODUCTS>
void RunSegment(const TileArgs& args, Range groups, Dim segment, Panel<PRODUCTS>* panel) {
  using Acc = typename Tile<S>::Acc;
  using Operand = typename S::Operand;
  const Range& blocks = panel->blocks;
  const Dim column = blocks.begin * args.gates * kBlock;
  const Dim vectors = blocks.size() * args.gates;
  Tile<S, PRODUCTS> tile = TileOf<S, PRODUCTS>(args, groups, panel);
  HWY_ALIGN Acc scratch[S::kMaxRows * kMaxPanelVectors * kBlock];

  const Dim tiles = NumTiles<S>(args);
  const bool fetch =
      tiles > 1 && groups.size() + (PRODUCTS == 2 ? InputGroups<S>(args).size() : 0) >= kTuning.loop.prefetched_groups;
  Dim row = args.rows.begin;
  for (Dim t = 0; t < tiles; ++t) {
    const Dim height = S::TileHeight(args.rows.end - row, tiles);
    const auto* a = static_cast<const Operand*>(args.product.a) + segment * args.a_segment + row * args.product.a_row +
                    groups.begin * S::kGroup;
    tile.init = static_cast<const Acc*>(args.init) + row * args.init_row + column;
    if (args.op == TileOp::kStore) {
      tile.out = static_cast<Acc*>(args.out) + segment * args.out_segment + row * args.out_row + column;
      tile.out_row = args.out_row;
      if (groups.begin > 0) tile.init = tile.out;
      // The sums that a tile adds to may come from memory.
      if ((fetch || args.init == args.out) && t + 1 < tiles) {
        PrefetchTile(tile.out + height * tile.out_row, tile.out_row, height, vectors * kBlock);
      }
      if constexpr (PRODUCTS == 1) MultiplyOperand<S>(tile, a, height, vectors);
    } else {
      tile.out = scratch;
      tile.out_row = vectors * kBlock;
      if (fetch) PrefetchCell<S>(args, {row, row + height}, blocks);
      if constexpr (PRODUCTS == 1) {
        if (fetch && t + 1 < tiles) {
          PrefetchTile(tile.init + height * tile.init_row, tile.init_row, height, vectors * kBlock);
        }
        MultiplyPanels<S>(args, tile, a, height, vectors);
      } else {
        tile.product[0].a = static_cast<const Operand*>(args.input.a) + row * args.input.a_row;
        tile.product[1].a = a;
        S::MultiplyTile(tile, height, vectors);
      }
      const CellTile<Acc> cell_tile = {scratch, vectors * kBlock, {row, row + height}, blocks};
      FinishTile<CellTypesOf<S>>(args.op, *args.cell, cell_tile);
    }
    row += height;
  }
}

template <class S, int PRODUCTS = 1>
void RunPanels(const TileArgs& args, Range groups) {
  const Dim panel_blocks = args.panel_blocks * PanelsAtOnce<S>(args);
  const Dim first = args.blocks.begin / panel_blocks;
  const Dim last = CeilDiv(args.blocks.end, panel_blocks) - 1;
  const Dim tiles = args.segments * NumTiles<S>(args);
  const Dim step = args.sweep == Sweep::kForward ? 1 : -1;
  const Dim begin = step > 0 ? first : last;
  Panel<PRODUCTS> panel;
  for (Dim at = begin; first <= at && at <= last; at += step) {
    panel.blocks = BlocksOf(args, panel_blocks, at);
    const Range next = BlocksOf(args, panel_blocks, at + step);
    if constexpr (PRODUCTS == 1) {
      panel.ahead[0] = NextPanel<S>(args, args.product, next, groups, tiles);
    } else {
      panel.ahead[0] = at == begin ? RowsAhead<S>(args, args.input)
                                   : NextPanel<S>(args, args.input, next, InputGroups<S>(args), tiles);
      panel.ahead[1] =
          at == begin ? RowsAhead<S>(args, args.product) : NextPanel<S>(args, args.product, next, groups, tiles);
    }
    for (Dim segment = 0; segment < args.segments; ++segment) RunSegment<S>(args, groups, segment, &panel);
  }
}

template <class S>
void RunPieces(const TileArgs& args, Dim groups) {
  const Dim pieces = CeilDiv(groups, kTuning.loop.piece_groups);
  constexpr Dim kWhole = 16;  // groups of which a processor's own tile takes all at once
  const auto begin = [&](Dim i) { return i == pieces ? groups : groups * i / pieces / kWhole * kWhole; };
  for (Dim i = 0; i < pieces; ++i) RunPanels<S>(args, {begin(i), begin(i + 1)});
}

template <class S>
void RunTiles(const TileArgs& args) {
  if (ContractsAreChecked()) CheckBegun();
  Check(args, S::kOperand, S::kPadding);
  if (args.blocks.size() <= 0 || args.rows.size() <= 0) return;
  const Dim groups = GroupsOf<S>(args.product.k);
  if constexpr (S::kAddsInput) {
    if (args.input.k > 0) return RunPanels<S, 2>(args, {0, groups});
  }
  // One tile reads its weights once, whatever the order.
  const bool one_tile = args.segments * NumTiles<S>(args) == 1;
  if (args.op != TileOp::kStore || groups <= kTuning.loop.piece_groups || one_tile)
    return RunPanels<S>(args, {0, groups});
  if (args.segments > 1) return RunPieces<S>(args, groups);
  // Even parts of whole tiles.
  const Dim tiles = CeilDiv(args.rows.size(), S::kTileRows), parts = CeilDiv(args.rows.size(), kTuning.loop.piece_rows);
  TileArgs part = args;
  for (Dim i = 0; i < parts; ++i) {
    part.rows.begin = args.rows.begin + tiles * i / parts * S::kTileRows;
    part.rows.end = std::min(args.rows.end, args.rows.begin + tiles * (i + 1) / parts * S::kTileRows);
    RunPieces<S>(part, groups);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace optimized
}  // namespace tandem
HWY_AFTER_NAMESPACE();

#endif  // TANDEM_OPTIMIZED_KERNELS_LOOP_NEST_INL_H_
