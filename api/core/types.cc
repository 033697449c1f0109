#include "api/core/types.h"

namespace tandem {

size_t SizeOf(DataType type) {
  switch (type) {
    case DataType::kF32:
    case DataType::kS32:
      return 4;
    case DataType::kF16:
    case DataType::kBf16:
      return 2;
    case DataType::kS8:
    case DataType::kU8:
      return 1;
    case DataType::kUndef:
      break;
  }
  return 0;
}

const char* ToString(DataType type) {
  switch (type) {
    case DataType::kF16:
      return "f16";
    case DataType::kBf16:
      return "bf16";
    case DataType::kF32:
      return "f32";
    case DataType::kS32:
      return "s32";
    case DataType::kS8:
      return "s8";
    case DataType::kU8:
      return "u8";
    case DataType::kUndef:
      break;
  }
  return "undef";
}

const char* ToString(Propagation propagation) {
  constexpr const char* kNames[] = {"forward_inference", "forward_training", "backward"};
  return kNames[static_cast<int>(propagation)];
}

const char* ToString(Direction direction) {
  constexpr const char* kNames[] = {"left2right", "right2left", "bidirectional_concat", "bidirectional_sum"};
  return kNames[static_cast<int>(direction)];
}

const char* ToString(FpmathMode mode) {
  constexpr const char* kNames[] = {"strict", "bf16", "f16", "tf32", "any"};
  return kNames[static_cast<int>(mode)];
}

}  // namespace tandem
