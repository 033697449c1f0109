#include "api/core/tensor.h"

#include <cstring>

#include "oneapi/dnnl/dnnl_types.h"

namespace tandem {
namespace {

struct TensorInfo {
  const char* name;
  int exec_arg;
  const char* axes;
  TensorRole role;
};

// In the order of the enum.
constexpr TensorInfo kTensors[kNumForwardTensors] = {
    {"diff_src_layer", DNNL_ARG_SRC_LAYER, "tnc", TensorRole::kSource},
    {"diff_src_iter", DNNL_ARG_SRC_ITER, "ldnc", TensorRole::kSource},
    {"diff_src_iter_c", DNNL_ARG_SRC_ITER_C, "ldnc", TensorRole::kSource},
    {"diff_augru_attention", DNNL_ARG_AUGRU_ATTENTION, "tnc", TensorRole::kSource},
    {"diff_weights_layer", DNNL_ARG_WEIGHTS_LAYER, "ldigo", TensorRole::kWeights},
    {"diff_weights_iter", DNNL_ARG_WEIGHTS_ITER, "ldigo", TensorRole::kWeights},
    {"diff_weights_peephole", DNNL_ARG_WEIGHTS_PEEPHOLE, "ldgo", TensorRole::kParameter},
    {"diff_weights_projection", DNNL_ARG_WEIGHTS_PROJECTION, "ldio", TensorRole::kWeights},
    {"diff_bias", DNNL_ARG_BIAS, "ldgo", TensorRole::kParameter},
    {"diff_dst_layer", DNNL_ARG_DST_LAYER, "tnc", TensorRole::kResult},
    {"diff_dst_iter", DNNL_ARG_DST_ITER, "ldnc", TensorRole::kResult},
    {"diff_dst_iter_c", DNNL_ARG_DST_ITER_C, "ldnc", TensorRole::kResult},
};

// The index of a diff_ argument is that of its partner plus this (DNNL_ARG_DIFF_SRC_LAYER - DNNL_ARG_SRC_LAYER, ...).
constexpr int kDiffArg = DNNL_ARG_DIFF_SRC_0 - DNNL_ARG_SRC_0;

}  // namespace

const char* ToString(Tensor tensor) {
  const char* name = kTensors[WithoutDiff(tensor)].name;
  return IsDiff(tensor) ? name : name + std::strlen("diff_");
}
int ExecArg(Tensor tensor) { return kTensors[WithoutDiff(tensor)].exec_arg + (IsDiff(tensor) ? kDiffArg : 0); }
const char* AxesOf(Tensor tensor) { return kTensors[WithoutDiff(tensor)].axes; }
int RankOf(Tensor tensor) { return static_cast<int>(std::strlen(AxesOf(tensor))); }
int AxisOf(Tensor tensor, char letter) {
  const char* axes = AxesOf(tensor);
  const char* found = std::strchr(axes, letter);
  return found == nullptr ? -1 : static_cast<int>(found - axes);
}
TensorRole RoleOf(Tensor tensor) { return kTensors[WithoutDiff(tensor)].role; }

}  // namespace tandem
