// Memory descriptors: where the element with given logical indices lies. The public struct
// dnnl_memory_desc is the one representation; everything here is a free function over it.
#ifndef TANDEM_API_CORE_MEMORY_MEMORY_DESC_H_
#define TANDEM_API_CORE_MEMORY_MEMORY_DESC_H_

#include <array>
#include <string>
#include <vector>

#include "api/core/types.h"

namespace tandem {

using MemoryDesc = dnnl_memory_desc;
using Dims = std::vector<Dim>;

inline DataType TypeOf(const MemoryDesc& md) { return static_cast<DataType>(md.data_type); }
// A zero descriptor says that the tensor is absent.
inline bool IsZero(const MemoryDesc& md) { return md.ndims == 0; }
inline bool IsAny(const MemoryDesc& md) { return md.format_kind == dnnl_format_kind_any; }
// Plain: every element at offset0 + sum(index * stride).
inline bool IsPlain(const MemoryDesc& md) {
  return md.format_kind == dnnl_blocked && md.format_desc.blocking.inner_nblks == 0;
}
// Opaque: a layout of one implementation, described by format_desc.packed.
inline bool IsOpaque(const MemoryDesc& md) { return md.format_kind == dnnl_format_kind_opaque; }

// A bit of extra.flags: an RNN has chosen this plain layout for weights. A descriptor without it is not equal.
constexpr uint64_t kChosenForWeights = uint64_t{1} << 32;

inline const Dim* Strides(const MemoryDesc& md) { return md.format_desc.blocking.strides; }

// Offset in elements of plain `md` at `index` (md.ndims of them), offset0 included.
inline Dim OffsetAt(const MemoryDesc& md, const Dim* index) {
  Dim offset = md.offset0;
  for (int i = 0; i < md.ndims; ++i) offset += index[i] * Strides(md)[i];
  return offset;
}

// The Make functions give a zero descriptor for empty dims. All throw invalid_arguments for a negative dim, more than
// DNNL_MAX_NDIMS dims, an unknown data type, or a tensor whose bytes an int64 cannot count. A dim may be
// DNNL_RUNTIME_DIM_VAL ("known later") except with `any`; RNN and reorder then refuse the descriptor.

// Row-major dense descriptor.
MemoryDesc MakeDense(const Dims& dims, DataType type);
// Explicit strides in elements; empty means row-major. They must follow the specification's rule (section "Plain Memory
// Formats"): sorted, each is at least the previous one times its dim. Dims of 1 are free; a stride of 0 broadcasts.
MemoryDesc MakeStrided(const Dims& dims, DataType type, const Dims& strides);
// Dense with the physical order of `permutation`, outermost first: "abdec" means dim 4 before dim 2.
MemoryDesc MakePermuted(const Dims& dims, DataType type, const char* permutation);
// format_tag::any: the implementation chooses the layout.
MemoryDesc MakeAny(const Dims& dims, DataType type);

// Throws invalid_arguments, with a message that starts with `name`, unless `md` is zero or could have come from a Make
// function, submemory, reshape or permute_axes: clients may write into the public struct. Throws unimplemented for
// blocked layouts with inner blocks.
void CheckWellFormed(const MemoryDesc& md, const std::string& name);

// Bytes that the tensor covers: the largest dim * stride, so that padded rows count whole (as oneDNN counts). offset0
// is not included. 0 for zero, `any` and empty descriptors; DNNL_RUNTIME_DIM_VAL as size_t where a dim is unknown.
size_t SizeInBytes(const MemoryDesc& md);
// Bytes from the buffer's first byte to the end of the tensor's last element, offset0 included:
// what a buffer must have for the tensor to lie inside it. 0 where SizeInBytes is 0.
size_t ExtentInBytes(const MemoryDesc& md);
// Product of the dims.
Dim NumElements(const MemoryDesc& md);
// True if row-major and without gaps (strides of dims of size 1 do not count).
bool IsDense(const MemoryDesc& md);
// True if two indices of plain `md` can address one element: a dim above 1 with stride 0.
bool HasBroadcast(const MemoryDesc& md);
// True if a dim, a stride or offset0 is DNNL_RUNTIME_DIM_VAL.
bool HasRuntimeValues(const MemoryDesc& md);
// The specification's equality: all zero descriptors are equal; strides of dims of size 1 are ignored.
bool Equal(const MemoryDesc& a, const MemoryDesc& b);
// "{2, 3, 4}", for messages.
std::string DimsToString(const MemoryDesc& md);
std::string DimsToString(const Dims& dims);

}  // namespace tandem

#endif  // TANDEM_API_CORE_MEMORY_MEMORY_DESC_H_
