// Valid RNN problems, for tests that change one thing in them.
#ifndef TANDEM_API_CORE_RNN_RNN_PROBLEM_TESTING_H_
#define TANDEM_API_CORE_RNN_RNN_PROBLEM_TESTING_H_

#include "api/core/rnn/rnn_problem.h"

namespace tandem {

struct TestShape {
  Dim n_layer = 1, n_iter = 3, mb = 2, slc = 5, sic = 4, dhc = 4, dic = 4;
};

inline Dim TestDlc(const TestShape& s, Direction direction) {
  return direction == Direction::kBidirectionalConcat ? 2 * s.dic : s.dic;
}

// The dims that `tensor` must have.
inline Dims TestDims(const RnnProblem& p, const TestShape& s, Tensor tensor) {
  const Dim n_dir = IsBidirectional(p.direction) ? 2 : 1;
  const Tensor t = WithoutDiff(tensor);
  if (t == kSrcLayer) return {s.n_iter, s.mb, s.slc};
  if (t == kSrcIter) return {s.n_layer, n_dir, s.mb, s.sic};
  if (t == kAugruAttention) return {s.n_iter, s.mb, 1};
  if (t == kWeightsLayer) return {s.n_layer, n_dir, s.slc, NumGates(p.cell), s.dhc};
  if (t == kWeightsIter) return {s.n_layer, n_dir, s.sic, NumGates(p.cell), s.dhc};
  if (t == kWeightsPeephole) return {s.n_layer, n_dir, NumPeepholes(p.cell), s.dhc};
  if (t == kWeightsProjection) return {s.n_layer, n_dir, s.dhc, s.dic};
  if (t == kBias) return {s.n_layer, n_dir, NumBiasGates(p.cell), s.dhc};
  if (t == kDstLayer) return {s.n_iter, s.mb, TestDlc(s, p.direction)};
  if (t == kDstIter) return {s.n_layer, n_dir, s.mb, s.dic};
  return {s.n_layer, n_dir, s.mb, s.dhc};  // src_iter_c, dst_iter_c
}

// The type of `tensor` in the row of the data type table that begins with `x`.
inline DataType TestType(DataType x, Tensor tensor) {
  const bool int8 = x == DataType::kU8 || x == DataType::kS8;
  if (IsDiff(tensor) || tensor == kSrcIterC || tensor == kDstIterC) return DataType::kF32;
  if (RoleOf(tensor) == TensorRole::kParameter) return DataType::kF32;
  return int8 && IsWeights(tensor) ? DataType::kS8 : x;
}

inline void Add(RnnProblem* p, const TestShape& s, DataType x, Tensor tensor) {
  p->md[tensor] = MakeDense(TestDims(*p, s, tensor), TestType(x, tensor));
  if (p->IsBackward()) p->md[Diff(tensor)] = MakeDense(TestDims(*p, s, tensor), DataType::kF32);
}

// Every tensor that the cell has, except peephole and projection; row-major.
inline RnnProblem MakeTestProblem(Cell cell, Propagation propagation = Propagation::kForwardInference,
                                  Direction direction = Direction::kLeft2Right, DataType x = DataType::kF32,
                                  const TestShape& s = {}) {
  RnnProblem p;
  p.cell = cell;
  p.propagation = propagation;
  p.direction = direction;
  for (const Tensor tensor : {kSrcLayer, kSrcIter, kWeightsLayer, kWeightsIter, kBias, kDstLayer, kDstIter}) {
    if (tensor != kWeightsIter || HasIterProduct(cell)) Add(&p, s, x, tensor);
  }
  if (HasCellState(cell)) {
    Add(&p, s, x, kSrcIterC);
    Add(&p, s, x, kDstIterC);
  }
  if (HasAttention(cell)) Add(&p, s, x, kAugruAttention);
  return p;
}

}  // namespace tandem

#endif  // TANDEM_API_CORE_RNN_RNN_PROBLEM_TESTING_H_
