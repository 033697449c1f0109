// Plain weights of any strides, and reorders run directly on them.
#ifndef TANDEM_OPTIMIZED_WEIGHTS_REORDER_TESTING_H_
#define TANDEM_OPTIMIZED_WEIGHTS_REORDER_TESTING_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "optimized/weights/reorder.h"

namespace tandem {
namespace optimized {

// Dims with strides that follow `order` (dim numbers, outermost first), each row of the innermost dim padded by `gap`
// elements, and an offset.
inline MemoryDesc Plain(const Dims& dims, DataType type, const std::vector<int>& order, Dim gap, Dim offset0) {
  MemoryDesc md = {};
  md.ndims = static_cast<int>(dims.size());
  md.data_type = static_cast<dnnl_data_type_t>(type);
  md.format_kind = dnnl_blocked;
  md.offset0 = offset0;
  Dim stride = 1;
  for (int i = md.ndims - 1; i >= 0; --i) {
    const int dim = order[i];
    md.dims[dim] = md.padded_dims[dim] = dims[dim];
    md.format_desc.blocking.strides[dim] = stride;
    stride *= dims[dim];
    if (i == md.ndims - 1) stride += gap;
  }
  return md;
}

inline size_t ElementsUpTo(const MemoryDesc& md) {
  Dim last = md.offset0;
  for (int i = 0; i < md.ndims; ++i) last += (md.dims[i] - 1) * Strides(md)[i];
  return static_cast<size_t>(last) + 1;
}

// Visits every logical index {l, d, i, g, o} (g = 0 for four dims) with its offset in `plain`.
template <class Visit>
void ForEach(const MemoryDesc& plain, const Visit& visit) {
  const bool has_gates = plain.ndims == 5;
  const Dim gates = has_gates ? plain.dims[3] : 1;
  const Dim outputs = plain.dims[plain.ndims - 1];
  for (Dim l = 0; l < plain.dims[0]; ++l)
    for (Dim d = 0; d < plain.dims[1]; ++d)
      for (Dim i = 0; i < plain.dims[2]; ++i)
        for (Dim g = 0; g < gates; ++g)
          for (Dim o = 0; o < outputs; ++o) {
            const Dim five[] = {l, d, i, g, o}, four[] = {l, d, i, o};
            visit(l, d, i, g, o, OffsetAt(plain, has_gates ? five : four));
          }
}

inline std::unique_ptr<const ReorderPlan> Create(const MemoryDesc& src, const MemoryDesc& dst,
                                                 const Attributes& attr = {}) {
  ReorderProblem problem;
  problem.src = src;
  problem.dst = dst;
  problem.attr = attr;
  std::string why_not;
  auto plan = CreateReorder(problem, &why_not);
  EXPECT_TRUE(plan != nullptr) << why_not;
  return plan;
}

inline void Reorder(const ReorderPlan& plan, const void* src, void* dst) {
  ReorderBuffers buffers;
  buffers.src = src;
  buffers.dst = dst;
  plan.Execute(buffers);
}

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_WEIGHTS_REORDER_TESTING_H_
