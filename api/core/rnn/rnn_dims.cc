// Dims. Each letter has one tensor that defines it; every other tensor is checked against it:
//   n_iter, mb, slc  src_layer
//   n_layer, dhc     weights_layer
//   sic              weights_iter, else dhc
//   dlc              dst_layer
//   dic              weights_projection, else dhc
//   n_dir            direction
//   n_gates          cell
#include <cmath>
#include <string>

#include "api/core/error.h"
#include "api/core/rnn/rnn_checks.h"
#include "api/core/rnn/rnn_masks.h"

namespace tandem {
namespace {

// The size that an axis must have: its letter, the value, and where that comes from.
struct Expected {
  const char* letter;
  Dim value;
  const char* source;
};

void CheckRank(const RnnProblem& problem, Tensor tensor) {
  const MemoryDesc& md = problem.md[tensor];
  const int rank = RankOf(tensor);
  if (IsZero(md) || md.ndims == rank) return;
  ThrowInvalid(std::string(ToString(tensor)) + ": has " + std::to_string(md.ndims) + " dims " + DimsToString(md) +
               ", but must have " + std::to_string(rank));
}

// Empty tensors are rejected: the specification does not say what an RNN without steps leaves in dst_iter.
void CheckNotEmpty(const RnnProblem& problem) {
  for (const Tensor tensor : kTensors) {
    const MemoryDesc& md = problem.md[tensor];
    for (int d = 0; d < md.ndims; ++d) {
      if (md.dims[d] == 0) {
        ThrowInvalid(std::string(ToString(tensor)) + ": dim " + std::to_string(d) + " is 0, but must be at least 1");
      }
    }
  }
}

void Derive(RnnProblem* problem) {
  const auto dim = [problem](Tensor tensor, char axis) { return problem->md[tensor].dims[AxisOf(tensor, axis)]; };
  problem->n_dir = IsBidirectional(problem->direction) ? 2 : 1;
  problem->n_iter = dim(kSrcLayer, 't');
  problem->mb = dim(kSrcLayer, 'n');
  problem->slc = dim(kSrcLayer, 'c');
  problem->n_layer = dim(kWeightsLayer, 'l');
  problem->dhc = dim(kWeightsLayer, 'o');
  problem->sic = problem->Has(kWeightsIter) ? dim(kWeightsIter, 'i') : problem->dhc;
  problem->dic = problem->HasProjection() ? dim(kWeightsProjection, 'o') : problem->dhc;
  problem->dlc = dim(kDstLayer, 'c');
  problem->n_gates = NumGates(problem->cell);
  problem->n_bias_gates = NumBiasGates(problem->cell);
}

Expected SizeOf(const RnnProblem& p, AxisSize size) {
  switch (size) {
    case AxisSize::kLayers:
      return {"n_layer", p.n_layer, "weights_layer"};
    case AxisSize::kDirections:
      return {"n_dir", p.n_dir, ToString(p.direction)};
    case AxisSize::kIterations:
      return {"n_iter", p.n_iter, "src_layer"};
    case AxisSize::kBatch:
      return {"mb", p.mb, "src_layer"};
    case AxisSize::kSlc:
      return {"slc", p.slc, "src_layer"};
    case AxisSize::kSic:
      return {"sic", p.sic, p.Has(kWeightsIter) ? "weights_iter" : "weights_layer's dhc"};
    case AxisSize::kDhc:
      return {"dhc", p.dhc, "weights_layer"};
    case AxisSize::kDic:
      return {"dic", p.dic, p.HasProjection() ? "weights_projection" : "weights_layer's dhc"};
    case AxisSize::kDlc:
      return {"dlc", p.dlc, "dst_layer"};
    case AxisSize::kGates:
      return {"n_gates", p.n_gates, ToString(p.cell)};
    case AxisSize::kBiasGates:
      return {"gates of bias", p.n_bias_gates, ToString(p.cell)};
    case AxisSize::kPeepholes:
      return {"gates i, f, o", TraitsOf(p.cell).peepholes, "a peephole"};
    case AxisSize::kNorms:
      return {"norms", p.attr.rnn_layer_norm.NumNorms(p.n_gates), "rnn_layer_normalization"};
    case AxisSize::kOne:
      return {"channels", 1, "attention"};
    case AxisSize::kNone:
      break;
  }
  return {"", 0, ""};
}

void CheckSizes(const RnnProblem& problem, Tensor tensor) {
  const MemoryDesc& md = problem.md[tensor];
  for (int i = 0; i < md.ndims; ++i) {
    const Expected dim = SizeOf(problem, TraitsOf(tensor).axes.size[i]);
    if (md.dims[i] == dim.value) continue;
    ThrowInvalid(std::string(ToString(tensor)) + ": dim " + std::to_string(i) + " (" + dim.letter + ") is " +
                 std::to_string(md.dims[i]) + ", but " + dim.source + " has " + dim.letter + " = " +
                 std::to_string(dim.value));
  }
}

// Parameters first: what disagrees with them is more often the wrong one.
void CheckEachTensor(const RnnProblem& problem) {
  for (const bool parameters : {true, false}) {
    for (const Tensor tensor : kForwardTensors) {
      if (IsParameter(tensor) != parameters) continue;
      CheckSizes(problem, tensor);
      if (HasDiff(tensor)) CheckSizes(problem, Diff(tensor));
    }
  }
}

// Rules between letters; `a` must equal `b`.
void CheckLetters(const std::string& a, Dim value_a, const std::string& b, Dim value_b, const char* why) {
  if (value_a == value_b) return;
  ThrowInvalid(a + " is " + std::to_string(value_a) + ", but " + b + " is " + std::to_string(value_b) + "; " + why);
}

void CheckBetweenTensors(const RnnProblem& p) {
  if (BlendsState(p.cell)) {
    CheckLetters("weights_iter: dim 2 (sic)", p.sic, "weights_layer's dim 4 (dhc)", p.dhc,
                 "a GRU blends its old state with its new one");
  }
  const bool concat = p.direction == Direction::kBidirectionalConcat;
  CheckLetters("dst_layer: dim 2 (dlc)", p.dlc, concat ? "twice dic for concat" : "dic", concat ? 2 * p.dic : p.dic,
               "it holds every direction's states");
  if (p.n_layer > 1) {
    CheckLetters("src_layer: dim 2 (slc)", p.slc, "dic", p.dic, "a layer above the first reads the states below it");
  }
  if (p.attr.rnn_sequence_lengths) {
    CheckLetters("weights_iter: dim 2 (sic)", p.sic, "dic", p.dic,
                 "with sequence_lengths, a row without steps leaves src_iter in dst_iter");
  }
  if (p.n_iter > 1) {
    CheckLetters("weights_iter: dim 2 (sic)", p.sic, "dic", p.dic, "a step after the first reads the states before it");
  }
}

// Weights with a stride of 0 may have more elements than memory has bytes, but their packed copy and the states of
// every step need real memory. No address space is larger than 2^57 bytes.
void CheckCountable(const RnnProblem& p) {
  constexpr double kMostBytes = 0x1p57;
  constexpr double kPadding = 16;  // at most, of a row
  const auto row = [=](Dim elements) { return static_cast<double>(elements) + kPadding; };
  const double gates = static_cast<double>(p.n_gates), inputs = row(p.slc) + row(p.sic);
  const double weights = row(p.dhc) * (gates * inputs + row(p.dic));
  const double states = (gates + 4) * row(p.dhc) + row(p.dic) + inputs;
  const double rows = static_cast<double>(p.n_iter) * static_cast<double>(p.mb);
  const double slices = static_cast<double>(p.n_layer) * static_cast<double>(p.n_dir);
  const double bytes = sizeof(float) * slices * (weights + rows * states);
  if (bytes <= kMostBytes) return;
  throw Error(dnnl_out_of_memory, "weights_layer: " + DimsToString(p.md[kWeightsLayer]) + " with src_layer " +
                                      DimsToString(p.md[kSrcLayer]) + " has weights and states of 2^" +
                                      std::to_string(std::ilogb(bytes)) + " bytes, but no address space has 2^57");
}

// Gains and offsets are dense f32.
void DescribeNorms(RnnProblem* problem) {
  const LayerNorm& norm = problem->attr.rnn_layer_norm;
  MemoryDesc md = {};
  if (norm.given()) {
    md = MakePermuted({problem->n_layer, problem->n_dir, norm.NumNorms(problem->n_gates), problem->dhc}, DataType::kF32,
                      "abcd");
  }
  for (const Tensor tensor : {kNormGain, kNormOffset}) {
    problem->md[tensor] = md;
    problem->md[Diff(tensor)] = problem->IsBackward() ? md : MemoryDesc{};
  }
}

}  // namespace

Dim DimOf(const RnnProblem& problem, AxisSize axis) { return SizeOf(problem, axis).value; }

void DeriveAndCheckDims(RnnProblem* problem) {
  for (const Tensor tensor : kTensors) CheckRank(*problem, tensor);
  CheckNotEmpty(*problem);
  Derive(problem);
  DescribeNorms(problem);
  CheckEachTensor(*problem);
  CheckBetweenTensors(*problem);
  CheckCountable(*problem);
  problem->md[kSequenceLengths] =
      problem->attr.rnn_sequence_lengths ? MakePermuted({problem->mb}, DataType::kS32, "a") : MemoryDesc{};
  DescribeMasks(problem);
}

}  // namespace tandem
