// The enumerations that every part of Tandem shares: data types, directions, modes, and with them cells and tensors.
#ifndef TANDEM_API_CORE_TYPES_H_
#define TANDEM_API_CORE_TYPES_H_

#include <cstddef>
#include <cstdint>

#include "api/core/activation.h"
#include "api/core/cell.h"
#include "api/core/data_type.h"
#include "api/core/enums.h"
#include "api/core/tensor.h"
#include "oneapi/dnnl/dnnl_types.h"

namespace tandem {

enum class Propagation { kForwardInference, kForwardTraining, kBackward };
enum class Direction { kLeft2Right, kRight2Left, kBidirectionalConcat, kBidirectionalSum };
enum class FpmathMode { kStrict, kBf16, kF16, kTf32, kAny };
enum class ScratchpadMode { kLibrary, kUser };
// The reading of the specification that holds where the specification and oneDNN differ (docs/readings.md).
enum class Reading { kSpec, kOnednn };
// Backward adds to the values that are in diff_weights_* and diff_bias, or overwrites them.
enum class DiffWeightsMode { kAccumulate, kOverwrite };

// The name of an enumerator in messages and files; null for what is none.
constexpr const char* ToString(Propagation propagation) {
  switch (propagation) {
    case Propagation::kForwardInference:
      return "forward_inference";
    case Propagation::kForwardTraining:
      return "forward_training";
    case Propagation::kBackward:
      return "backward";
  }
  return nullptr;
}
constexpr const char* ToString(Direction direction) {
  switch (direction) {
    case Direction::kLeft2Right:
      return "left2right";
    case Direction::kRight2Left:
      return "right2left";
    case Direction::kBidirectionalConcat:
      return "bidirectional_concat";
    case Direction::kBidirectionalSum:
      return "bidirectional_sum";
  }
  return nullptr;
}
constexpr const char* ToString(FpmathMode mode) {
  switch (mode) {
    case FpmathMode::kStrict:
      return "strict";
    case FpmathMode::kBf16:
      return "bf16";
    case FpmathMode::kF16:
      return "f16";
    case FpmathMode::kTf32:
      return "tf32";
    case FpmathMode::kAny:
      return "any";
  }
  return nullptr;
}
constexpr const char* ToString(ScratchpadMode mode) {
  switch (mode) {
    case ScratchpadMode::kLibrary:
      return "library";
    case ScratchpadMode::kUser:
      return "user";
  }
  return nullptr;
}
constexpr const char* ToString(Reading reading) {
  switch (reading) {
    case Reading::kSpec:
      return "spec";
    case Reading::kOnednn:
      return "onednn";
  }
  return nullptr;
}

// Says whether an execution writes `tensor`, if the problem has it.
constexpr bool IsWritten(Propagation propagation, Tensor tensor) {
  return propagation == Propagation::kBackward ? IsBackwardOutput(tensor) : IsForwardOutput(tensor);
}
// Says whether it reads `tensor`: one that it does not write, or gradients that are added to the values that are there.
constexpr bool IsRead(Propagation propagation, DiffWeightsMode mode, Tensor tensor) {
  if (IsWritten(propagation, tensor)) return IsDiffParameter(tensor) && mode == DiffWeightsMode::kAccumulate;
  return propagation == Propagation::kBackward || !IsDiff(tensor);
}

// Says whether src_layer of `cell` may have the 8-bit type.
inline bool TakesInt8(Cell cell, DataType type) {
  const Int8Types types = TraitsOf(cell).int8;
  return types == Int8Types::kU8AndS8 || (types == Int8Types::kU8 && type == DataType::kU8);
}
inline bool IsBidirectional(Direction direction) {
  return direction == Direction::kBidirectionalConcat || direction == Direction::kBidirectionalSum;
}
// True if the direction with index `dir` (the d of ldnc) walks from the last time step to the first.
inline bool IsReversed(Direction direction, Dim dir) { return direction == Direction::kRight2Left || dir == 1; }

}  // namespace tandem

#endif  // TANDEM_API_CORE_TYPES_H_
