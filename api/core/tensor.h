// The tensors of an RNN primitive, and what each is: one row of a table, so that no list elsewhere repeats it.
#ifndef TANDEM_API_CORE_TENSOR_H_
#define TANDEM_API_CORE_TENSOR_H_

#include <array>
#include <cstddef>

#include "api/core/cell.h"
#include "oneapi/dnnl/dnnl_types.h"

namespace tandem {

// Every tensor an RNN primitive can take, in the order of the operation descriptor's parameters. Their order is also data
// (seeds, stored vectors, the plugin interface): new ones come last.
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
  kSequenceLengths,
  kNormGain,
  kNormOffset,
  kDiffNormGain,
  kDiffNormOffset,
  kMaskLayer,
  kMaskIter,
  kZoneoutIter,
  kZoneoutIterC,
  kNumTensors,
};
constexpr Tensor kNoTensor = kNumTensors;

enum class TensorRole {
  kSource,     // src_*, augru_attention
  kWeights,    // weights_layer, weights_iter, weights_projection: the factors of matrix products
  kParameter,  // weights_peephole, bias
  kResult,     // dst_*
  kNorm,       // norm_gain, norm_offset: parameters for which an attribute asks
  kLengths,    // sequence_lengths: how many steps a row has, see SequenceLengths of api/core/rnn/sequence_lengths.h
  kMask,       // mask_*, zoneout_*: numbers that inputs and states are multiplied by, see api/core/rnn/rnn_masks.h
};

// Says whether a cell has a tensor.
enum class Presence { kAbsent, kOptional, kRequired };

// The rule that decides the data type, see api/core/rnn/rnn_types.cc. Two tensors of the same kind of state have the same type.
enum class TypeRule {
  kSrcLayer,
  kDstLayer,
  kIterState,
  kCellState,
  kAttention,
  kWeights,
  kPeephole,
  kBias,
  kGradient,
  kLengths,
  kMask,
};

// The size of an axis, by the specification's letter; see api/core/rnn/rnn_dims.cc.
enum class AxisSize {
  kNone,
  kLayers,  // n_layer, ...
  kDirections,
  kIterations,
  kBatch,  // mb
  kSlc,
  kSic,
  kDhc,
  kDic,
  kDlc,
  kGates,      // of weights
  kBiasGates,  // of bias
  kPeepholes,
  kNorms,  // of rnn_layer_normalization
  kOne,
};

constexpr int kMostAxes = 5;

struct Axes {
  const char* letters = "";  // see AxesOf()
  AxisSize size[kMostAxes] = {};
};

// The specification's sections "Data Types" and "Data Representation" of the chapter on RNN.
struct TensorTraits {
  Tensor tensor = kNoTensor;
  const char* name = nullptr;  // the specification's: "src_iter_c", "diff_weights_layer"
  int exec_arg = 0;            // the DNNL_ARG_* index under which it is passed to execute()
  Axes axes;
  TensorRole role = TensorRole::kSource;
  TypeRule type = TypeRule::kGradient;
  Presence (*presence)(const CellTraits& cell) = nullptr;
  Tensor companion = kNoTensor;  // in cells that have both, given with it or not at all
  Tensor diff = kNoTensor;       // its gradient, which backward takes or writes
  Tensor of = kNoTensor;         // what it is the gradient of
};

