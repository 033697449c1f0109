// Bodies of primitive.h.
#ifndef DNNL_C_PRIMITIVE_HPP
#define DNNL_C_PRIMITIVE_HPP

#include <cstring>

#include "dnnl/c/primitive.h"
#include "dnnl/c/result.hpp"

extern "C" {

TANDEM_C_API dnnl_status_t dnnl_reorder_primitive_desc_create(dnnl_primitive_desc_t* pd, const_dnnl_memory_desc_t src,
                                                              dnnl_engine_t src_engine, const_dnnl_memory_desc_t dst,
                                                              dnnl_engine_t dst_engine,
                                                              const_dnnl_primitive_attr_t attr) {
  return tandem_reorder_primitive_desc_create(pd, src, src_engine, dst, dst_engine, attr);
}
TANDEM_C_API dnnl_status_t dnnl_primitive_desc_clone(dnnl_primitive_desc_t* pd, const_dnnl_primitive_desc_t from) {
  return tandem_primitive_desc_clone(pd, from);
}
TANDEM_C_API dnnl_status_t dnnl_primitive_desc_destroy(dnnl_primitive_desc_t pd) { return dnnl::detail::c_destroy(pd); }
TANDEM_C_API dnnl_status_t dnnl_primitive_desc_get_attr(const_dnnl_primitive_desc_t pd,
                                                        const_dnnl_primitive_attr_t* attr) {
  return tandem_primitive_desc_view_attr(pd, attr);
}
TANDEM_C_API dnnl_status_t dnnl_primitive_desc_query(const_dnnl_primitive_desc_t pd, dnnl_query_t what, int index,
                                                     void* result) {
  return tandem_primitive_desc_query(pd, what, index, result);
}
TANDEM_C_API const_dnnl_memory_desc_t dnnl_primitive_desc_query_md(const_dnnl_primitive_desc_t pd, dnnl_query_t what,
                                                                   int index) {
  const bool asks_md = (what > dnnl_query_some_md && what <= dnnl_query_exec_arg_md);
  const_dnnl_memory_desc_t md = nullptr;
  if (!asks_md || tandem_primitive_desc_query(pd, what, index, &md) != dnnl_success) return nullptr;
  return md;
}
TANDEM_C_API int dnnl_primitive_desc_query_s32(const_dnnl_primitive_desc_t pd, dnnl_query_t what, int) {
  int64_t value = 0;
  return tandem_primitive_desc_query_int(pd, what, &value) == dnnl_success ? static_cast<int>(value) : 0;
}

TANDEM_C_API dnnl_status_t dnnl_primitive_create(dnnl_primitive_t* primitive, const_dnnl_primitive_desc_t pd) {
  return tandem_primitive_create(primitive, pd);
}
TANDEM_C_API dnnl_status_t dnnl_primitive_create_from_cache_blob(dnnl_primitive_t* primitive,
                                                                 const_dnnl_primitive_desc_t pd, size_t size,
                                                                 const uint8_t* cache_blob) {
  return tandem_primitive_create_from_cache_blob(primitive, pd, size, cache_blob);
}
// A primitive keeps nothing that is expensive to make, so the blob only says which descriptor it belongs to.
TANDEM_C_API dnnl_status_t dnnl_primitive_get_cache_blob(const_dnnl_primitive_t primitive, size_t* size,
                                                         uint8_t* cache_blob) {
  if (size == nullptr) return dnnl::detail::c_no_pointer();
  const_dnnl_primitive_desc_t pd = nullptr;
  dnnl_status_t status = tandem_primitive_get_desc(primitive, &pd);
  if (status != dnnl_success) return status;
  size_t needed = 0;
  const uint8_t* bytes = nullptr;
  status = tandem_primitive_desc_get_cache_blob_id(pd, &needed, &bytes);
  if (status == dnnl_success && cache_blob != nullptr) {
    if (*size < needed) return tandem_fail(dnnl_invalid_arguments, "cache blob: the buffer is too small");
    std::memcpy(cache_blob, bytes, needed);
  }
  return dnnl::detail::c_put(status, size, needed);
}
TANDEM_C_API dnnl_status_t dnnl_primitive_execute(const_dnnl_primitive_t primitive, dnnl_stream_t stream, int nargs,
                                                  const dnnl_exec_arg_t* args) {
  return tandem_primitive_execute(primitive, stream, nargs, args);
}
TANDEM_C_API dnnl_status_t dnnl_primitive_get_primitive_desc(const_dnnl_primitive_t primitive,
                                                             const_dnnl_primitive_desc_t* pd) {
  return tandem_primitive_get_desc(primitive, pd);
}
TANDEM_C_API dnnl_status_t dnnl_primitive_destroy(dnnl_primitive_t primitive) {
  return dnnl::detail::c_destroy(primitive);
}

TANDEM_C_API dnnl_status_t dnnl_primitive_desc_create(dnnl_primitive_desc_t* pd, const_dnnl_op_desc_t op_desc,
                                                      const_dnnl_primitive_attr_t attr, dnnl_engine_t engine,
                                                      const_dnnl_primitive_desc_t hint) {
  return tandem_rnn_primitive_desc_create_sized(pd, static_cast<const dnnl_rnn_desc_t*>(op_desc),
                                                sizeof(dnnl_rnn_desc_t), attr, engine, hint);
}
// An iterator is a primitive descriptor that moves on.
TANDEM_C_API dnnl_status_t dnnl_primitive_desc_iterator_create(dnnl_primitive_desc_iterator_t* iterator,
                                                               const_dnnl_op_desc_t op_desc,
                                                               const_dnnl_primitive_attr_t attr, dnnl_engine_t engine,
                                                               const_dnnl_primitive_desc_t hint) {
  dnnl_primitive_desc_t pd = nullptr;
  const dnnl_status_t status = dnnl_primitive_desc_create(&pd, op_desc, attr, engine, hint);
  if (status == dnnl_success && iterator == nullptr) dnnl_primitive_desc_destroy(pd);
  return dnnl::detail::c_put(status, iterator, reinterpret_cast<dnnl_primitive_desc_iterator_t>(pd));
}
TANDEM_C_API dnnl_status_t dnnl_primitive_desc_iterator_next(dnnl_primitive_desc_iterator_t iterator) {
  return tandem_primitive_desc_advance(reinterpret_cast<dnnl_primitive_desc_t>(iterator));
}
TANDEM_C_API dnnl_primitive_desc_t dnnl_primitive_desc_iterator_fetch(const_dnnl_primitive_desc_iterator_t iterator) {
  dnnl_primitive_desc_t pd = nullptr;
  tandem_primitive_desc_clone(&pd, reinterpret_cast<const_dnnl_primitive_desc_t>(iterator));
  return pd;
}
TANDEM_C_API dnnl_status_t dnnl_primitive_desc_iterator_destroy(dnnl_primitive_desc_iterator_t iterator) {
  return dnnl::detail::c_destroy(iterator);
}

TANDEM_C_API dnnl_status_t dnnl_primitive_desc_next_impl(dnnl_primitive_desc_t pd) {
  return tandem_primitive_desc_advance(pd);
}

}  // extern "C"

#endif
