#include "conformance/batch_rows.h"

namespace tandem::conformance {
namespace {

// The batch's axis in the dims of a tensor, or -1.
int BatchAxis(Tensor tensor) {
  switch (tensor) {
    case kSrcLayer:
    case kDstLayer:
    case kAugruAttention:
      return 1;
    case kSrcIter:
    case kSrcIterC:
    case kDstIter:
    case kDstIterC:
      return 2;
    default:
      return -1;
  }
}

Dim SourceRow(Dim row, Dim rows, Dim many) { return rows < 2 ? 0 : row * (many - 1) / (rows - 1); }

}  // namespace

RnnProblem WithRows(const RnnProblem& problem, Dim rows) {
  RnnProblem few = problem;
  for (int i = 0; i < kNumTensors; ++i) {
    const int axis = BatchAxis(static_cast<Tensor>(i));
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
  TensorSet taken(few);
  for (int i = 0; i < kNumTensors; ++i) {
    const TensorBuffer& from = tensors.tensor[i];
    TensorBuffer& to = taken.tensor[i];
    const int axis = BatchAxis(static_cast<Tensor>(i));
    if (to.empty()) continue;
    const MemoryDesc& md = to.md();
    Dim index[DNNL_MAX_NDIMS] = {};
    for (size_t linear = 0; linear < to.size(); ++linear) {
      size_t source = 0;
      for (int d = 0; d < md.ndims; ++d) {
        const Dim at = d == axis ? SourceRow(index[d], few.mb, many.mb) : index[d];
        source = source * static_cast<size_t>(from.md().dims[d]) + static_cast<size_t>(at);
      }
      to.Set(linear, from.Get(source));
      for (int d = md.ndims - 1; d >= 0 && ++index[d] == md.dims[d]; --d) index[d] = 0;
    }
  }
  return taken;
}

}  // namespace tandem::conformance
