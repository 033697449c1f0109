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

const char* ToString(Cell cell) {
  constexpr const char* kNames[] = {"vanilla_rnn", "lstm", "gru", "lbr_gru", "augru", "lbr_augru"};
  return kNames[static_cast<int>(cell)];
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

namespace {

struct TensorInfo {
  const char* name;
  int exec_arg;
};

// Indices: spec/rnn.txt's table; the DIFF_ ones are 128 above (dnnl_types.h).
constexpr TensorInfo kTensors[kNumTensors] = {
    {"src_layer", 1},
    {"src_iter", 2},
    {"src_iter_c", 3},
    {"augru_attention", 4},
    {"weights_layer", 33},
    {"weights_iter", 34},
    {"weights_peephole", 35},
    {"weights_projection", 36},
    {"bias", 41},
    {"dst_layer", 17},
    {"dst_iter", 18},
    {"dst_iter_c", 19},
    {"diff_src_layer", 129},
    {"diff_src_iter", 130},
    {"diff_src_iter_c", 131},
    {"diff_augru_attention", 132},
    {"diff_weights_layer", 161},
    {"diff_weights_iter", 162},
    {"diff_weights_peephole", 163},
    {"diff_weights_projection", 164},
    {"diff_bias", 169},
    {"diff_dst_layer", 145},
    {"diff_dst_iter", 146},
    {"diff_dst_iter_c", 147},
};

}  // namespace

const char* ToString(Tensor tensor) { return kTensors[tensor].name; }
int ExecArg(Tensor tensor) { return kTensors[tensor].exec_arg; }

}  // namespace tandem
