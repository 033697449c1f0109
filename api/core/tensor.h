// The tensors of an RNN primitive, and what each is: its name, its axes, its role.
#ifndef TANDEM_API_CORE_TENSOR_H_
#define TANDEM_API_CORE_TENSOR_H_

namespace tandem {

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
constexpr int kNumForwardTensors = kDiffSrcLayer;

enum class TensorRole {
  kSource,     // src_*, augru_attention
  kWeights,    // weights_layer, weights_iter, weights_projection: the factors of matrix products
  kParameter,  // weights_peephole, bias
  kResult,     // dst_*
};

inline Tensor Diff(Tensor tensor) { return static_cast<Tensor>(tensor + kNumForwardTensors); }
inline bool IsDiff(Tensor tensor) { return tensor >= kDiffSrcLayer; }
// The tensor whose gradient a diff_ tensor is; any other tensor itself.
inline Tensor WithoutDiff(Tensor tensor) {
  return IsDiff(tensor) ? static_cast<Tensor>(tensor - kNumForwardTensors) : tensor;
}

// The specification's name, e.g. "src_iter_c", "diff_weights_layer".
const char* ToString(Tensor tensor);
// The DNNL_ARG_* index under which the tensor is passed to execute().
int ExecArg(Tensor tensor);

// The letters of the axes of a tensor (and of its diff_), outermost first, as format tags name them: t n_iter,
// l n_layer, d n_dir, n mb, c channels, i input channels, g gates, o output channels. weights_layer: "ldigo".
const char* AxesOf(Tensor tensor);
int RankOf(Tensor tensor);
// The place of an axis' letter; -1 if the tensor has none.
int AxisOf(Tensor tensor, char letter);

// Of a tensor, or of the one whose gradient it is.
TensorRole RoleOf(Tensor tensor);
inline bool IsWeights(Tensor tensor) { return RoleOf(tensor) == TensorRole::kWeights; }

}  // namespace tandem

#endif  // TANDEM_API_CORE_TENSOR_H_
