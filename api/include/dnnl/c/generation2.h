/* The functions whose two generations have one name and different parameters. Those of generation 2 are linked as
 * dnnl2_*. In C, a program of generation 2 (dnnl_version.h) finds them under the names it knows; in C++ both generations
 * are overloads. */
#ifndef DNNL_C_GENERATION2_H
#define DNNL_C_GENERATION2_H

#include "dnnl/c/attr.h"
#include "dnnl/c/memory.h"
#include "dnnl/c/memory_desc.h"
#include "dnnl/c/post_ops.h"

#ifdef __cplusplus
#ifndef TANDEM_C_LIBRARY

static inline dnnl_status_t dnnl_memory_desc_reshape(struct dnnl_memory_desc* md, const_dnnl_memory_desc_t from,
                                                     int ndims, const dnnl_dims_t dims) {
  return dnnl2_memory_desc_reshape(md, from, ndims, dims);
}
static inline dnnl_status_t dnnl_memory_desc_permute_axes(struct dnnl_memory_desc* md, const_dnnl_memory_desc_t from,
                                                          const int* permutation) {
  return dnnl2_memory_desc_permute_axes(md, from, permutation);
}
static inline dnnl_status_t dnnl_memory_set_data_handle_v2(dnnl_memory_t memory, void* data, dnnl_stream_t stream) {
  return dnnl2_memory_set_data_handle_v2(memory, data, stream);
}
static inline dnnl_status_t dnnl_primitive_attr_set_scales(dnnl_primitive_attr_t attr, int arg, dnnl_dim_t count,
                                                           int mask, const float* scales) {
  return dnnl2_primitive_attr_set_scales(attr, arg, count, mask, scales);
}
static inline dnnl_status_t dnnl_primitive_attr_set_zero_points(dnnl_primitive_attr_t attr, int arg, dnnl_dim_t count,
                                                                int mask, const int32_t* zero_points) {
  return dnnl2_primitive_attr_set_zero_points(attr, arg, count, mask, zero_points);
}
static inline dnnl_status_t dnnl_post_ops_append_sum(dnnl_post_ops_t post_ops, float scale) {
  return dnnl2_post_ops_append_sum(post_ops, scale);
}
static inline dnnl_status_t dnnl_post_ops_get_params_sum(const_dnnl_post_ops_t post_ops, int index, float* scale) {
  return dnnl2_post_ops_get_params_sum(post_ops, index, scale);
}
static inline dnnl_status_t dnnl_post_ops_append_eltwise(dnnl_post_ops_t post_ops, float scale,
                                                         dnnl_alg_kind_t alg_kind, float alpha, float beta) {
  return dnnl2_post_ops_append_eltwise(post_ops, scale, alg_kind, alpha, beta);
}
static inline dnnl_status_t dnnl_post_ops_get_params_eltwise(const_dnnl_post_ops_t post_ops, int index, float* scale,
                                                             dnnl_alg_kind_t* alg_kind, float* alpha, float* beta) {
  return dnnl2_post_ops_get_params_eltwise(post_ops, index, scale, alg_kind, alpha, beta);
}

#endif
#elif defined(DNNL_C_API_V2)

#define dnnl_memory_desc_reshape dnnl2_memory_desc_reshape
#define dnnl_memory_desc_permute_axes dnnl2_memory_desc_permute_axes
#define dnnl_memory_set_data_handle_v2 dnnl2_memory_set_data_handle_v2
#define dnnl_primitive_attr_set_scales dnnl2_primitive_attr_set_scales
#define dnnl_primitive_attr_set_zero_points dnnl2_primitive_attr_set_zero_points
#define dnnl_post_ops_append_sum dnnl2_post_ops_append_sum
#define dnnl_post_ops_get_params_sum dnnl2_post_ops_get_params_sum
#define dnnl_post_ops_append_eltwise dnnl2_post_ops_append_eltwise
#define dnnl_post_ops_get_params_eltwise dnnl2_post_ops_get_params_eltwise

#endif

#endif
