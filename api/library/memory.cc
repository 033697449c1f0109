#include "api/library/memory.h"

#include <algorithm>

#include "api/core/memory/format_tag.h"
#include "api/core/memory/memory_desc_ops.h"
#include "api/library/guard.h"
#include "dnnl/abi.h"

using namespace tandem;

namespace tandem {

std::string Describe(const MemoryDesc& md) {
  if (IsZero(md)) return "a zero descriptor";
  std::string text = std::string(tandem_data_type2str(md.data_type)) + " " + DimsToString(md);
  if (IsAny(md)) return text + " any";
  if (IsOpaque(md)) {
    return text + " in opaque layout " + std::to_string(md.format_desc.packed.layout) + " of " +
           std::to_string(md.format_desc.packed.size) + " bytes";
  }
  text += " strides " + DimsToString(Dims(Strides(md), Strides(md) + md.ndims));
  if (md.offset0 != 0) text += " offset " + std::to_string(md.offset0);
  return text;
}

size_t BufferBytes(const MemoryDesc& md) { return std::max(SizeInBytes(md), ExtentInBytes(md)); }

namespace {

Dims ToDims(int ndims, const dnnl_dim_t* dims) {
  if (ndims < 0 || ndims > DNNL_MAX_NDIMS) {
    ThrowInvalid("memory descriptor: has " + std::to_string(ndims) + " dims, but may have 0 to " +
                 std::to_string(DNNL_MAX_NDIMS));
  }
  if (ndims > 0) NotNull(dims, "memory descriptor: dims");
  return ndims == 0 ? Dims() : Dims(dims, dims + ndims);
}

MemoryDesc& Result(dnnl_memory_desc* md) { return NotNull(md, "memory descriptor: pointer for the result"); }
const MemoryDesc& Source(const dnnl_memory_desc* md) { return NotNull(md, "memory descriptor"); }

}  // namespace
}  // namespace tandem

dnnl_status_t tandem_memory_desc_init_by_tag(dnnl_memory_desc* md, int ndims, const dnnl_dim_t* dims,
                                             dnnl_data_type_t type, dnnl_format_tag_t tag) {
  return Guard([&] { Result(md) = MakeTagged(ToDims(ndims, dims), static_cast<DataType>(type), tag); });
}

dnnl_status_t tandem_memory_desc_init_by_strides(dnnl_memory_desc* md, int ndims, const dnnl_dim_t* dims,
                                                 dnnl_data_type_t type, const dnnl_dim_t* strides) {
  return Guard([&] {
    const Dims stride_list = strides == nullptr ? Dims() : ToDims(ndims, strides);
    Result(md) = MakeStrided(ToDims(ndims, dims), static_cast<DataType>(type), stride_list);
  });
}

dnnl_status_t tandem_memory_desc_submemory(dnnl_memory_desc* md, const dnnl_memory_desc* parent, int ndims,
                                           const dnnl_dim_t* dims, const dnnl_dim_t* offsets) {
  return Guard([&] { Result(md) = SubMemory(Source(parent), ToDims(ndims, dims), ToDims(ndims, offsets)); });
}

dnnl_status_t tandem_memory_desc_reshape(dnnl_memory_desc* md, const dnnl_memory_desc* from, int ndims,
                                         const dnnl_dim_t* dims) {
  return Guard([&] { Result(md) = Reshape(Source(from), ToDims(ndims, dims)); });
}

dnnl_status_t tandem_memory_desc_permute_axes(dnnl_memory_desc* md, const dnnl_memory_desc* from, int ndims,
                                              const int* permutation) {
  return Guard([&] {
    NotNull(permutation, "permute_axes: permutation");
    Result(md) = PermuteAxes(Source(from), std::vector<int>(permutation, permutation + ndims));
  });
}

int tandem_memory_desc_equal(const dnnl_memory_desc* a, const dnnl_memory_desc* b) {
  if (a == nullptr || b == nullptr) return a == b ? 1 : 0;
  return Equal(*a, *b) ? 1 : 0;
}

size_t tandem_memory_desc_get_size(const dnnl_memory_desc* md) { return md == nullptr ? 0 : SizeInBytes(*md); }

size_t tandem_data_type_size(dnnl_data_type_t type) { return SizeOf(static_cast<DataType>(type)); }

dnnl_status_t tandem_memory_create(dnnl_memory_t* memory, const dnnl_memory_desc* md, dnnl_engine_t engine,
                                   void* data) {
  return Guard([&] {
    NotNull(engine, "memory: engine");
    CheckWellFormed(NotNull(md, "memory: descriptor"), "memory");
    if (IsAny(*md)) {
      ThrowInvalid("memory: the descriptor " + Describe(*md) +
                   " leaves the layout open; query a primitive descriptor for it");
    }
    if (HasRuntimeValues(*md)) {
      ThrowInvalid("memory: the descriptor " + Describe(*md) + " has runtime values, but a memory must know its dims");
    }
    auto result = MakeRef<tandem_memory>(*md, Ref<tandem_engine>::Share(engine));
    if (data == DNNL_MEMORY_ALLOCATE) {
      result->owned = AlignedBuffer(BufferBytes(*md));
      data = result->owned.get();
    }
    result->data = data;
    Give(std::move(result), memory);
  });
}

dnnl_status_t tandem_memory_get_desc(const_dnnl_memory_t memory, const dnnl_memory_desc** md) {
  return Guard([&] { NotNull(md, "memory", "pointer for its descriptor") = &NotNull(memory, "memory").md; });
}

dnnl_status_t tandem_memory_get_engine(const_dnnl_memory_t memory, dnnl_engine_t* engine) {
  return Guard([&] { Give(Ref<tandem_engine>(NotNull(memory, "memory").engine), engine); });
}

dnnl_status_t tandem_memory_get_data(const_dnnl_memory_t memory, void** data) {
  return Guard([&] { NotNull(data, "memory", "pointer for its data handle") = NotNull(memory, "memory").data; });
}

dnnl_status_t tandem_memory_set_data(dnnl_memory_t memory, void* data) {
  return Guard([&] { NotNull(memory, "memory").data = data; });
}
