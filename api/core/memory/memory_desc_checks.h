// What a memory descriptor must satisfy. Every function throws invalid_arguments with a message
// that starts with `name`.
#ifndef TANDEM_API_CORE_MEMORY_MEMORY_DESC_CHECKS_H_
#define TANDEM_API_CORE_MEMORY_MEMORY_DESC_CHECKS_H_

#include <string>

#include "api/core/memory/memory_desc.h"

namespace tandem {

// a * b for non-negative factors, or the error that the tensor is too large.
Dim CheckedProduct(Dim a, Dim b, const std::string& name);
// Rank, sign of each dim, data type, and that the number of bytes of a dense tensor fits an int64.
void CheckDimsAndType(const MemoryDesc& md, const std::string& name);
// The text's rule for strides (spec/memory_formats.txt), and that the tensor's last byte has an
// int64 offset.
void CheckStrides(const MemoryDesc& md, const std::string& name);

}  // namespace tandem

#endif  // TANDEM_API_CORE_MEMORY_MEMORY_DESC_CHECKS_H_
