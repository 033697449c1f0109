// Bodies of memory.h.
#ifndef DNNL_C_MEMORY_HPP
#define DNNL_C_MEMORY_HPP

#include "dnnl/c/memory.h"
#include "dnnl/c/memory_desc.hpp"

extern "C" {

TANDEM_C_API dnnl_status_t dnnl_memory_create(dnnl_memory_t* memory, const_dnnl_memory_desc_t md, dnnl_engine_t engine,
                                              void* data) {
  return tandem_memory_create(memory, md, engine, data);
}
TANDEM_C_API dnnl_status_t dnnl_memory_get_memory_desc(const_dnnl_memory_t memory, const_dnnl_memory_desc_t* md) {
  return tandem_memory_get_desc(memory, md);
}
TANDEM_C_API dnnl_status_t dnnl_memory_get_engine(const_dnnl_memory_t memory, dnnl_engine_t* engine) {
  return dnnl::detail::c_view(tandem_memory_get_engine(memory, engine), engine);
}
TANDEM_C_API dnnl_status_t dnnl_memory_map_data(const_dnnl_memory_t memory, void** mapped) {
  return tandem_memory_get_data(memory, mapped);
}
TANDEM_C_API dnnl_status_t dnnl_memory_unmap_data(const_dnnl_memory_t memory, void* mapped) {
  void* data = nullptr;
  const dnnl_status_t status = tandem_memory_get_data(memory, &data);
  if (status != dnnl_success || mapped == data) return status;
  return tandem_fail(dnnl_invalid_arguments, "memory: unmap_data was given a pointer that map_data did not give");
}
TANDEM_C_API dnnl_status_t dnnl_memory_get_data_handle(const_dnnl_memory_t memory, void** data) {
  return tandem_memory_get_data(memory, data);
}
TANDEM_C_API dnnl_status_t dnnl_memory_set_data_handle(dnnl_memory_t memory, void* data) {
  return tandem_memory_set_data(memory, data);
}
TANDEM_C_API dnnl_status_t dnnl_memory_destroy(dnnl_memory_t memory) { return dnnl::detail::c_destroy(memory); }

TANDEM_C_API dnnl_status_t dnnl2_memory_set_data_handle_v2(dnnl_memory_t memory, void* data, dnnl_stream_t stream) {
  const dnnl_status_t status = tandem_stream_wait(stream);
  return status == dnnl_success ? tandem_memory_set_data(memory, data) : status;
}

TANDEM_C_API dnnl_status_t dnnl_memory_create_v2(dnnl_memory_t* memory, const_dnnl_memory_desc_t md,
                                                 dnnl_engine_t engine, int nhandles, void** handles) {
  if (nhandles < 0 || nhandles > 1 || (nhandles == 1 && handles == nullptr)) {
    return tandem_fail(dnnl_invalid_arguments, "memory: a descriptor here has one buffer, so one handle is needed");
  }
  return tandem_memory_create(memory, md, engine, nhandles == 1 ? handles[0] : nullptr);
}
TANDEM_C_API dnnl_status_t dnnl_memory_map_data_v2(const_dnnl_memory_t memory, void** mapped, int index) {
  const dnnl_status_t status = dnnl::detail::c_check_buffer(index);
  return status == dnnl_success ? tandem_memory_get_data(memory, mapped) : status;
}
TANDEM_C_API dnnl_status_t dnnl_memory_unmap_data_v2(const_dnnl_memory_t memory, void* mapped, int index) {
  const dnnl_status_t status = dnnl::detail::c_check_buffer(index);
  return status == dnnl_success ? dnnl_memory_unmap_data(memory, mapped) : status;
}
TANDEM_C_API dnnl_status_t dnnl_memory_get_data_handle_v2(const_dnnl_memory_t memory, void** data, int index) {
  const dnnl_status_t status = dnnl::detail::c_check_buffer(index);
  return status == dnnl_success ? tandem_memory_get_data(memory, data) : status;
}
TANDEM_C_API dnnl_status_t dnnl_memory_set_data_handle_v2(dnnl_memory_t memory, void* data, int index) {
  const dnnl_status_t status = dnnl::detail::c_check_buffer(index);
  return status == dnnl_success ? tandem_memory_set_data(memory, data) : status;
}

}  // extern "C"

#endif
