// Memory descriptors of the C API: on the heap, and asked by queries.
#include "api/core/memory/memory_desc.h"

#include "api/core/names.h"
#include "api/library/guard.h"
#include "api/library/object.h"
#include "dnnl/abi.h"

namespace tandem {
namespace {

template <class T>
void Put(void* result, const T& value) {
  *static_cast<T*>(result) = value;
}

// Answers the queries that every descriptor has. Returns false for another query.
bool QueryTensor(const MemoryDesc& md, dnnl_query_t what, void* result) {
  switch (static_cast<int>(what)) {
    case dnnl_query_ndims_s32:
      Put(result, md.ndims);
      return true;
    case dnnl_query_data_type:
      Put(result, md.data_type);
      return true;
    case dnnl_query_format_kind:
      Put(result, md.format_kind);
      return true;
    case dnnl_query_submemory_offset_s64:
      Put(result, md.offset0);
      return true;
    case dnnl_query_dims:
      Put<const dnnl_dims_t*>(result, &md.dims);
      return true;
    case dnnl_query_padded_dims:
      Put<const dnnl_dims_t*>(result, &md.padded_dims);
      return true;
    case dnnl_query_padded_offsets:
      Put<const dnnl_dims_t*>(result, &md.padded_offsets);
      return true;
    case dnnl_query_num_handles_s32:
      Put(result, md.ndims == 0 ? 0 : 1);
      return true;
    default:
      return false;
  }
}

// Answers the queries that plain layouts have.
bool QueryBlocking(const dnnl_blocking_desc_t& blocking, dnnl_query_t what, void* result) {
  switch (static_cast<int>(what)) {
    case dnnl_query_strides:
      Put<const dnnl_dims_t*>(result, &blocking.strides);
      return true;
    case dnnl_query_inner_nblks_s32:
      Put(result, blocking.inner_nblks);
      return true;
    case dnnl_query_inner_blks:
      Put<const dnnl_dims_t*>(result, &blocking.inner_blks);
      return true;
    case dnnl_query_inner_idxs:
      Put<const dnnl_dims_t*>(result, &blocking.inner_idxs);
      return true;
    default:
      return false;
  }
}

}  // namespace
}  // namespace tandem

using namespace tandem;

dnnl_status_t tandem_memory_desc_clone(dnnl_memory_desc** md, const dnnl_memory_desc* from) {
  return Guard([&] {
    dnnl_memory_desc*& result = NotNull(md, "memory descriptor: pointer for the result");
    result = new dnnl_memory_desc(from == nullptr ? dnnl_memory_desc() : *from);
  });
}

void tandem_memory_desc_destroy(dnnl_memory_desc* md) { delete md; }

dnnl_status_t tandem_memory_desc_query(const dnnl_memory_desc* md, dnnl_query_t what, void* result) {
  return Guard([&] {
    NotNull(md, "memory descriptor");
    NotNull(static_cast<char*>(result), "memory descriptor: pointer for the result of a query");
    if (QueryTensor(*md, what, result)) return;
    if (md->format_kind == dnnl_blocked && QueryBlocking(md->format_desc.blocking, what, result)) return;
    ThrowInvalid("memory descriptor: query " + QueryName(what) + " asks for what a descriptor of format kind " +
                 tandem_format_kind2str(md->format_kind) + " does not have");
  });
}