namespace tensors {

using A = AxisSize;
using R = TensorRole;
using T = TypeRule;

constexpr Presence Always(const CellTraits&) { return Presence::kRequired; }
constexpr Presence AtWill(const CellTraits&) { return Presence::kOptional; }
constexpr Presence WithIterProduct(const CellTraits& cell) {
  return cell.has_iter_product ? Presence::kRequired : Presence::kAbsent;
}
constexpr Presence WithC(const CellTraits& cell) {
  return cell.state == StateRule::kFromC ? Presence::kOptional : Presence::kAbsent;
}
constexpr Presence WhereIterProduct(const CellTraits& cell) {
  return cell.has_iter_product ? Presence::kOptional : Presence::kAbsent;
}
constexpr Presence WithAttention(const CellTraits& cell) {
  return cell.attention != Attention::kNone ? Presence::kRequired : Presence::kAbsent;
}

constexpr Axes Rows() { return {"n", {A::kBatch}}; }
constexpr Axes Layer(AxisSize channels) { return {"tnc", {A::kIterations, A::kBatch, channels}}; }
constexpr Axes State(AxisSize channels) { return {"ldnc", {A::kLayers, A::kDirections, A::kBatch, channels}}; }
constexpr Axes States(AxisSize channels) {
  return {"ldtnc", {A::kLayers, A::kDirections, A::kIterations, A::kBatch, channels}};
}
constexpr Axes Weights(AxisSize inputs) { return {"ldigo", {A::kLayers, A::kDirections, inputs, A::kGates, A::kDhc}}; }
constexpr Axes Gates(AxisSize gates) { return {"ldgo", {A::kLayers, A::kDirections, gates, A::kDhc}}; }
constexpr Axes Projection() { return {"ldio", {A::kLayers, A::kDirections, A::kDhc, A::kDic}}; }

// A row of the table: a tensor and, if it has one, its gradient. The name has "diff_" before it then.
struct Row {
  Tensor tensor, diff;
  const char* name;
  int exec_arg;
  Axes axes;
  TensorRole role;
  TypeRule type;
  Presence (*presence)(const CellTraits& cell);
  Tensor companion = kNoTensor;
};

inline constexpr Row kRows[] = {
    {kSrcLayer, kDiffSrcLayer, "diff_src_layer", DNNL_ARG_SRC_0, Layer(A::kSlc), R::kSource, T::kSrcLayer, Always},
    {kSrcIter, kDiffSrcIter, "diff_src_iter", DNNL_ARG_SRC_1, State(A::kSic), R::kSource, T::kIterState, AtWill,
     kSrcIterC},
    {kSrcIterC, kDiffSrcIterC, "diff_src_iter_c", DNNL_ARG_SRC_2, State(A::kDhc), R::kSource, T::kCellState, WithC,
     kSrcIter},
    {kAugruAttention, kDiffAugruAttention, "diff_augru_attention", DNNL_ARG_SRC_3, Layer(A::kOne), R::kSource,
     T::kAttention, WithAttention},
    {kWeightsLayer, kDiffWeightsLayer, "diff_weights_layer", DNNL_ARG_WEIGHTS_0, Weights(A::kSlc), R::kWeights,
     T::kWeights, Always},
    {kWeightsIter, kDiffWeightsIter, "diff_weights_iter", DNNL_ARG_WEIGHTS_1, Weights(A::kSic), R::kWeights,
     T::kWeights, WithIterProduct},
    {kWeightsPeephole, kDiffWeightsPeephole, "diff_weights_peephole", DNNL_ARG_WEIGHTS_2, Gates(A::kPeepholes),
     R::kParameter, T::kPeephole, WithC},
    {kWeightsProjection, kDiffWeightsProjection, "diff_weights_projection", DNNL_ARG_WEIGHTS_3, Projection(),
     R::kWeights, T::kWeights, WithC},
    {kBias, kDiffBias, "diff_bias", DNNL_ARG_BIAS, Gates(A::kBiasGates), R::kParameter, T::kBias, AtWill},
    {kDstLayer, kDiffDstLayer, "diff_dst_layer", DNNL_ARG_DST_0, Layer(A::kDlc), R::kResult, T::kDstLayer, Always},
    {kDstIter, kDiffDstIter, "diff_dst_iter", DNNL_ARG_DST_1, State(A::kDic), R::kResult, T::kIterState, AtWill,
     kDstIterC},
    {kDstIterC, kDiffDstIterC, "diff_dst_iter_c", DNNL_ARG_DST_2, State(A::kDhc), R::kResult, T::kCellState, WithC,
     kDstIter},
    {kSequenceLengths, kNoTensor, "sequence_lengths", TANDEM_ARG_SEQUENCE_LENGTHS, Rows(), R::kLengths, T::kLengths,
     AtWill},
    {kNormGain, kDiffNormGain, "diff_norm_gain", TANDEM_ARG_NORM_GAIN, Gates(A::kNorms), R::kNorm, T::kPeephole,
     AtWill},
    {kNormOffset, kDiffNormOffset, "diff_norm_offset", TANDEM_ARG_NORM_OFFSET, Gates(A::kNorms), R::kNorm, T::kPeephole,
     AtWill},
    {kMaskLayer, kNoTensor, "mask_layer", TANDEM_ARG_MASK_LAYER, States(A::kSlc), R::kMask, T::kMask, AtWill},
    {kMaskIter, kNoTensor, "mask_iter", TANDEM_ARG_MASK_ITER, State(A::kSic), R::kMask, T::kMask, WhereIterProduct},
    {kZoneoutIter, kNoTensor, "zoneout_iter", TANDEM_ARG_ZONEOUT_ITER, States(A::kDic), R::kMask, T::kMask, AtWill},
    {kZoneoutIterC, kNoTensor, "zoneout_iter_c", TANDEM_ARG_ZONEOUT_ITER_C, States(A::kDhc), R::kMask, T::kMask, WithC},
};

constexpr std::array<TensorTraits, kNumTensors> Table() {
  std::array<TensorTraits, kNumTensors> table{};
  for (const Row& row : kRows) {
    TensorTraits traits = {row.tensor, row.name, row.exec_arg, row.axes,
                           row.role,   row.type, row.presence, row.companion};
    if (row.diff != kNoTensor) {
      TensorTraits diff = traits;
      diff.tensor = row.diff;
      diff.exec_arg += DNNL_ARG_DIFF_SRC_0 - DNNL_ARG_SRC_0;
      diff.type = TypeRule::kGradient;
      diff.companion = kNoTensor;
      diff.of = row.tensor;
      table[row.diff] = diff;
      traits.diff = row.diff;
      traits.name += 5;  // of "diff_"
    }
    table[row.tensor] = traits;
  }
  return table;
}

}  // namespace tensors

