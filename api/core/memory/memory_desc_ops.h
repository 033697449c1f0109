// Descriptors made from descriptors: views and renamings of plain tensors that move no data (the specification's
// description of dnnl::memory::desc).
#ifndef TANDEM_API_CORE_MEMORY_MEMORY_DESC_OPS_H_
#define TANDEM_API_CORE_MEMORY_MEMORY_DESC_OPS_H_

#include <vector>

#include "api/core/memory/memory_desc.h"

namespace tandem {

// The box of `dims` elements that begins at `offsets` inside `parent`: the parent's strides, and
// offset0 moved to the box's first element. Throws invalid_arguments if the box is not inside the
// parent or the parent is `any`, unimplemented if the parent is opaque or has runtime values.
MemoryDesc SubMemory(const MemoryDesc& parent, const Dims& dims, const Dims& offsets);

// The same elements in the same row-major order of indices under other dims: dims of 1 come and go,
// neighbours are merged or split. Throws invalid_arguments if the numbers of elements differ, if
// neighbours to be merged are not adjacent in memory, or if `md` is neither plain nor `any`.
MemoryDesc Reshape(const MemoryDesc& md, const Dims& dims);

// The same memory with dim d renamed to dim permutation[d]: result.dims[permutation[d]] = md.dims[d]. Throws
// invalid_arguments if `permutation` is no permutation, or if `md` is neither plain nor `any`.
MemoryDesc PermuteAxes(const MemoryDesc& md, const std::vector<int>& permutation);

}  // namespace tandem

#endif  // TANDEM_API_CORE_MEMORY_MEMORY_DESC_OPS_H_
