// The data type table. Let x be src_layer's type:
//
//   x     src_iter, dst_iter  dst_layer  weights  peephole  projection  attention  bias       c states   propagation
//   f32   f32                 f32        f32      f32       f32         f32        f32        f32        all
//   bf16  bf16                bf16       bf16     f32       bf16        bf16       bf16, f32  bf16, f32  all
//   f16   f16                 f16        f16      f32       f16         f16        f16, f32   f16, f32   all
//   u8    u8, or both f32     u8, f32    s8       -         s8          -          f32        f32        inference
//   s8    s8, or both f32     s8, f32    s8       -         s8          -          f32        f32        inference
//
// u8: LSTM (with or without projection), GRU and LBR-GRU; s8: LSTM and LBR-GRU. An absent tensor fits every row. All
// diff_ are f32. With x in a floating type, all weights may be s8 in inference.
#include <string>

#include "api/core/error.h"
#include "api/core/rnn/rnn_checks.h"

namespace tandem {
namespace {

// The two types that a tensor may have; often the same.
struct Types {
  DataType first, second;
};

// With src_layer in a floating type x.
Types FloatTypes(TypeRule rule, DataType x, Propagation propagation) {
  switch (rule) {
    case TypeRule::kSrcLayer:
    case TypeRule::kDstLayer:
    case TypeRule::kIterState:
    case TypeRule::kAttention:
      return {x, x};
    case TypeRule::kWeights:
      return {x, propagation == Propagation::kForwardInference ? DataType::kS8 : x};
    case TypeRule::kCellState:
    case TypeRule::kBias:
      return {x, DataType::kF32};
    case TypeRule::kLengths:
      return {DataType::kS32, DataType::kS32};
    case TypeRule::kPeephole:
    case TypeRule::kGradient:
    case TypeRule::kMask:
      break;
  }
  return {DataType::kF32, DataType::kF32};
}

// With src_layer in an 8-bit type x. Neither attention nor peephole can be given then.
Types ByteTypes(TypeRule rule, DataType x) {
  switch (rule) {
    case TypeRule::kSrcLayer:
      return {x, x};
    case TypeRule::kDstLayer:
    case TypeRule::kIterState:
      return {x, DataType::kF32};
    case TypeRule::kWeights:
      return {DataType::kS8, DataType::kS8};
    case TypeRule::kLengths:
      return {DataType::kS32, DataType::kS32};
    case TypeRule::kAttention:
    case TypeRule::kCellState:
    case TypeRule::kBias:
    case TypeRule::kPeephole:
    case TypeRule::kGradient:
    case TypeRule::kMask:
      break;
  }
  return {DataType::kF32, DataType::kF32};
}

void CheckType(const RnnProblem& problem, Tensor tensor, Types types) {
  const DataType type = TypeOf(problem.md[tensor]);
  if (!problem.Has(tensor) || type == types.first || type == types.second) return;
  std::string wanted = ToString(types.first);
  if (types.first != types.second) wanted += std::string(" or ") + ToString(types.second);
  ThrowUnimplemented(std::string(ToString(tensor)) + ": data type is " + ToString(type) + ", but with src_layer in " +
                     ToString(problem.SrcType()) + " it must be " + wanted);
}

// Two tensors that one internal state connects must agree.
void CheckSameType(const RnnProblem& problem, Tensor a, Tensor b) {
  if (!problem.Has(a) || !problem.Has(b)) return;
  const DataType type_a = TypeOf(problem.md[a]), type_b = TypeOf(problem.md[b]);
  if (type_a == type_b) return;
  ThrowUnimplemented(std::string(ToString(b)) + ": data type is " + ToString(type_b) + ", but " + ToString(a) +
                     " has " + ToString(type_a) + "; they must be equal");
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

}  // namespace

void CheckTypes(const RnnProblem& problem) {
  const DataType x = problem.SrcType();
  if (!IsByte(x) && !IsFloating(x)) {
    ThrowUnimplemented(std::string("src_layer: data type is ") + ToString(x) +
                       ", but must be one of f32, bf16, f16, u8, s8");
  }
  if (IsByte(x)) CheckInt8Configuration(problem);
  for (const Tensor tensor : kForwardTensors) {
    const TypeRule rule = TraitsOf(tensor).type;
    CheckType(problem, tensor, IsByte(x) ? ByteTypes(rule, x) : FloatTypes(rule, x, problem.propagation));
  }
  CheckSameType(problem, kSrcIter, kDstIter);
  CheckSameType(problem, kSrcIterC, kDstIterC);
  CheckSameType(problem, kWeightsLayer, kWeightsIter);
  CheckSameType(problem, kWeightsLayer, kWeightsProjection);
  for (const Tensor diff : kDiffTensors) {
    if (problem.Has(diff) && TypeOf(problem.md[diff]) != DataType::kF32) {
      ThrowUnimplemented(std::string(ToString(diff)) + ": data type is " + ToString(TypeOf(problem.md[diff])) +
                         ", but every diff_ tensor is f32");
    }
  }
}

}  // namespace tandem
