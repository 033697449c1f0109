#include "reference/stack/tensor_view.h"

#include "api/core/attributes/element.h"

namespace tandem {
namespace reference {
namespace {

// The element offsets of a slice.
struct Extent {
  Dim origin, rows, cols, row_stride, col_stride;

  Extent(const MemoryDesc& md, const Dim* index, int row_dim, int col_dim)
      : origin(OffsetAt(md, index)),
        rows(md.dims[row_dim]),
        cols(col_dim == kSingleColumn ? 1 : md.dims[col_dim]),
        row_stride(Strides(md)[row_dim]),
        col_stride(col_dim == kSingleColumn ? 0 : Strides(md)[col_dim]) {}
};

}  // namespace

Mat<double> TensorView::Slice(const Dim* index, int row_dim, int col_dim) const {
  const Extent extent(md_, index, row_dim, col_dim);
  return VisitElement(TypeOf(md_), [&](auto element) {
    using Element = decltype(element);
    const auto* elements = static_cast<const typename Element::Stored*>(base_) + extent.origin;
    Mat<double> values(extent.rows, extent.cols);
    for (Dim col = 0; col < extent.cols; ++col) {
      for (Dim row = 0; row < extent.rows; ++row) {
        values(row, col) = Element::Load(elements[row * extent.row_stride + col * extent.col_stride]);
      }
    }
    return values;
  });
}

void TensorView::StoreSlice(const Dim* index, int row_dim, int col_dim, const Mat<double>& values) const {
  const Extent extent(md_, index, row_dim, col_dim);
  VisitElement(TypeOf(md_), [&](auto element) {
    using Element = decltype(element);
    auto* elements = static_cast<typename Element::Stored*>(base_) + extent.origin;
    for (Dim col = 0; col < extent.cols; ++col) {
      for (Dim row = 0; row < extent.rows; ++row) {
        elements[row * extent.row_stride + col * extent.col_stride] = Element::Store(values(row, col));
      }
    }
  });
}

}  // namespace reference
}  // namespace tandem
