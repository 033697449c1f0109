// The matrix product of the kernels: panel by panel, tile by tile, and what is fetched ahead.

// Per-target include guard.
#if defined(TANDEM_OPTIMIZED_KERNELS_LOOP_NEST_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_OPTIMIZED_KERNELS_LOOP_NEST_INL_H_
#undef TANDEM_OPTIMIZED_KERNELS_LOOP_NEST_INL_H_
#else
#define TANDEM_OPTIMIZED_KERNELS_LOOP_NEST_INL_H_
#endif

#include <algorithm>

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "optimized/kernels/cell-inl.h"
#include "optimized/kernels/contracts.h"
#include "optimized/kernels/kernels.h"
#include "optimized/kernels/micro_kernel-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tandem {
namespace optimized {
namespace HWY_NAMESPACE {

// The part of a panel, or of a few panels, that lies in the caller's range of blocks.
struct PanelSpan {
  Dim first_block;
  Dim blocks;
};

HWY_INLINE PanelSpan SpanOf(const TileArgs& args, Dim panel_blocks, Dim panel) {
  const Dim panel_begin = panel * panel_blocks;
  const Dim panel_end = std::min(args.total_blocks, panel_begin + panel_blocks);
  const Dim first = std::max(panel_begin, args.blocks.begin);
  const Dim last = std::min(panel_end, args.blocks.end);
  return {first, last - first};
}

// Fetches the first values of `rows` x `columns` accumulators, whose rows may begin within a line, while another tile is
// being computed.
template <class Acc>
HWY_INLINE void PrefetchTile(const Acc* from, Dim row_size, Dim rows, Dim columns) {
  for (Dim i = 0; i < rows; ++i) {
    for (Dim j = 0; j < columns; j += kBlock) hwy::Prefetch(from + i * row_size + j);
    hwy::Prefetch(from + i * row_size + columns - 1);
  }
}

// Prefetches the lines of 64 bytes that the gate math of a tile reads and writes beside the tile.
template <class S>
HWY_INLINE void PrefetchCell(const TileArgs& args, Range rows, Range blocks) {
  const CellArgs& cell = *args.cell;
  for (Dim row = rows.begin; row < rows.end; ++row) {
    for (Dim block = blocks.begin; block < blocks.end; ++block) {
      const Dim unit = block * kBlock;
      const auto* h_prev = static_cast<const typename S::Operand*>(cell.h_prev);
      const auto* h = static_cast<const typename S::Operand*>(cell.h);
      if (h_prev != nullptr) __builtin_prefetch(h_prev + row * cell.h_prev_row + unit, 0, 2);
      if (h != nullptr) __builtin_prefetch(h + row * cell.h_row + unit, 1, 2);
      if (cell.lstm.c != nullptr) __builtin_prefetch(cell.lstm.c + row * cell.lstm.c_row + unit, 1, 2);
      if (cell.gru.update != nullptr) __builtin_prefetch(cell.gru.update + row * cell.gru.update_row + unit, 1, 2);
      for (Dim g = 0; g < args.gates; ++g) {
        const Dim column = (block * args.gates + g) * kBlock;
        if (cell.lbr.gx != nullptr) __builtin_prefetch(cell.lbr.gx + row * cell.lbr.gx_row + column, 0, 2);
        if (cell.training.gates != nullptr) {
          __builtin_prefetch(cell.training.gates + row * cell.training.gates_row + column, 1, 2);
        }
      }
    }
  }
}

// A longer kStore is done in pieces of k, each for all panels before the next: its 256 KB of a panel stay in the L2 cache for
// all rows, 24 KB of six rows in the L1 cache, and those of so many rows in L2 (or near it) for all panels.
constexpr Dim kMaxGroups = 1024;
constexpr Dim kRowsOfPiece = 132;
// A product of at least so many groups of k is long enough to hide the cost of prefetching, which is 3 % of a product of
// u8 with 128 groups.
constexpr Dim kFetchGroups = 384;

// A panel is multiplied in about rows * columns / kSums passes. To fetch so much meanwhile, each stretch takes this many lines,
// divided by the rows for weights, by the columns for A.
template <class S>
constexpr Dim StretchLines() {
  constexpr Dim kBytes = FetchAhead::kStretch * kBlock * S::kGroup * static_cast<Dim>(sizeof(typename S::Weight));
  return kBytes * kSums / kBlockVectors / FetchAhead::kLine;
}

// The weights of `span`, for `groups`, to be fetched while `tiles` of the panel before are multiplied. Nothing if all are in
// the L2 cache anyway, or for one tile, which takes no longer than reading its weights (AVX-512, ten rows: 0.87).
template <class S>
HWY_INLINE FetchAhead NextPanel(const TileArgs& args, const ProductArgs& product, const PanelSpan& span, Range groups,
                                Dim tiles) {
  constexpr Dim kStaysInL2 = 256 << 10;
  constexpr Dim kGroupBytes = kBlock * S::kGroup * static_cast<Dim>(sizeof(typename S::Weight));
  constexpr Dim kMostLines = 6;  // more would delay a stretch
  const Dim stream = kGroupBytes / S::kGroup * product.k_padded;
  FetchAhead ahead;
  if (args.blocks.size() * args.gates * stream <= kStaysInL2 || tiles == 1 || span.blocks <= 0) return ahead;
  ahead.at =
      static_cast<const char*>(product.weights) + span.first_block * args.gates * stream + groups.begin * kGroupBytes;
  ahead.bytes = groups.size() * kGroupBytes;
  ahead.end = ahead.at + ahead.bytes;
  ahead.stream = stream;
  ahead.streams = span.blocks * args.gates - 1;
  ahead.lines = HWY_MIN(kMostLines, CeilDiv(StretchLines<S>(), args.segments * args.rows.size()));
  return ahead;
}

// The rows of A after the first tile's, to be fetched during the first panel of a step, which else waits for them (AVX2, LSTM
// of 256, 64 rows: 2 %). Weights of the second panel need not be fetched: the last step ended with them.
template <class S>
HWY_INLINE FetchAhead RowsAhead(const TileArgs& args, const ProductArgs& product) {
  constexpr Dim kElement = static_cast<Dim>(sizeof(typename S::Operand));
  FetchAhead ahead;
  if (product.k == 0) return ahead;
  const Dim first = args.rows.begin + kTileRows;
  ahead.at = static_cast<const char*>(product.a) + first * product.a_row * kElement;
  ahead.bytes = product.k * kElement;
  ahead.end = ahead.at + ahead.bytes;
  ahead.stream = product.a_row * kElement;
  ahead.streams = args.rows.end - first - 1;
  ahead.lines = CeilDiv(StretchLines<S>(), kMaxPanelVectors * kBlock);
  return ahead;
}

// One row is multiplied with two panels before the gate math of both, whose latencies then overlap (AVX-512, LSTM of 32: 0.81
// of the time; two rows 1.05). Without VNNI the chain of a GRU's u8, from bytes to bytes, is longer: four panels (AVX2, GRU of
// 256: 0.97). An LSTM's would be 1 to 5 % slower, because the next panel's product overlaps with its gate math.
template <class S>
HWY_INLINE Dim PanelsAtOnce(const TileArgs& args) {
  if (args.op == TileOp::kStore || args.rows.size() > 1) return 1;
  if constexpr (kStages<S>) return S::kMultipliesRow && args.gates <= 2 ? 4 : 1;
  return 2;
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
    tile.out += panel * kBlock;
  }
}

// A panel, or a few side by side, and what is fetched for the next.
template <int PRODUCTS>
struct Panel {
  PanelSpan span;
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

template <class S>
HWY_INLINE Range InputGroups(const TileArgs& args) {
  return {0, CeilDiv(args.input.k, S::kGroup)};
}

// Without rows of A and of sums.
template <class S, int PRODUCTS>
HWY_INLINE Tile<S, PRODUCTS> TileOf(const TileArgs& args, Range groups, Panel<PRODUCTS>* panel) {
  const Dim column = panel->span.first_block * args.gates * kBlock;
  constexpr int kLast = PRODUCTS - 1;
  Tile<S, PRODUCTS> tile;
  tile.product[kLast] = ProductOf<S>(args.product, groups, column, &panel->ahead[kLast]);
  if constexpr (PRODUCTS == 2) {
    tile.product[0] = ProductOf<S>(args.input, InputGroups<S>(args), column, &panel->ahead[0]);
  }
  tile.init_row = groups.begin == 0 ? args.init_row : args.out_row;
  tile.weights_in = args.weights_in;
  return tile;
}

template <class S>
HWY_INLINE Dim NumTiles(const TileArgs& args) {
  return NumTiles(args.rows.size(), args.product.a_row * static_cast<Dim>(sizeof(typename S::Operand)));
}

template <class S, int PRODUCTS>
void RunSegment(const TileArgs& args, Range groups, Dim segment, Panel<PRODUCTS>* panel) {
  using Acc = typename Tile<S>::Acc;
  using Operand = typename S::Operand;
  const PanelSpan& span = panel->span;
  const Dim column = span.first_block * args.gates * kBlock;
  const Dim vectors = span.blocks * args.gates;
  Tile<S, PRODUCTS> tile = TileOf<S, PRODUCTS>(args, groups, panel);
  HWY_ALIGN Acc scratch[kMaxRows * kMaxPanelVectors * kBlock];

  const Dim tiles = NumTiles<S>(args);
  const bool fetch = tiles > 1 && groups.size() + (PRODUCTS == 2 ? InputGroups<S>(args).size() : 0) >= kFetchGroups;
  Dim row = args.rows.begin;
  for (Dim t = 0; t < tiles; ++t) {
    const Dim height = TileHeight(args.rows.end - row, tiles);
    const auto* a = static_cast<const Operand*>(args.product.a) + segment * args.a_segment + row * args.product.a_row +
                    groups.begin * S::kGroup;
    tile.init = static_cast<const Acc*>(args.init) + row * args.init_row + column;
    if (args.op == TileOp::kStore) {
      tile.out = static_cast<Acc*>(args.out) + segment * args.out_segment + row * args.out_row + column;
      tile.out_row = args.out_row;
      if (groups.begin > 0) tile.init = tile.out;
      // What is added to may come from memory: gradients of LSTM 512, 80 rows (t, n): 1.22 (AVX-512), 1.10 (AVX2).
      if ((fetch || args.init == args.out) && t + 1 < tiles) {
        PrefetchTile(tile.out + height * tile.out_row, tile.out_row, height, vectors * kBlock);
      }
      if constexpr (PRODUCTS == 1) MultiplyOperand<S>(tile, a, height, vectors);
    } else {
      tile.out = scratch;
      tile.out_row = vectors * kBlock;
      if (fetch) PrefetchCell<S>(args, {row, row + height}, {span.first_block, span.first_block + span.blocks});
      if constexpr (PRODUCTS == 1) {
        if (fetch && t + 1 < tiles) {
          PrefetchTile(tile.init + height * tile.init_row, tile.init_row, height, vectors * kBlock);
        }
        MultiplyPanels<S>(args, tile, a, height, vectors);
      } else {
        tile.product[0].a = static_cast<const Operand*>(args.input.a) + row * args.input.a_row;
        tile.product[1].a = a;
        Multiply<S>(tile, height, vectors);
      }
      const CellTile<Acc> cell_tile = {
          scratch, vectors * kBlock, {row, row + height}, {span.first_block, span.first_block + span.blocks}};
      FinishTile<S>(args.op, *args.cell, cell_tile);
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
    panel.span = SpanOf(args, panel_blocks, at);
    const PanelSpan next = SpanOf(args, panel_blocks, at + step);
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
  const Dim pieces = CeilDiv(groups, kMaxGroups);
  for (Dim i = 0; i < pieces; ++i) RunPanels<S>(args, {groups * i / pieces, groups * (i + 1) / pieces});
}

template <class S>
void RunTiles(const TileArgs& args) {
  Check(args, S::kOperand, S::kGroup);
  if (args.blocks.size() <= 0 || args.rows.size() <= 0) return;
  const Dim groups = CeilDiv(args.product.k, S::kGroup);
  if constexpr (kAddsInput<S>) {
    if (args.input.k > 0) return RunPanels<S, 2>(args, {0, groups});
  }
  // One tile reads its weights once, whatever the order.
  const bool one_tile = args.segments * NumTiles<S>(args) == 1;
  if (args.op != TileOp::kStore || groups <= kMaxGroups || one_tile) return RunPanels<S>(args, {0, groups});
  if (args.segments > 1) return RunPieces<S>(args, groups);
  // Even parts of whole tiles.
  const Dim tiles = CeilDiv(args.rows.size(), kTileRows), parts = CeilDiv(args.rows.size(), kRowsOfPiece);
  TileArgs part = args;
  for (Dim i = 0; i < parts; ++i) {
    part.rows.begin = args.rows.begin + tiles * i / parts * kTileRows;
    part.rows.end = std::min(args.rows.end, args.rows.begin + tiles * (i + 1) / parts * kTileRows);
    RunPieces<S>(part, groups);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace optimized
}  // namespace tandem
HWY_AFTER_NAMESPACE();

#endif  // TANDEM_OPTIMIZED_KERNELS_LOOP_NEST_INL_H_
