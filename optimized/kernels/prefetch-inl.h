// These functions fetch into the caches while a tile is computed: the weights of the next panel, rows of A, the sums and the
// states of the next tile.

// Per-target include guard.
#if defined(TANDEM_OPTIMIZED_KERNELS_PREFETCH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_OPTIMIZED_KERNELS_PREFETCH_INL_H_
#undef TANDEM_OPTIMIZED_KERNELS_PREFETCH_INL_H_
#else
#define TANDEM_OPTIMIZED_KERNELS_PREFETCH_INL_H_
#endif

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "optimized/kernels/kernels.h"
#include "optimized/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tandem {
namespace optimized {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Memory that is fetched into the L2 cache while a panel is multiplied: the weights of the next panel, for which its first tile
// else waits, or rows of A. Each gate of each block, or each row, is a stream, of which a piece is fetched.
struct FetchAhead {
  const char* at = nullptr;
  const char* end = nullptr;  // of the stream's piece
  Dim bytes = 0;              // of a piece
  Dim stream = 0;             // bytes from one stream to the next
  Dim streams = 0;            // that follow
  Dim lines = 0;              // at a time
  // Returns false if there is nothing to fetch any more.
  HWY_INLINE bool Fetch() {
    if (at >= end) {
      if (streams == 0) return false;
      --streams;
      end += stream;
      at = end - bytes;
    }
    for (const char* to = HWY_MIN(end, at + lines * kLine); at < to; at += kLine) __builtin_prefetch(at, 0, 2);
    return true;
  }
  static constexpr Dim kLine = 64;
};

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
        if (cell.lbr.gx != nullptr) {
          __builtin_prefetch(static_cast<const float*>(cell.lbr.gx) + row * cell.lbr.gx_row + column, 0, 2);
        }
        if (cell.training.gates != nullptr) {
          __builtin_prefetch(cell.training.gates + row * cell.training.gates_row + column, 1, 2);
        }
      }
    }
  }
}

// A panel is multiplied in about rows * columns / kSums passes. To fetch so much meanwhile, each time takes this many lines,
// divided by the rows for weights, by the columns for A.
template <class S>
constexpr Dim LinesAtATime() {
  constexpr Dim kBytes = kTuning.loop.fetch_groups * kBlock * S::kGroup * static_cast<Dim>(sizeof(typename S::Weight));
  return kBytes * S::kSums / kBlockVectors / FetchAhead::kLine;
}

// The weights of `blocks`, for `groups`, to be fetched while `tiles` of the panel before are multiplied. Nothing if all are in
// the L2 cache anyway, or for one tile, which takes no longer than reading its weights.
template <class S>
HWY_INLINE FetchAhead NextPanel(const TileArgs& args, const ProductArgs& product, Range blocks, Range groups,
                                Dim tiles) {
  constexpr Dim kGroupBytes = kBlock * S::kGroup * static_cast<Dim>(sizeof(typename S::Weight));
  const Dim stream = kGroupBytes / S::kGroup * product.k_padded;
  FetchAhead ahead;
  if (args.blocks.size() * args.gates * stream <= kTuning.loop.resident_bytes || tiles == 1 || blocks.size() <= 0)
    return ahead;
  ahead.at =
      static_cast<const char*>(product.weights) + blocks.begin * args.gates * stream + groups.begin * kGroupBytes;
  ahead.bytes = groups.size() * kGroupBytes;
  ahead.end = ahead.at + ahead.bytes;
  ahead.stream = stream;
  ahead.streams = blocks.size() * args.gates - 1;
  ahead.lines = HWY_MIN(kTuning.loop.fetch_lines, CeilDiv(LinesAtATime<S>(), args.segments * args.rows.size()));
  return ahead;
}

// The rows of A after the first tile's, to be fetched during the first panel of a step, which else waits for them. Weights of the second panel need not be fetched: the last step ended with them.
template <class S>
HWY_INLINE FetchAhead RowsAhead(const TileArgs& args, const ProductArgs& product) {
  constexpr Dim kElement = static_cast<Dim>(sizeof(typename S::Operand));
  FetchAhead ahead;
  if (product.k == 0) return ahead;
  const Dim first = args.rows.begin + S::kTileRows;
  ahead.at = static_cast<const char*>(product.a) + first * product.a_row * kElement;
  ahead.bytes = product.k * kElement;
  ahead.end = ahead.at + ahead.bytes;
  ahead.stream = product.a_row * kElement;
  ahead.streams = args.rows.end - first - 1;
  ahead.lines = CeilDiv(LinesAtATime<S>(), kMaxPanelVectors * kBlock);
  return ahead;
}

}  // namespace HWY_NAMESPACE
}  // namespace optimized
}  // namespace tandem
HWY_AFTER_NAMESPACE();

#endif  // TANDEM_OPTIMIZED_KERNELS_PREFETCH_INL_H_
