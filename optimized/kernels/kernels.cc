#include "optimized/kernels/kernels.h"

namespace tandem {
namespace optimized {

Kernels KernelsFor(DataType storage, int64_t target) {
  switch (storage) {
    case DataType::kBf16:
      return KernelsBf16(target);
    case DataType::kF16:
      return KernelsF16(target);
    case DataType::kS8:
      return KernelsS8(target);
    default:
      return KernelsF32(target);
  }
}

}  // namespace optimized
}  // namespace tandem
