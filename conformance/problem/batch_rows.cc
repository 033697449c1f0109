#include "conformance/problem/batch_rows.h"

#include <functional>

namespace tandem::conformance {
namespace {

Dim SourceRow(Dim row, Dim rows, Dim many) { return rows < 2 ? 0 : row * (many - 1) / (rows - 1); }

// The elements of `few`'s tensors, each from the row of `tensors` that `source_row` gives for its own.
TensorSet Take(const RnnProblem& few, const TensorSet& tensors, const std::function<Dim(Dim row)>& source_row) {
  TensorSet taken(few);
  for (int i = 0; i < kNumTensors; ++i) {
    const TensorBuffer& from = tensors.tensor[i];
    TensorBuffer& to = taken.tensor[i];
    const int axis = AxisOf(static_cast<Tensor>(i), 'n');
    if (to.empty()) continue;
    const MemoryDesc& md = to.md();
    Dim index[DNNL_MAX_NDIMS] = {};
    for (size_t linear = 0; linear < to.size(); ++linear) {
      size_t source = 0;
      for (int d = 0; d < md.ndims; ++d) {
        const Dim at = d == axis ? source_row(index[d]) : index[d];
        source = source * static_cast<size_t>(from.md().dims[d]) + static_cast<size_t>(at);
      }
      to.Set(linear, from.Get(source));
      Advance(md, index);
    }
  }
  return taken;
}

}  // namespace

RnnProblem WithRows(const RnnProblem& problem, Dim rows) {
  RnnProblem few = problem;
  for (int i = 0; i < kNumTensors; ++i) {
    const int axis = AxisOf(static_cast<Tensor>(i), 'n');
    const MemoryDesc& md = problem.md[i];
    if (IsZero(md)) continue;
    Dims dims(md.dims, md.dims + md.ndims);
    if (axis >= 0) dims[axis] = rows;
    few.md[i] = MakeDense(dims, TypeOf(md));
  }
  Validate(&few);
  return few;
}

TensorSet TakeRows(const RnnProblem& many, const RnnProblem& few, const TensorSet& tensors) {
  return Take(few, tensors, [&](Dim row) { return SourceRow(row, few.mb, many.mb); });
}

RnnProblem WithBatch(const RnnProblem& problem, Dim rows) {
  RnnProblem other = problem;
  for (int i = 0; i < kNumTensors; ++i) {
    const int axis = AxisOf(static_cast<Tensor>(i), 'n');
    const MemoryDesc& md = problem.md[i];
    if (IsZero(md) || axis < 0) continue;
    Dims dims(md.dims, md.dims + md.ndims);
    dims[static_cast<size_t>(axis)] = rows;
    other.md[i] = MakeDense(dims, TypeOf(md));
  }
  Validate(&other);
  return other;
}

TensorSet TakeGivenRows(const RnnProblem& few, const TensorSet& tensors, const std::vector<Dim>& rows) {
  return Take(few, tensors, [&](Dim row) { return rows[static_cast<size_t>(row)]; });
}

RnnProblem WithOneRow(const RnnProblem& problem) { return WithBatch(problem, 1); }

TensorSet TakeOneRow(const RnnProblem& one, const TensorSet& tensors, Dim row) {
  return TakeGivenRows(one, tensors, {row});
}

}  // namespace tandem::conformance
