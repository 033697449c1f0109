// The layout of weights in the optimized backend: the meaning of an opaque memory descriptor of ours, byte for byte.
//
// A weights tensor {L, D, K, G, O} (projection {L, D, K, O}: G = 1) is a stack of L x D slices. A slice holds one or
// two parts; a part holds some of the gates:
//
//   slice = [part][block][gate of the part][k / group][lane 0..15][k % group]
//
//   * A block is 16 units: one 512-bit vector, two AVX2 vectors, four SSE4 ones. It is the same for every target, so
//     that weights packed by one target are read by any other, even if TANDEM_TARGET changes later. Missing units of the
//     last block are zeros.
//   * One gate of one block is one stream of memory over k. A pass of a kernel reads as many streams as its registers
//     hold sums for: one on AVX2 with six rows, up to four with 32 registers or one row.
//   * group is the number of k that one 32-bit lane holds: 1 for f32, 2 for bf16, 4 for s8. f16 has group 1 in 16-bit
//     lanes, because the processor's conversion to f32 takes 16 neighbours. K is padded with zeros to a multiple of 4
//     bytes, so that every stream starts on a cache line.
//   * All gates of a block are adjacent, so that a kernel ends with everything one unit's gate math needs.
//
// Kernels take up to four streams at a time, a panel. Parts: RNN and projection one gate, 64 units per panel; LSTM four
// gates, 16 units; LBR-GRU and LBR-AUGRU three gates, 16 units; GRU and AUGRU, whose candidate needs r * h, two: (u, r)
// with 32 units per panel, then (o) with 64. Where panels begin changes no byte.
//
// s8 weights are followed, slice by slice, by their column sums: s32 [column], the sum over k that folds the data shift
// and the signed-input offset into the bias. "Column" counts vectors x lanes in the order above: see Column().
#ifndef TANDEM_OPTIMIZED_WEIGHTS_LAYOUT_H_
#define TANDEM_OPTIMIZED_WEIGHTS_LAYOUT_H_

#include <cstddef>

#include "api/core/memory/memory_desc.h"
#include "api/core/types.h"
#include "optimized/threads/range.h"

namespace tandem {
namespace optimized {

constexpr Dim kBlock = 16;              // units per block, see above
constexpr Dim kMaxPanelVectors = 4;     // blocks x gates of a full panel, at most
constexpr uint32_t kPackedVersion = 2;  // changes whenever the meaning of the bytes changes

enum class PackedKind : uint32_t {
  // Columns are (gate, output channel), k runs over the input channels: what forward multiplies with.
  kForward = 1,
  // Columns are the input channels (one gate, 64 per panel), k runs over Column() of the forward layout, padding
  // included: what backward multiplies gate gradients with. No column sums.
  kTransposed = 2,
};

struct PackedPart {
  Dim first_gate = 0;
  Dim gates = 0;
  Dim panel_blocks = 0;  // blocks of a full panel
  Dim first_column = 0;  // of the part, in the slice's columns
  Dim offset = 0;        // of the part, in elements from the slice's start
};

struct PackedLayout {
  PackedKind kind = PackedKind::kForward;
  DataType storage = DataType::kF32;     // of an element in memory; not always the descriptor's data type
  GatePasses passes = GatePasses::kOne;  // kCandidateSecond: a part for the candidate
  Dim n_layer = 0, n_dir = 0;
  Dim k = 0, gates = 0, units = 0;  // of the packed matrix (kTransposed: k = forward columns, gates = 1)

  Dim group = 1;  // k per 32-bit lane
  Dim k_padded = 0;
  Dim blocks = 0;   // ceil(units / 16)
  Dim columns = 0;  // gates * blocks * 16
  int n_parts = 0;
  PackedPart part[2];
  size_t slice_bytes = 0;         // elements only
  size_t column_sums_offset = 0;  // bytes from the tensor's start; s8 only
  size_t bytes = 0;               // of the whole tensor

  bool HasColumnSums() const { return storage == DataType::kS8 && kind == PackedKind::kForward; }
};

// The layout of weights with logical dims {L, D, K, G, O} or {L, D, K, O}.
PackedLayout MakePackedLayout(const MemoryDesc& logical, PackedKind kind, DataType storage, GatePasses passes);
// The opaque descriptor of `layout`, with the dims and data type of `logical`.
MemoryDesc MakePackedDesc(const MemoryDesc& logical, const PackedLayout& layout);
// The layout that an opaque descriptor of ours stands for. Throws invalid_arguments if it is not one of ours or of
// another version.
PackedLayout PackedLayoutOf(const MemoryDesc& packed);

// Position of (gate, unit) among the columns of a slice: the order of gate pre-activations, of packed bias, of column
// sums and of gates in the workspace.
Dim Column(const PackedLayout& layout, Dim gate, Dim unit);
// Position of (k, gate, unit) in a slice, in elements of the storage type.
Dim PackedOffset(const PackedLayout& layout, Dim k, Dim gate, Dim unit);
// Bytes from the tensor's start to slice (l, d), or to its column sums.
inline size_t SliceOffset(const PackedLayout& layout, Dim l, Dim d) {
  return static_cast<size_t>(l * layout.n_dir + d) * layout.slice_bytes;
}
inline size_t ColumnSumsOffset(const PackedLayout& layout, Dim l, Dim d) {
  return layout.column_sums_offset + static_cast<size_t>((l * layout.n_dir + d) * layout.columns) * sizeof(int32_t);
}

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_WEIGHTS_LAYOUT_H_
