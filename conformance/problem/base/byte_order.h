// The byte order of files and pipes, which is not that of every processor.
#ifndef TANDEM_CONFORMANCE_PROBLEM_BASE_BYTE_ORDER_H_
#define TANDEM_CONFORMANCE_PROBLEM_BASE_BYTE_ORDER_H_

#include <algorithm>
#include <cstddef>

namespace tandem::conformance {

// Reverses the bytes of each of `count` adjacent elements, which are `width` bytes wide.
inline void ReverseEachElement(void* elements, size_t count, size_t width) {
  auto* const bytes = static_cast<char*>(elements);
  for (size_t i = 0; i < count; ++i) std::reverse(bytes + i * width, bytes + (i + 1) * width);
}

// Converts elements from this processor's byte order to little endian, or from little endian to this processor's: both are
// the same operation.
inline void ConvertLittleEndian(void* elements, size_t count, size_t width) {
  if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__) ReverseEachElement(elements, count, width);
}

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PROBLEM_BASE_BYTE_ORDER_H_
