/* Memory descriptors of the C API: by value in generation 2, by pointer in generation 3. */
#ifndef DNNL_C_MEMORY_DESC_H
#define DNNL_C_MEMORY_DESC_H

#include "dnnl/c/linkage.h"

#ifdef __cplusplus
extern "C" {
#endif

TANDEM_C_API size_t dnnl_data_type_size(dnnl_data_type_t type);
/* Bytes to allocate; 0 for zero and `any` descriptors. */
TANDEM_C_API size_t dnnl_memory_desc_get_size(const_dnnl_memory_desc_t md);
TANDEM_C_API int dnnl_memory_desc_equal(const_dnnl_memory_desc_t lhs, const_dnnl_memory_desc_t rhs);

/* Generation 2: into the caller's struct. Strides in elements; NULL means dense and row-major. Invalid: a negative dim,
 * more than 12 dims, a tag of another rank, strides that let elements overlap. */
TANDEM_C_API dnnl_status_t dnnl_memory_desc_init_by_tag(struct dnnl_memory_desc* md, int ndims, const dnnl_dims_t dims,
                                                        dnnl_data_type_t type, dnnl_format_tag_t tag);
TANDEM_C_API dnnl_status_t dnnl_memory_desc_init_by_strides(struct dnnl_memory_desc* md, int ndims,
                                                            const dnnl_dims_t dims, dnnl_data_type_t type,
                                                            const dnnl_dims_t strides);
TANDEM_C_API dnnl_status_t dnnl_memory_desc_init_submemory(struct dnnl_memory_desc* md, const_dnnl_memory_desc_t parent,
                                                           const dnnl_dims_t dims, const dnnl_dims_t offsets);
TANDEM_C_API dnnl_status_t dnnl2_memory_desc_reshape(struct dnnl_memory_desc* md, const_dnnl_memory_desc_t from,
                                                     int ndims, const dnnl_dims_t dims);
TANDEM_C_API dnnl_status_t dnnl2_memory_desc_permute_axes(struct dnnl_memory_desc* md, const_dnnl_memory_desc_t from,
                                                          const int* permutation);

/* Generation 3: the same on the heap, to be ended with dnnl_memory_desc_destroy(). */
TANDEM_C_API dnnl_status_t dnnl_memory_desc_create_with_tag(struct dnnl_memory_desc** md, int ndims,
                                                            const dnnl_dims_t dims, dnnl_data_type_t type,
                                                            dnnl_format_tag_t tag);
TANDEM_C_API dnnl_status_t dnnl_memory_desc_create_with_strides(struct dnnl_memory_desc** md, int ndims,
                                                                const dnnl_dims_t dims, dnnl_data_type_t type,
                                                                const dnnl_dims_t strides);
TANDEM_C_API dnnl_status_t dnnl_memory_desc_create_submemory(struct dnnl_memory_desc** md,
                                                             const_dnnl_memory_desc_t parent, const dnnl_dims_t dims,
                                                             const dnnl_dims_t offsets);
TANDEM_C_API dnnl_status_t dnnl_memory_desc_reshape(struct dnnl_memory_desc** md, const_dnnl_memory_desc_t from,
                                                    int ndims, const dnnl_dims_t dims);
TANDEM_C_API dnnl_status_t dnnl_memory_desc_permute_axes(struct dnnl_memory_desc** md, const_dnnl_memory_desc_t from,
                                                         const int* permutation);
TANDEM_C_API dnnl_status_t dnnl_memory_desc_clone(struct dnnl_memory_desc** md, const_dnnl_memory_desc_t from);
TANDEM_C_API dnnl_status_t dnnl_memory_desc_destroy(struct dnnl_memory_desc* md);
/* A blob is only understood by the library that made it. blob == NULL: only its size is told. */
TANDEM_C_API dnnl_status_t dnnl_memory_desc_get_blob(uint8_t* blob, size_t* size, const_dnnl_memory_desc_t md);
TANDEM_C_API dnnl_status_t dnnl_memory_desc_create_with_blob(struct dnnl_memory_desc** md, const uint8_t* blob);
/* `result` points to an int, a dnnl_dim_t, an enumerator or a const dnnl_dims_t*, as the query says. */
TANDEM_C_API dnnl_status_t dnnl_memory_desc_query(const_dnnl_memory_desc_t md, dnnl_query_t what, void* result);
/* index: of a buffer; all descriptors here have one, number 0. */
TANDEM_C_API dnnl_status_t dnnl_memory_desc_query_v2(const_dnnl_memory_desc_t md, dnnl_query_t what, int index,
                                                     void* result);
TANDEM_C_API size_t dnnl_memory_desc_get_size_v2(const_dnnl_memory_desc_t md, int index);

#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
#include "dnnl/c/memory_desc.hpp"
#endif

#endif
