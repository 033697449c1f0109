// Bodies of memory_desc.h.
#ifndef DNNL_C_MEMORY_DESC_HPP
#define DNNL_C_MEMORY_DESC_HPP

#include <cstring>

#include "dnnl/c/memory_desc.h"
#include "dnnl/c/result.hpp"

namespace dnnl {
inline namespace tandem_v1 {
namespace detail {

// A copy on the heap of what `init` puts into a struct.
template <typename Init>
dnnl_status_t c_make_desc(struct dnnl_memory_desc** md, Init init) {
  struct dnnl_memory_desc made;
  const dnnl_status_t status = init(&made);
  return status == dnnl_success ? tandem_memory_desc_clone(md, &made) : status;
}

inline int c_rank(const_dnnl_memory_desc_t md) { return md == nullptr ? 0 : md->ndims; }

inline dnnl_status_t c_check_buffer(int index) {
  return index == 0 ? dnnl_success
                    : tandem_fail(dnnl_invalid_arguments, "index: is not 0, but there is one buffer, number 0");
}

}  // namespace detail
}  // namespace tandem_v1
}  // namespace dnnl

extern "C" {

TANDEM_C_API size_t dnnl_data_type_size(dnnl_data_type_t type) { return tandem_data_type_size(type); }
TANDEM_C_API size_t dnnl_memory_desc_get_size(const_dnnl_memory_desc_t md) { return tandem_memory_desc_get_size(md); }
TANDEM_C_API int dnnl_memory_desc_equal(const_dnnl_memory_desc_t lhs, const_dnnl_memory_desc_t rhs) {
  return tandem_memory_desc_equal(lhs, rhs);
}

TANDEM_C_API dnnl_status_t dnnl_memory_desc_init_by_tag(struct dnnl_memory_desc* md, int ndims, const dnnl_dims_t dims,
                                                        dnnl_data_type_t type, dnnl_format_tag_t tag) {
  return tandem_memory_desc_init_by_tag(md, ndims, dims, type, tag);
}
TANDEM_C_API dnnl_status_t dnnl_memory_desc_init_by_strides(struct dnnl_memory_desc* md, int ndims,
                                                            const dnnl_dims_t dims, dnnl_data_type_t type,
                                                            const dnnl_dims_t strides) {
  return tandem_memory_desc_init_by_strides(md, ndims, dims, type, strides);
}
TANDEM_C_API dnnl_status_t dnnl_memory_desc_init_submemory(struct dnnl_memory_desc* md, const_dnnl_memory_desc_t parent,
                                                           const dnnl_dims_t dims, const dnnl_dims_t offsets) {
  return tandem_memory_desc_submemory(md, parent, dnnl::detail::c_rank(parent), dims, offsets);
}
TANDEM_C_API dnnl_status_t dnnl2_memory_desc_reshape(struct dnnl_memory_desc* md, const_dnnl_memory_desc_t from,
                                                     int ndims, const dnnl_dims_t dims) {
  return tandem_memory_desc_reshape(md, from, ndims, dims);
}
TANDEM_C_API dnnl_status_t dnnl2_memory_desc_permute_axes(struct dnnl_memory_desc* md, const_dnnl_memory_desc_t from,
                                                          const int* permutation) {
  return tandem_memory_desc_permute_axes(md, from, dnnl::detail::c_rank(from), permutation);
}

TANDEM_C_API dnnl_status_t dnnl_memory_desc_create_with_tag(struct dnnl_memory_desc** md, int ndims,
                                                            const dnnl_dims_t dims, dnnl_data_type_t type,
                                                            dnnl_format_tag_t tag) {
  return dnnl::detail::c_make_desc(
      md, [=](struct dnnl_memory_desc* made) { return dnnl_memory_desc_init_by_tag(made, ndims, dims, type, tag); });
}
TANDEM_C_API dnnl_status_t dnnl_memory_desc_create_with_strides(struct dnnl_memory_desc** md, int ndims,
                                                                const dnnl_dims_t dims, dnnl_data_type_t type,
                                                                const dnnl_dims_t strides) {
  return dnnl::detail::c_make_desc(md, [=](struct dnnl_memory_desc* made) {
    return dnnl_memory_desc_init_by_strides(made, ndims, dims, type, strides);
  });
}
TANDEM_C_API dnnl_status_t dnnl_memory_desc_create_submemory(struct dnnl_memory_desc** md,
                                                             const_dnnl_memory_desc_t parent, const dnnl_dims_t dims,
                                                             const dnnl_dims_t offsets) {
  return dnnl::detail::c_make_desc(
      md, [=](struct dnnl_memory_desc* made) { return dnnl_memory_desc_init_submemory(made, parent, dims, offsets); });
}
TANDEM_C_API dnnl_status_t dnnl_memory_desc_reshape(struct dnnl_memory_desc** md, const_dnnl_memory_desc_t from,
                                                    int ndims, const dnnl_dims_t dims) {
  return dnnl::detail::c_make_desc(
      md, [=](struct dnnl_memory_desc* made) { return dnnl2_memory_desc_reshape(made, from, ndims, dims); });
}
TANDEM_C_API dnnl_status_t dnnl_memory_desc_permute_axes(struct dnnl_memory_desc** md, const_dnnl_memory_desc_t from,
                                                         const int* permutation) {
  return dnnl::detail::c_make_desc(
      md, [=](struct dnnl_memory_desc* made) { return dnnl2_memory_desc_permute_axes(made, from, permutation); });
}
TANDEM_C_API dnnl_status_t dnnl_memory_desc_clone(struct dnnl_memory_desc** md, const_dnnl_memory_desc_t from) {
  return tandem_memory_desc_clone(md, from);
}
TANDEM_C_API dnnl_status_t dnnl_memory_desc_destroy(struct dnnl_memory_desc* md) {
  tandem_memory_desc_destroy(md);
  return dnnl_success;
}
TANDEM_C_API dnnl_status_t dnnl_memory_desc_get_blob(uint8_t* blob, size_t* size, const_dnnl_memory_desc_t md) {
  if (size == nullptr) return dnnl::detail::c_no_pointer();
  if (md == nullptr)
    return tandem_fail(dnnl_invalid_arguments, "memory descriptor: is empty, but a valid one is needed");
  if (blob != nullptr && *size < sizeof *md) {
    return tandem_fail(dnnl_invalid_arguments, "blob: the buffer is smaller than the size that this function tells");
  }
  if (blob != nullptr) std::memcpy(blob, md, sizeof *md);
  *size = sizeof *md;
  return dnnl_success;
}
TANDEM_C_API dnnl_status_t dnnl_memory_desc_create_with_blob(struct dnnl_memory_desc** md, const uint8_t* blob) {
  return dnnl::detail::c_make_desc(md, [=](struct dnnl_memory_desc* made) {
    if (blob == nullptr) return tandem_fail(dnnl_invalid_arguments, "blob: is empty, but a valid one is needed");
    std::memcpy(made, blob, sizeof *made);
    return dnnl_success;
  });
}
TANDEM_C_API dnnl_status_t dnnl_memory_desc_query(const_dnnl_memory_desc_t md, dnnl_query_t what, void* result) {
  return tandem_memory_desc_query(md, what, result);
}
TANDEM_C_API dnnl_status_t dnnl_memory_desc_query_v2(const_dnnl_memory_desc_t md, dnnl_query_t what, int index,
                                                     void* result) {
  const dnnl_status_t status = dnnl::detail::c_check_buffer(index);
  return status == dnnl_success ? tandem_memory_desc_query(md, what, result) : status;
}
TANDEM_C_API size_t dnnl_memory_desc_get_size_v2(const_dnnl_memory_desc_t md, int index) {
  return index == 0 ? tandem_memory_desc_get_size(md) : 0;
}

}  // extern "C"

#endif
