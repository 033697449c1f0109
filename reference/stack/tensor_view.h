// Elements of a plain tensor, with any strides, as exact doubles.
#ifndef TANDEM_REFERENCE_STACK_TENSOR_VIEW_H_
#define TANDEM_REFERENCE_STACK_TENSOR_VIEW_H_

#include "api/core/memory/memory_desc.h"
#include "reference/numerics/matrix.h"

namespace tandem {
namespace reference {

constexpr int kSingleColumn = -1;

// A tensor's memory: the base pointer of the memory object and its plain descriptor.
class TensorView {
 public:
  TensorView(const MemoryDesc& md, void* base) : md_(md), base_(base) {}

  // The two-dimensional slice over dims `row_dim` and `col_dim`, the other indices as given, as a matrix whose rows run
  // along row_dim. kSingleColumn in place of col_dim: one column. StoreSlice rounds to nearest even; integers also
  // saturate.
  Mat<double> Slice(const Dim* index, int row_dim, int col_dim) const;
  void StoreSlice(const Dim* index, int row_dim, int col_dim, const Mat<double>& values) const;

 private:
  MemoryDesc md_;
  void* base_;
};

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_STACK_TENSOR_VIEW_H_
