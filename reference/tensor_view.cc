#include "reference/tensor_view.h"

#include "api/core/float16.h"
#include "api/core/quantization.h"

namespace tandem {
namespace reference {
namespace {

double LoadAt(DataType type, const void* base, Dim offset) {
  switch (type) {
    case DataType::kF16:
      return Fp16ToFloat(static_cast<const uint16_t*>(base)[offset]);
    case DataType::kBf16:
      return Bf16ToFloat(static_cast<const uint16_t*>(base)[offset]);
    case DataType::kS32:
      return static_cast<const int32_t*>(base)[offset];
    case DataType::kS8:
      return static_cast<const int8_t*>(base)[offset];
    case DataType::kU8:
      return static_cast<const uint8_t*>(base)[offset];
    default:
      return static_cast<const float*>(base)[offset];
  }
}

void StoreAt(DataType type, void* base, Dim offset, double value) {
  switch (type) {
    case DataType::kF16:
      static_cast<uint16_t*>(base)[offset] = DoubleToFp16(value);
      return;
    case DataType::kBf16:
      static_cast<uint16_t*>(base)[offset] = DoubleToBf16(value);
      return;
    case DataType::kS8:
      static_cast<int8_t*>(base)[offset] = SaturateAndRound<int8_t>(value);
      return;
    case DataType::kU8:
      static_cast<uint8_t*>(base)[offset] = SaturateAndRound<uint8_t>(value);
      return;
    default:
      static_cast<float*>(base)[offset] = static_cast<float>(value);
  }
}

}  // namespace

Mat<double> TensorView::Slice(const Dim* index, int row_dim, int col_dim) const {
  const Dim origin = OffsetAt(md_, index);
  const Dim row_stride = Strides(md_)[row_dim];
  const Dim col_stride = col_dim == kSingleColumn ? 0 : Strides(md_)[col_dim];
  const DataType type = TypeOf(md_);
  Mat<double> values(md_.dims[row_dim], col_dim == kSingleColumn ? 1 : md_.dims[col_dim]);
  for (Dim col = 0; col < values.cols(); ++col) {
    for (Dim row = 0; row < values.rows(); ++row) {
      values(row, col) = LoadAt(type, base_, origin + row * row_stride + col * col_stride);
    }
  }
  return values;
}

void TensorView::StoreSlice(const Dim* index, int row_dim, int col_dim, const Mat<double>& values) const {
  const Dim origin = OffsetAt(md_, index);
  const Dim row_stride = Strides(md_)[row_dim];
  const Dim col_stride = col_dim == kSingleColumn ? 0 : Strides(md_)[col_dim];
  const DataType type = TypeOf(md_);
  for (Dim col = 0; col < values.cols(); ++col) {
    for (Dim row = 0; row < values.rows(); ++row) {
      StoreAt(type, base_, origin + row * row_stride + col * col_stride, values(row, col));
    }
  }
}

}  // namespace reference
}  // namespace tandem
