// The data types, and what each is made of: one row of a table.
#ifndef TANDEM_API_CORE_DATA_TYPE_H_
#define TANDEM_API_CORE_DATA_TYPE_H_

#include <cstddef>

#include "oneapi/dnnl/dnnl_types.h"

namespace tandem {

// Values equal those of dnnl_data_type_t, so that a memory descriptor's field converts by a cast.
enum class DataType : int {
  kUndef = dnnl_data_type_undef,
  kF16 = dnnl_f16,
  kBf16 = dnnl_bf16,
  kF32 = dnnl_f32,
  kS32 = dnnl_s32,
  kS8 = dnnl_s8,
  kU8 = dnnl_u8,
};

struct DataTypeTraits {
  DataType type;
  const char* name;        // in messages
  size_t size;             // bytes of an element
  int digits;              // of a floating type's significand, the hidden one included; 0: no floating type
  int min_exponent;        // the smallest normal number is 2 to this power
  double lowest, largest;  // the finite range
};

inline constexpr DataTypeTraits kDataTypes[] = {
    {DataType::kF32, "f32", 4, 24, -126, -0x1.fffffep127, 0x1.fffffep127},
    {DataType::kBf16, "bf16", 2, 8, -126, -0x1.fep127, 0x1.fep127},
    {DataType::kF16, "f16", 2, 11, -14, -65504, 65504},
    {DataType::kS32, "s32", 4, 0, 0, -2147483648., 2147483647.},
    {DataType::kS8, "s8", 1, 0, 0, -128, 127},
    {DataType::kU8, "u8", 1, 0, 0, 0, 255},
};

// The row of `type`; for kUndef and for types that RNN and reorder do not know, a row with the name "undef" and size 0.
constexpr DataTypeTraits TraitsOf(DataType type) {
  for (const DataTypeTraits& traits : kDataTypes) {
    if (traits.type == type) return traits;
  }
  return {DataType::kUndef, "undef", 0, 0, 0, 0, 0};
}

constexpr size_t SizeOf(DataType type) { return TraitsOf(type).size; }
constexpr const char* ToString(DataType type) { return TraitsOf(type).name; }
constexpr bool IsFloating(DataType type) { return TraitsOf(type).digits > 0; }
// Floating, and narrower than f32: bf16, f16.
constexpr bool IsNarrowFloat(DataType type) { return IsFloating(type) && SizeOf(type) < sizeof(float); }
constexpr bool IsByte(DataType type) { return SizeOf(type) == 1 && !IsFloating(type); }

}  // namespace tandem

#endif  // TANDEM_API_CORE_DATA_TYPE_H_
