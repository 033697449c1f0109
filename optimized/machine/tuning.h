// Every number that was measured rather than derived: sizes, thresholds and costs that suit a Highway target, or one
// processor. docs/performance.md and docs/tuning.md have the measurements. Results never depend on them, only speed does.
//
// A plan asks once, at creation. The kernels of a target take the numbers that all its processors share as constants.
#ifndef TANDEM_OPTIMIZED_MACHINE_TUNING_H_
#define TANDEM_OPTIMIZED_MACHINE_TUNING_H_

#include <cstddef>
#include <cstdint>

#include "api/core/types.h"
#include "hwy/detect_targets.h"

namespace tandem {
namespace optimized {

// Processors that have numbers of their own within a target. Zen 3 counts as Zen 4, whose numbers are of AVX-512.
enum class Processor { kOther, kZen4, kZen5OrLater };
Processor ThisProcessor();

// The micro-kernel: one tile.
struct TileTuning {
  Dim rows = 6;       // of each of several tiles
  Dim most_rows = 6;  // of the only tile: one then waits for weights from L3 while it multiplies
  // Rows that lie whole ways of an L1 cache apart fill a set that weights need too, from this many rows on.
  Dim crowded_rows = 11;
  Dim way_bytes = 0;  // 0: that does no harm
  // Groups of k in a turn of the loop over k. Without FMA each product takes a register, and long turns keep sums in memory.
  Dim f32_turn = 1;
  Dim bf16_turn = 1;
  Dim s8_turn = 1;
  Dim groups_from_l3 = 16;  // so many ahead, weights are fetched from L3 into L1
  // Operands that are multiplied in another type are staged so many at a time, which is 12 KB of six rows. Rows of a power of
  // two would share sets of the L1 cache, so that each is longer.
  Dim staged_k = 1024;
  Dim staged_pad = 32;
  Dim split_groups = 256;  // one row of bytes is split into halves so many groups at a time
};

// The loops around the micro-kernel.
struct LoopTuning {
  // A longer sum is done in pieces of k, each for all panels before the next: 256 KB of a panel stay in the L2 cache for all
  // rows, 24 KB of six rows in L1, and those of so many rows in L2, or near it, for all panels.
  Dim piece_groups = 1024;
  Dim piece_rows = 132;
  Dim prefetched_groups = 384;  // a shorter product does not hide the cost of prefetching
  // Weights of the next panel are fetched if a thread's weights exceed this, every so many groups of k, and not more lines
  // at a time, which would delay the product.
  Dim resident_bytes = 256 << 10;
  Dim fetch_groups = 8;
  Dim fetch_lines = 6;
  // One row is multiplied with so many panels before the gate math of all, whose latencies then overlap; where bytes are
  // staged and a panel has at most two gates, with more.
  Dim panels_of_row = 2;
  Dim staged_panels_of_row = 4;
};

struct ForwardTuning {
  // Rows of W x that a thread computes at once: enough that reading W once serves many rows, few enough that the results stay
  // in the L2 and L3 caches until the recurrence has used them.
  Dim chunk_rows = 128;
  // With this many rows or more, each step adds W x itself, unless both products have more k or each row has more of them. Panels
  // of weights have to lie in L2 beside the rows; if they do not, all rows are one pass.
  Dim least_input_rows = 64;
  Dim most_input_k = 1024;
  Dim input_k_per_row = 16;
  Dim panels_beside_rows = 2;
  double resident_l2 = 0.75;  // the share of the L2 cache in which data stays
  // Weights of so many bytes that are read once come from L3, if L2 does not hold them. Nothing was measured elsewhere.
  size_t least_l3_bytes = 0;
  size_t most_l3_bytes = 0;
};

struct BackwardTuning {
  // Rows (t, n) of one product for the weights: its panel of gate gradients, 64 columns wide, is 192 KB, which stays in L2.
  // The sums are read and written once per so many rows.
  Dim product_rows = 768;
  Dim packed_rows_ahead = 8;  // rows lie pages apart, where no processor fetches ahead
};

// The model of the time of a team (threads/role.h), in cycles. Other cores differ by less than half, which decides
// differently only where both ways are about as fast.
struct TeamTuning {
  double region = 2600;          // entering and leaving a parallel region whose threads spin,
  double wake_sleepers = 33000;  // and more if they sleep
  double barrier = 500;          // with an exchange of 8 cache lines
  // Bytes of weights per cycle, beside which multiplying takes some of the time.
  double l2_bytes_per_cycle = 64;
  double l3_bytes_per_cycle = 36;
  double divided_units = 1.03;  // threads that divide units read all rows each, and wait for the slowest of them
};

struct Tuning {
  int vectors_per_cycle = 2;  // that a core multiplies and adds with the target's FMA
  // Multiply-adds of bytes without VNNI, per cycle and lane. They serve only to compare divisions of the work.
  double widened_bytes_per_cycle = 2.75;
  TileTuning tile;
  LoopTuning loop;
  ForwardTuning forward;
  BackwardTuning backward;
  TeamTuning team;
};

// Returns the numbers of a Highway target (HWY_AVX2, ...) on a processor.
constexpr Tuning TuningOf(int64_t highway, Processor processor) {
  Tuning tuning;
  const bool zen4 = processor == Processor::kZen4, zen5 = processor == Processor::kZen5OrLater;
  if (HWY_ARCH_X86 && highway <= HWY_AVX2) tuning.tile.f32_turn = tuning.tile.bf16_turn = 4;
  if (highway == HWY_AVX2) tuning.tile.f32_turn = tuning.tile.s8_turn = 8;
  if (HWY_ARCH_X86 && highway <= HWY_AVX3) {
    if (!zen4) tuning.tile.most_rows = 12;
    if (zen4 || zen5) tuning.tile.way_bytes = 4096;
    if (zen4) {
      tuning.vectors_per_cycle = 1;  // 512 bits take two turns
      tuning.forward.most_input_k = 1536;
    }
  }
  if (zen5) {
    tuning.forward.most_input_k = 2048;
    tuning.forward.least_l3_bytes = 2 << 20;
    tuning.forward.most_l3_bytes = 12 << 20;
  }
  return tuning;
}

// The L2 cache of one core of this machine; 512 KB where the system does not say.
size_t L2CacheBytes();

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_MACHINE_TUNING_H_
