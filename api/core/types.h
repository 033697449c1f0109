// The words every part of Tandem shares: data types, directions, modes; with them the cells and the tensors of an RNN.
#ifndef TANDEM_API_CORE_TYPES_H_
#define TANDEM_API_CORE_TYPES_H_

#include <cstddef>
#include <cstdint>

#include "api/core/cell.h"
#include "api/core/tensor.h"
#include "oneapi/dnnl/dnnl_types.h"

namespace tandem {

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

enum class Propagation { kForwardInference, kForwardTraining, kBackward };
enum class Direction { kLeft2Right, kRight2Left, kBidirectionalConcat, kBidirectionalSum };
enum class Activation { kRelu, kTanh, kLogistic };
enum class FpmathMode { kStrict, kBf16, kF16, kTf32, kAny };
enum class ScratchpadMode { kLibrary, kUser };
// Which of two readings of the text holds where it and practice differ (docs/readings.md).
enum class Reading { kSpec, kOnednn };
// What backward does with what is already in diff_weights_* and diff_bias.
enum class DiffWeightsMode { kAccumulate, kOverwrite };

const char* ToString(Propagation propagation);
const char* ToString(Direction direction);
const char* ToString(FpmathMode mode);

inline bool IsBidirectional(Direction direction) {
  return direction == Direction::kBidirectionalConcat || direction == Direction::kBidirectionalSum;
}
}  // namespace tandem

#endif  // TANDEM_API_CORE_TYPES_H_
