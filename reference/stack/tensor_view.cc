#include "reference/stack/tensor_view.h"

#include "api/core/attributes/quantization.h"
#include "api/core/float16.h"

namespace tandem {
namespace reference {
namespace {

// Where a slice lies: element offsets.
struct Extent {
  Dim origin, rows, cols, row_stride, col_stride;

  Extent(const MemoryDesc& md, const Dim* index, int row_dim, int col_dim)
      : origin(OffsetAt(md, index)),
        rows(md.dims[row_dim]),
        cols(col_dim == kSingleColumn ? 1 : md.dims[col_dim]),
        row_stride(Strides(md)[row_dim]),
        col_stride(col_dim == kSingleColumn ? 0 : Strides(md)[col_dim]) {}
};

template <class Element, class ToDouble>
Mat<double> Load(const void* base, const Extent& extent, ToDouble to_double) {
  const Element* elements = static_cast<const Element*>(base) + extent.origin;
  Mat<double> values(extent.rows, extent.cols);
  for (Dim col = 0; col < extent.cols; ++col) {
    for (Dim row = 0; row < extent.rows; ++row) {
      values(row, col) = to_double(elements[row * extent.row_stride + col * extent.col_stride]);
    }
  }
  return values;
}

template <class Element, class FromDouble>
void Store(void* base, const Extent& extent, const Mat<double>& values, FromDouble from_double) {
  Element* elements = static_cast<Element*>(base) + extent.origin;
  for (Dim col = 0; col < extent.cols; ++col) {
    for (Dim row = 0; row < extent.rows; ++row) {
      elements[row * extent.row_stride + col * extent.col_stride] = from_double(values(row, col));
    }
  }
}

}  // namespace

Mat<double> TensorView::Slice(const Dim* index, int row_dim, int col_dim) const {
  const Extent extent(md_, index, row_dim, col_dim);
  switch (TypeOf(md_)) {
    case DataType::kF16:
      return Load<uint16_t>(base_, extent, Fp16ToFloat);
    case DataType::kBf16:
      return Load<uint16_t>(base_, extent, Bf16ToFloat);
    case DataType::kS8:
      return Load<int8_t>(base_, extent, [](int8_t q) { return q; });
    case DataType::kU8:
      return Load<uint8_t>(base_, extent, [](uint8_t q) { return q; });
    default:
      return Load<float>(base_, extent, [](float value) { return value; });
  }
}

void TensorView::StoreSlice(const Dim* index, int row_dim, int col_dim, const Mat<double>& values) const {
  const Extent extent(md_, index, row_dim, col_dim);
  switch (TypeOf(md_)) {
    case DataType::kF16:
      return Store<uint16_t>(base_, extent, values, DoubleToFp16);
    case DataType::kBf16:
      return Store<uint16_t>(base_, extent, values, DoubleToBf16);
    case DataType::kS8:
      return Store<int8_t>(base_, extent, values, SaturateAndRound<int8_t, double>);
    case DataType::kU8:
      return Store<uint8_t>(base_, extent, values, SaturateAndRound<uint8_t, double>);
    default:
      return Store<float>(base_, extent, values, [](double value) { return static_cast<float>(value); });
  }
}

}  // namespace reference
}  // namespace tandem
