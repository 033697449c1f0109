// The words every part of Tandem shares: data types, cells, directions, and the names of the RNN
// tensors.
#ifndef TANDEM_API_CORE_TYPES_H_
#define TANDEM_API_CORE_TYPES_H_

#include <cstddef>
#include <cstdint>

#include "oneapi/dnnl/dnnl_types.h"

namespace tandem {

using Dim = dnnl_dim_t;

// Values equal those of dnnl_data_type_t, so that a memory descriptor's field converts by a cast.
enum class DataType : int {
  kUndef = dnnl_data_type_undef,
  kF16 = dnnl_f16,
  kBf16 = dnnl_bf16,
  kF32 = dnnl_f32,
  kS32 = dnnl_s32,
  kS8 = dnnl_s8,
  kU8 = dnnl_u8,
};

// Bytes of one element; 0 for kUndef.
size_t SizeOf(DataType type);
// "f32", "bf16", ...; "undef" for anything that RNN and reorder do not know.
const char* ToString(DataType type);

enum class Cell { kVanillaRnn, kLstm, kGru, kLbrGru, kAugru, kLbrAugru };
enum class Propagation { kForwardInference, kForwardTraining, kBackward };
enum class Direction { kLeft2Right, kRight2Left, kBidirectionalConcat, kBidirectionalSum };
enum class Activation { kRelu, kTanh, kLogistic };
enum class FpmathMode { kStrict, kBf16, kF16, kTf32, kAny };
enum class ScratchpadMode { kLibrary, kUser };
// Which of two readings of the text holds where it and practice differ (docs/readings.md).
enum class Reading { kSpec, kOnednn };
// What backward does with what is already in diff_weights_* and diff_bias.
enum class DiffWeightsMode { kAccumulate, kOverwrite };

const char* ToString(Cell cell);
const char* ToString(Propagation propagation);
const char* ToString(Direction direction);
const char* ToString(FpmathMode mode);

inline bool IsGruFamily(Cell cell) { return cell != Cell::kVanillaRnn && cell != Cell::kLstm; }
inline bool IsLinearBeforeReset(Cell cell) { return cell == Cell::kLbrGru || cell == Cell::kLbrAugru; }
inline bool HasAttention(Cell cell) { return cell == Cell::kAugru || cell == Cell::kLbrAugru; }
inline bool IsBidirectional(Direction direction) {
  return direction == Direction::kBidirectionalConcat || direction == Direction::kBidirectionalSum;
}
// Gates in weights_layer and weights_iter: 1, 4 (i, f, c~, o) or 3 (u, r, o).
inline Dim NumGates(Cell cell) { return cell == Cell::kVanillaRnn ? 1 : cell == Cell::kLstm ? 4 : 3; }
// Gates in bias: one more (u') where the linear layer comes before the reset gate.
inline Dim NumBiasGates(Cell cell) { return NumGates(cell) + (IsLinearBeforeReset(cell) ? 1 : 0); }

// Every tensor an RNN primitive can take, in the order of the operation descriptor's parameters.
// The diff_ tensors follow in the same order, so that Diff() is an offset.
enum Tensor : int {
  kSrcLayer,
  kSrcIter,
  kSrcIterC,
  kAugruAttention,
  kWeightsLayer,
  kWeightsIter,
  kWeightsPeephole,
  kWeightsProjection,
  kBias,
  kDstLayer,
  kDstIter,
  kDstIterC,
  kDiffSrcLayer,
  kDiffSrcIter,
  kDiffSrcIterC,
  kDiffAugruAttention,
  kDiffWeightsLayer,
  kDiffWeightsIter,
  kDiffWeightsPeephole,
  kDiffWeightsProjection,
  kDiffBias,
  kDiffDstLayer,
  kDiffDstIter,
  kDiffDstIterC,
  kNumTensors,
};

inline Tensor Diff(Tensor tensor) { return static_cast<Tensor>(tensor + (kDiffSrcLayer - kSrcLayer)); }
inline bool IsDiff(Tensor tensor) { return tensor >= kDiffSrcLayer; }
// The spec's name, e.g. "src_iter_c", "diff_weights_layer".
const char* ToString(Tensor tensor);
// The DNNL_ARG_* index under which the tensor is passed to execute().
int ExecArg(Tensor tensor);

}  // namespace tandem

#endif  // TANDEM_API_CORE_TYPES_H_