inline constexpr std::array<TensorTraits, kNumTensors> kTensorTraits = tensors::Table();

constexpr bool EachTensorHasARow() {
  for (int i = 0; i < kNumTensors; ++i) {
    if (kTensorTraits[static_cast<size_t>(i)].tensor != i) return false;
  }
  return true;
}
static_assert(EachTensorHasARow(), "each tensor has a row, or is the gradient of one that has");

constexpr const TensorTraits& TraitsOf(Tensor tensor) { return kTensorTraits[static_cast<size_t>(tensor)]; }

// kNoTensor for one that has none.
constexpr Tensor Diff(Tensor tensor) { return TraitsOf(tensor).diff; }
constexpr bool HasDiff(Tensor tensor) { return Diff(tensor) != kNoTensor; }
constexpr bool IsDiff(Tensor tensor) { return TraitsOf(tensor).of != kNoTensor; }
// The tensor whose gradient a diff_ tensor is; any other tensor itself.
constexpr Tensor WithoutDiff(Tensor tensor) { return IsDiff(tensor) ? TraitsOf(tensor).of : tensor; }

constexpr const char* ToString(Tensor tensor) { return TraitsOf(tensor).name; }
constexpr int ExecArg(Tensor tensor) { return TraitsOf(tensor).exec_arg; }

// The letters of the axes of a tensor (and of its diff_), outermost first, as format tags name them: t n_iter,
// l n_layer, d n_dir, n mb, c channels, i input channels, g gates, o output channels. weights_layer: "ldigo".
constexpr const char* AxesOf(Tensor tensor) { return TraitsOf(tensor).axes.letters; }
constexpr int RankOf(Tensor tensor) {
  int rank = 0;
  while (AxesOf(tensor)[rank] != '\0') ++rank;
  return rank;
}
// The place of an axis' letter; -1 if the tensor has none.
constexpr int AxisOf(Tensor tensor, char letter) {
  for (int i = 0; i < RankOf(tensor); ++i) {
    if (AxesOf(tensor)[i] == letter) return i;
  }
  return -1;
}

