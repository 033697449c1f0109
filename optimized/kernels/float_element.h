// One element of a floating tensor, where no vector is worth it.
#ifndef TANDEM_OPTIMIZED_KERNELS_FLOAT_ELEMENT_H_
#define TANDEM_OPTIMIZED_KERNELS_FLOAT_ELEMENT_H_

#include <cstdint>

#include "api/core/float16.h"
#include "api/core/types.h"

namespace tandem {
namespace optimized {

// Element `index` of f32, bf16 or f16 memory.
inline float LoadFloat(const void* from, DataType type, Dim index) {
  if (type == DataType::kF32) return static_cast<const float*>(from)[index];
  const uint16_t bits = static_cast<const uint16_t*>(from)[index];
  return type == DataType::kBf16 ? Bf16ToFloat(bits) : Fp16ToFloat(bits);
}

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_KERNELS_FLOAT_ELEMENT_H_
