/* Primitive descriptors, primitives and reorders of the C API. */
#ifndef DNNL_C_PRIMITIVE_H
#define DNNL_C_PRIMITIVE_H

#include "dnnl/c/linkage.h"

#ifdef __cplusplus
extern "C" {
#endif

/* attr == NULL: default attributes. */
TANDEM_C_API dnnl_status_t dnnl_reorder_primitive_desc_create(dnnl_primitive_desc_t* pd, const_dnnl_memory_desc_t src,
                                                              dnnl_engine_t src_engine, const_dnnl_memory_desc_t dst,
                                                              dnnl_engine_t dst_engine,
                                                              const_dnnl_primitive_attr_t attr);
TANDEM_C_API dnnl_status_t dnnl_primitive_desc_clone(dnnl_primitive_desc_t* pd, const_dnnl_primitive_desc_t from);
TANDEM_C_API dnnl_status_t dnnl_primitive_desc_destroy(dnnl_primitive_desc_t pd);
TANDEM_C_API dnnl_status_t dnnl_primitive_desc_get_attr(const_dnnl_primitive_desc_t pd,
                                                        const_dnnl_primitive_attr_t* attr);
/* `result` points to what the query names: an int or an enumerator, a dnnl_dim_t (_s64), a float (_f32), a const char*
 * (_str), a const uint8_t* (cache_blob_id), a dnnl_engine_t, a const dnnl_rnn_desc_t* (rnn_d and op_d), or a const
 * struct dnnl_memory_desc* (_md; zero where the primitive has no such tensor). For dnnl_query_exec_arg_md, `index` is a DNNL_ARG_*. */
TANDEM_C_API dnnl_status_t dnnl_primitive_desc_query(const_dnnl_primitive_desc_t pd, dnnl_query_t what, int index,
                                                     void* result);
/* NULL if `what` asks for no memory descriptor. */
TANDEM_C_API const_dnnl_memory_desc_t dnnl_primitive_desc_query_md(const_dnnl_primitive_desc_t pd, dnnl_query_t what,
                                                                   int index);
/* 0 for what the primitive does not know. */
TANDEM_C_API int dnnl_primitive_desc_query_s32(const_dnnl_primitive_desc_t pd, dnnl_query_t what, int index);

TANDEM_C_API dnnl_status_t dnnl_primitive_create(dnnl_primitive_t* primitive, const_dnnl_primitive_desc_t pd);
/* The blob must come from a primitive with an equal descriptor. */
TANDEM_C_API dnnl_status_t dnnl_primitive_create_from_cache_blob(dnnl_primitive_t* primitive,
                                                                 const_dnnl_primitive_desc_t pd, size_t size,
                                                                 const uint8_t* cache_blob);
/* cache_blob == NULL: only its size is told. */
TANDEM_C_API dnnl_status_t dnnl_primitive_get_cache_blob(const_dnnl_primitive_t primitive, size_t* size,
                                                         uint8_t* cache_blob);
/* Returns when the outputs are written. Nothing is written if an argument is missing or wrong. */
TANDEM_C_API dnnl_status_t dnnl_primitive_execute(const_dnnl_primitive_t primitive, dnnl_stream_t stream, int nargs,
                                                  const dnnl_exec_arg_t* args);
TANDEM_C_API dnnl_status_t dnnl_primitive_get_primitive_desc(const_dnnl_primitive_t primitive,
                                                             const_dnnl_primitive_desc_t* pd);
TANDEM_C_API dnnl_status_t dnnl_primitive_destroy(dnnl_primitive_t primitive);

/* Generation 2: `op_desc` is a dnnl_rnn_desc_t. hint: the forward's descriptor, for backward; else NULL. */
TANDEM_C_API dnnl_status_t dnnl_primitive_desc_create(dnnl_primitive_desc_t* pd, const_dnnl_op_desc_t op_desc,
                                                      const_dnnl_primitive_attr_t attr, dnnl_engine_t engine,
                                                      const_dnnl_primitive_desc_t hint);
/* An iterator stands at one implementation after the other, the first at creation; next() ends with
 * dnnl_iterator_ends. fetch() gives a descriptor that the caller destroys, or NULL. */
typedef struct tandem_primitive_desc_iterator* dnnl_primitive_desc_iterator_t;
typedef const struct tandem_primitive_desc_iterator* const_dnnl_primitive_desc_iterator_t;
TANDEM_C_API dnnl_status_t dnnl_primitive_desc_iterator_create(dnnl_primitive_desc_iterator_t* iterator,
                                                               const_dnnl_op_desc_t op_desc,
                                                               const_dnnl_primitive_attr_t attr, dnnl_engine_t engine,
                                                               const_dnnl_primitive_desc_t hint);
TANDEM_C_API dnnl_status_t dnnl_primitive_desc_iterator_next(dnnl_primitive_desc_iterator_t iterator);
TANDEM_C_API dnnl_primitive_desc_t dnnl_primitive_desc_iterator_fetch(const_dnnl_primitive_desc_iterator_t iterator);
TANDEM_C_API dnnl_status_t dnnl_primitive_desc_iterator_destroy(dnnl_primitive_desc_iterator_t iterator);

/* Generation 3: the descriptor becomes that of the next implementation; dnnl_last_impl_reached, and no change, if there
 * is none. */
TANDEM_C_API dnnl_status_t dnnl_primitive_desc_next_impl(dnnl_primitive_desc_t pd);

#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
#include "dnnl/c/primitive.hpp"
#endif

#endif
