/* Memory objects of the C API. */
#ifndef DNNL_C_MEMORY_H
#define DNNL_C_MEMORY_H

#include "dnnl/c/linkage.h"

#ifdef __cplusplus
extern "C" {
#endif

/* `data`: the caller's buffer, which must outlive the object; DNNL_MEMORY_NONE, to be set later; or
 * DNNL_MEMORY_ALLOCATE, owned by the object, 64-byte aligned. */
TANDEM_C_API dnnl_status_t dnnl_memory_create(dnnl_memory_t* memory, const_dnnl_memory_desc_t md, dnnl_engine_t engine,
                                              void* data);
TANDEM_C_API dnnl_status_t dnnl_memory_get_memory_desc(const_dnnl_memory_t memory, const_dnnl_memory_desc_t* md);
TANDEM_C_API dnnl_status_t dnnl_memory_get_engine(const_dnnl_memory_t memory, dnnl_engine_t* engine);
/* Host access; on a CPU the buffer itself. */
TANDEM_C_API dnnl_status_t dnnl_memory_map_data(const_dnnl_memory_t memory, void** mapped);
TANDEM_C_API dnnl_status_t dnnl_memory_unmap_data(const_dnnl_memory_t memory, void* mapped);
TANDEM_C_API dnnl_status_t dnnl_memory_get_data_handle(const_dnnl_memory_t memory, void** data);
TANDEM_C_API dnnl_status_t dnnl_memory_set_data_handle(dnnl_memory_t memory, void* data);
TANDEM_C_API dnnl_status_t dnnl_memory_destroy(dnnl_memory_t memory);

/* Generation 2. What runs on `stream` before this call still uses the old buffer. */
TANDEM_C_API dnnl_status_t dnnl2_memory_set_data_handle_v2(dnnl_memory_t memory, void* data, dnnl_stream_t stream);

/* Generation 3: one handle for each buffer of the descriptor; all of ours have one, number 0. */
TANDEM_C_API dnnl_status_t dnnl_memory_create_v2(dnnl_memory_t* memory, const_dnnl_memory_desc_t md,
                                                 dnnl_engine_t engine, int nhandles, void** handles);
TANDEM_C_API dnnl_status_t dnnl_memory_map_data_v2(const_dnnl_memory_t memory, void** mapped, int index);
TANDEM_C_API dnnl_status_t dnnl_memory_unmap_data_v2(const_dnnl_memory_t memory, void* mapped, int index);
TANDEM_C_API dnnl_status_t dnnl_memory_get_data_handle_v2(const_dnnl_memory_t memory, void** data, int index);
TANDEM_C_API dnnl_status_t dnnl_memory_set_data_handle_v2(dnnl_memory_t memory, void* data, int index);

#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
#include "dnnl/c/memory.hpp"
#endif

#endif
