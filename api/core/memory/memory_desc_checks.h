// A memory descriptor must satisfy these. Every function throws invalid_arguments with a message that starts with `name`.
#ifndef TANDEM_API_CORE_MEMORY_MEMORY_DESC_CHECKS_H_
#define TANDEM_API_CORE_MEMORY_MEMORY_DESC_CHECKS_H_

#include <cstddef>
#include <limits>
#include <string>

#include "api/core/memory/memory_desc.h"

namespace tandem {

// No array is larger: 2^63 - 1 bytes, on 32-bit processors 2^31 - 1.
constexpr Dim kMostBytes = std::numeric_limits<std::ptrdiff_t>::max();

// a * b for non-negative factors, or the error that the tensor is too large.
Dim CheckedProduct(Dim a, Dim b, const std::string& name);
// Rank, sign of each dim, data type, and that the number of bytes of a dense tensor fits an int64.
void CheckDimsAndType(const MemoryDesc& md, const std::string& name);
// The specification's rule for strides (section "Plain Memory Formats"), and that the offset of the tensor's last byte
// fits an int64.
void CheckStrides(const MemoryDesc& md, const std::string& name);

}  // namespace tandem

#endif  // TANDEM_API_CORE_MEMORY_MEMORY_DESC_CHECKS_H_
