// Dims. Each letter has one tensor that defines it; every other tensor is checked against it:
//   n_iter, mb, slc  src_layer
//   n_layer, dhc     weights_layer
//   sic              weights_iter, else dhc
//   dlc              dst_layer
//   dic              weights_projection, else dhc
//   n_dir            direction
//   n_gates          cell
#include <cmath>
#include <initializer_list>
#include <string>

#include "api/core/error.h"
#include "api/core/rnn/rnn_checks.h"

namespace tandem {
namespace {

// One dim of a tensor: its letter, the value it must have, and where that value comes from.
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

void CheckRanks(const RnnProblem& problem) {
  for (int i = 0; i < kNumForwardTensors; ++i) {
    CheckRank(problem, static_cast<Tensor>(i));
    CheckRank(problem, Diff(static_cast<Tensor>(i)));
  }
}

void Check(const RnnProblem& problem, Tensor tensor, std::initializer_list<Expected> dims) {
  const MemoryDesc& md = problem.md[tensor];
  if (IsZero(md)) return;
  int i = 0;
  for (const Expected& dim : dims) {
    if (md.dims[i] != dim.value) {
      ThrowInvalid(std::string(ToString(tensor)) + ": dim " + std::to_string(i) + " (" + dim.letter + ") is " +
                   std::to_string(md.dims[i]) + ", but " + dim.source + " has " + dim.letter + " = " +
                   std::to_string(dim.value));
    }
    ++i;
  }
}

void CheckBoth(const RnnProblem& problem, Tensor tensor, std::initializer_list<Expected> dims) {
  Check(problem, tensor, dims);
  Check(problem, Diff(tensor), dims);
}

// Empty tensors are rejected: the specification does not say what an RNN without steps leaves in dst_iter.
void CheckNotEmpty(const RnnProblem& problem) {
  for (int i = 0; i < kNumTensors; ++i) {
    const MemoryDesc& md = problem.md[i];
    for (int d = 0; d < md.ndims; ++d) {
      if (md.dims[d] == 0) {
        ThrowInvalid(std::string(ToString(static_cast<Tensor>(i))) + ": dim " + std::to_string(d) +
                     " is 0, but must be at least 1");
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

void CheckEachTensor(const RnnProblem& p) {
  const Expected n_iter = {"n_iter", p.n_iter, "src_layer"}, mb = {"mb", p.mb, "src_layer"};
  const Expected n_layer = {"n_layer", p.n_layer, "weights_layer"};
  const Expected n_dir = {"n_dir", p.n_dir, ToString(p.direction)};
  const Expected n_gates = {"n_gates", p.n_gates, ToString(p.cell)};
  const Expected slc = {"slc", p.slc, "src_layer"},
                 sic = {"sic", p.sic, p.Has(kWeightsIter) ? "weights_iter" : "weights_layer's dhc"};
  const Expected dhc = {"dhc", p.dhc, "weights_layer"}, dlc = {"dlc", p.dlc, "dst_layer"};
  const Expected dic = {"dic", p.dic, p.HasProjection() ? "weights_projection" : "weights_layer's dhc"};
  const Expected bias_gates = {"gates of bias", p.n_bias_gates, ToString(p.cell)};
  CheckBoth(p, kSrcLayer, {n_iter, mb, slc});
  CheckBoth(p, kWeightsLayer, {n_layer, n_dir, slc, n_gates, dhc});
  CheckBoth(p, kWeightsIter, {n_layer, n_dir, sic, n_gates, dhc});
  CheckBoth(p, kWeightsPeephole, {n_layer, n_dir, {"gates i, f, o", 3, "a peephole"}, dhc});
  CheckBoth(p, kWeightsProjection, {n_layer, n_dir, dhc, dic});
  CheckBoth(p, kBias, {n_layer, n_dir, bias_gates, dhc});
  CheckBoth(p, kSrcIter, {n_layer, n_dir, mb, sic});
  CheckBoth(p, kSrcIterC, {n_layer, n_dir, mb, dhc});
  CheckBoth(p, kAugruAttention, {n_iter, mb, {"channels", 1, "attention"}});
  CheckBoth(p, kDstLayer, {n_iter, mb, dlc});
  CheckBoth(p, kDstIter, {n_layer, n_dir, mb, dic});
  CheckBoth(p, kDstIterC, {n_layer, n_dir, mb, dhc});
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

}  // namespace

void DeriveAndCheckDims(RnnProblem* problem) {
  CheckRanks(*problem);
  CheckNotEmpty(*problem);
  Derive(problem);
  CheckEachTensor(*problem);
  CheckBetweenTensors(*problem);
  CheckCountable(*problem);
}

}  // namespace tandem
