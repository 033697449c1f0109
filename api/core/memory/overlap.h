// Finds out whether two tensors in memory have bytes in common, for execute()'s rule on outputs that overlap inputs.
#ifndef TANDEM_API_CORE_MEMORY_OVERLAP_H_
#define TANDEM_API_CORE_MEMORY_OVERLAP_H_

#include "api/core/memory/memory_desc.h"

namespace tandem {

// A tensor at an address; `base` is the buffer's first byte, offset0 not yet added.
struct PlacedTensor {
  const MemoryDesc& md;
  const void* base;
};

// True if an element of `a` and an element of `b` have a byte in common. Gaps between rows belong to no element, so two
// windows that lie side by side in the rows of one buffer share nothing. Opaque tensors are solid. Exact, except that it
// says true for strides of the two tensors whose combinations are too many to try (10,000).
bool ShareBytes(const PlacedTensor& a, const PlacedTensor& b);

// Copies the elements of `md`, and nothing between them, to the same places of another buffer.
void CopyElements(const MemoryDesc& md, const void* from_base, void* to_base);

}  // namespace tandem

#endif  // TANDEM_API_CORE_MEMORY_OVERLAP_H_
