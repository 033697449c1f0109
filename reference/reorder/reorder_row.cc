#include "reference/reorder/reorder_row.h"

#include <cstring>

#include "api/core/attributes/quantization.h"
#include "api/core/float16.h"

namespace tandem {
namespace reference {
namespace {

template <class T, class Convert>
void Load(const Row& row, Dim n, float* values, Convert convert) {
  const T* from = static_cast<const T*>(row.base) + row.offset;
  for (Dim i = 0; i < n; ++i) values[i] = convert(from[i * row.stride]);
}

template <class T, class Convert>
void Store(const MutableRow& row, Dim n, const float* values, Convert convert) {
  T* to = static_cast<T*>(row.base) + row.offset;
  for (Dim i = 0; i < n; ++i) to[i * row.stride] = convert(values[i]);
}

template <class T>
void Copy(const Row& src, const MutableRow& dst, Dim n) {
  const T* from = static_cast<const T*>(src.base) + src.offset;
  T* to = static_cast<T*>(dst.base) + dst.offset;
  if (src.stride == 1 && dst.stride == 1) {
    std::memmove(to, from, static_cast<size_t>(n) * sizeof(T));
    return;
  }
  for (Dim i = 0; i < n; ++i) to[i * dst.stride] = from[i * src.stride];
}

template <class Int>
float FromInteger(Int value) {
  return static_cast<float>(value);
}

}  // namespace

void LoadRow(const Row& row, Dim n, float* values) {
  switch (row.type) {
    case DataType::kF32:
      return Load<float>(row, n, values, [](float value) { return value; });
    case DataType::kBf16:
      return Load<uint16_t>(row, n, values, Bf16ToFloat);
    case DataType::kF16:
      return Load<uint16_t>(row, n, values, Fp16ToFloat);
    case DataType::kS32:
      return Load<int32_t>(row, n, values, FromInteger<int32_t>);
    case DataType::kS8:
      return Load<int8_t>(row, n, values, FromInteger<int8_t>);
    case DataType::kU8:
      return Load<uint8_t>(row, n, values, FromInteger<uint8_t>);
    case DataType::kUndef:
      break;
  }
}

void StoreRow(const MutableRow& row, Dim n, const float* values) {
  switch (row.type) {
    case DataType::kF32:
      return Store<float>(row, n, values, [](float value) { return value; });
    case DataType::kBf16:
      return Store<uint16_t>(row, n, values, FloatToBf16);
    case DataType::kF16:
      return Store<uint16_t>(row, n, values, FloatToFp16);
    case DataType::kS32:
      return Store<int32_t>(row, n, values, SaturateAndRound<int32_t, float>);
    case DataType::kS8:
      return Store<int8_t>(row, n, values, SaturateAndRound<int8_t, float>);
    case DataType::kU8:
      return Store<uint8_t>(row, n, values, SaturateAndRound<uint8_t, float>);
    case DataType::kUndef:
      break;
  }
}

void CopyRow(const Row& src, const MutableRow& dst, Dim n) {
  switch (SizeOf(src.type)) {
    case 4:
      return Copy<uint32_t>(src, dst, n);
    case 2:
      return Copy<uint16_t>(src, dst, n);
    default:
      return Copy<uint8_t>(src, dst, n);
  }
}

}  // namespace reference
}  // namespace tandem