// Returns the role of a tensor, or of the one whose gradient it is.
constexpr TensorRole RoleOf(Tensor tensor) { return TraitsOf(tensor).role; }
constexpr Presence PresenceOf(Tensor tensor, Cell cell) { return TraitsOf(tensor).presence(TraitsOf(cell)); }
constexpr bool IsWeights(Tensor tensor) { return RoleOf(tensor) == TensorRole::kWeights; }
// Says whether the tensor has no descriptor of its own: an attribute asks for it, and its dims and type follow.
constexpr bool IsByAttribute(Tensor tensor) {
  return RoleOf(tensor) == TensorRole::kLengths || RoleOf(tensor) == TensorRole::kNorm ||
         RoleOf(tensor) == TensorRole::kMask;
}
constexpr bool IsMask(Tensor tensor) { return RoleOf(tensor) == TensorRole::kMask; }
constexpr bool IsResult(Tensor tensor) { return RoleOf(tensor) == TensorRole::kResult; }
// Says whether all rows of a batch share the tensor: weights, peephole, bias, gains and offsets; not their gradients.
constexpr bool IsParameter(Tensor tensor) {
  return !IsDiff(tensor) &&
         (IsWeights(tensor) || RoleOf(tensor) == TensorRole::kParameter || RoleOf(tensor) == TensorRole::kNorm);
}
constexpr bool IsDiffParameter(Tensor tensor) { return IsDiff(tensor) && IsParameter(WithoutDiff(tensor)); }

// An execution writes these: forward the results, backward every gradient but those of the results, which come in.
constexpr bool IsForwardOutput(Tensor tensor) { return IsResult(tensor) && !IsDiff(tensor); }
constexpr bool IsBackwardOutput(Tensor tensor) { return IsDiff(tensor) && !IsResult(tensor); }

namespace tensors {

constexpr bool Any(Tensor) { return true; }
constexpr bool IsOfForward(Tensor tensor) { return !IsDiff(tensor); }
constexpr bool IsDescribed(Tensor tensor) { return !IsByAttribute(tensor); }
constexpr bool IsDescribedForward(Tensor tensor) { return IsDescribed(tensor) && IsOfForward(tensor); }

// Those for which kHolds is true, in the order of the enum.
template <bool (*kHolds)(Tensor)>
constexpr auto Where() {
  constexpr auto count = [] {
    size_t n = 0;
    for (int i = 0; i < kNumTensors; ++i) n += kHolds(static_cast<Tensor>(i));
    return n;
  };
  std::array<Tensor, count()> found{};
  size_t n = 0;
  for (int i = 0; i < kNumTensors; ++i) {
    if (kHolds(static_cast<Tensor>(i))) found[n++] = static_cast<Tensor>(i);
  }
  return found;
}

}  // namespace tensors

inline constexpr auto kTensors = tensors::Where<tensors::Any>();
inline constexpr auto kForwardTensors = tensors::Where<tensors::IsOfForward>();           // all but the gradients
inline constexpr auto kDescribedTensors = tensors::Where<tensors::IsDescribed>();         // all with a descriptor
inline constexpr auto kDescribedForward = tensors::Where<tensors::IsDescribedForward>();  // of these, all but gradients
inline constexpr auto kMasks = tensors::Where<IsMask>();  // in the order of the bits of dnnl::rnn_masks
inline constexpr auto kDiffTensors = tensors::Where<IsDiff>();
inline constexpr auto kForwardOutputs = tensors::Where<IsForwardOutput>();
inline constexpr auto kDiffParameters = tensors::Where<IsDiffParameter>();

}  // namespace tandem

#endif  // TANDEM_API_CORE_TENSOR_H_
