// The data type table. Let x be src_layer's type:
//
//   x     src_iter, dst_iter  dst_layer  weights  peephole  projection  attention  bias       c states   propagation
//   f32   f32                 f32        f32      f32       f32         f32        f32        f32        all
//   bf16  bf16                bf16       bf16     f32       bf16        bf16       bf16, f32  bf16, f32  all
//   f16   f16                 f16        f16      f32       f16         f16        f16, f32   f16, f32   all
//   u8    u8, or both f32     u8, f32    s8       -         s8          -          f32        f32        inference
//   s8    s8, or both f32     s8, f32    s8       -         s8          -          f32        f32        inference
//
// u8: LSTM (with or without projection) and GRU; s8: LSTM only. An absent tensor fits every row. All diff_ are f32.
#include <string>

#include "api/core/error.h"
#include "api/core/rnn/rnn_checks.h"

namespace tandem {
namespace {

// `tensor`, if present, must have one of two types.
void CheckType(const RnnProblem& problem, Tensor tensor, DataType first, DataType second) {
  const DataType type = TypeOf(problem.md[tensor]);
  if (!problem.Has(tensor) || type == first || type == second) return;
  const std::string wanted =
      first == second ? std::string(ToString(first)) : std::string(ToString(first)) + " or " + ToString(second);
  ThrowUnimplemented(std::string(ToString(tensor)) + ": data type is " + ToString(type) + ", but with src_layer in " +
                     ToString(problem.SrcType()) + " it must be " + wanted);
}

void CheckType(const RnnProblem& problem, Tensor tensor, DataType type) { CheckType(problem, tensor, type, type); }

// Two tensors that one internal state connects must agree.
void CheckSameType(const RnnProblem& problem, Tensor a, Tensor b) {
  if (!problem.Has(a) || !problem.Has(b)) return;
  const DataType type_a = TypeOf(problem.md[a]), type_b = TypeOf(problem.md[b]);
  if (type_a == type_b) return;
  ThrowUnimplemented(std::string(ToString(b)) + ": data type is " + ToString(type_b) + ", but " + ToString(a) +
                     " has " + ToString(type_a) + "; they must be equal");
}

void CheckFloatTypes(const RnnProblem& problem) {
  const DataType x = problem.SrcType();
  for (const Tensor tensor :
       {kSrcIter, kAugruAttention, kWeightsLayer, kWeightsIter, kWeightsProjection, kDstLayer, kDstIter}) {
    CheckType(problem, tensor, x);
  }
  CheckType(problem, kWeightsPeephole, DataType::kF32);
  for (const Tensor tensor : {kBias, kSrcIterC, kDstIterC}) CheckType(problem, tensor, x, DataType::kF32);
  CheckSameType(problem, kSrcIterC, kDstIterC);
}

void CheckInt8Configuration(const RnnProblem& problem) {
  const std::string type = ToString(problem.SrcType());
  const std::string cell = ToString(problem.cell);
  if (problem.propagation != Propagation::kForwardInference) {
    ThrowUnimplemented("src_layer: data type is " + type + ", but " + ToString(problem.propagation) +
                       " has f32, bf16 and f16 only");
  }
  if (!TakesInt8(problem.cell, problem.SrcType())) {
    std::string takers;
    for (const Cell taker : kCells) {
      if (TakesInt8(taker, problem.SrcType())) takers += (takers.empty() ? "" : ", ") + std::string(ToString(taker));
    }
    ThrowUnimplemented("src_layer: data type is " + type + ", but cell " + cell + " is none of those that take it (" +
                       takers + ")");
  }
  if (problem.HasPeephole()) {
    ThrowUnimplemented("weights_peephole: is " + DimsToString(problem.md[kWeightsPeephole]) +
                       ", but must be absent with src_layer in " + type);
  }
}

void CheckInt8Types(const RnnProblem& problem) {
  CheckInt8Configuration(problem);
  const DataType x = problem.SrcType();
  for (const Tensor tensor : {kWeightsLayer, kWeightsIter, kWeightsProjection}) {
    CheckType(problem, tensor, DataType::kS8);
  }
  for (const Tensor tensor : {kBias, kSrcIterC, kDstIterC}) CheckType(problem, tensor, DataType::kF32);
  for (const Tensor tensor : {kSrcIter, kDstIter, kDstLayer}) CheckType(problem, tensor, x, DataType::kF32);
  CheckSameType(problem, kSrcIter, kDstIter);
}

}  // namespace

void CheckTypes(const RnnProblem& problem) {
  const DataType x = problem.SrcType();
  if (IsByte(x)) {
    CheckInt8Types(problem);
  } else if (IsFloating(x)) {
    CheckFloatTypes(problem);
  } else {
    ThrowUnimplemented(std::string("src_layer: data type is ") + ToString(x) +
                       ", but must be one of f32, bf16, f16, u8, s8");
  }
  for (int i = kDiffSrcLayer; i < kNumTensors; ++i) {
    const Tensor diff = static_cast<Tensor>(i);
    if (problem.Has(diff) && TypeOf(problem.md[diff]) != DataType::kF32) {
      ThrowUnimplemented(std::string(ToString(diff)) + ": data type is " + ToString(TypeOf(problem.md[diff])) +
                         ", but every diff_ tensor is f32");
    }
  }
}

}  // namespace tandem
