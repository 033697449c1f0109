/* Post-ops of the C API. Reorder takes one sum; the RNN cells take none, and their descriptors say so. */
#ifndef DNNL_C_POST_OPS_H
#define DNNL_C_POST_OPS_H

#include "dnnl/c/linkage.h"

#ifdef __cplusplus
extern "C" {
#endif

TANDEM_C_API dnnl_status_t dnnl_post_ops_create(dnnl_post_ops_t* post_ops);
TANDEM_C_API dnnl_status_t dnnl_post_ops_clone(dnnl_post_ops_t* post_ops, const_dnnl_post_ops_t from);
TANDEM_C_API dnnl_status_t dnnl_post_ops_destroy(dnnl_post_ops_t post_ops);
TANDEM_C_API int dnnl_post_ops_len(const_dnnl_post_ops_t post_ops);
/* dnnl_undefined_primitive for an index out of range. */
TANDEM_C_API dnnl_primitive_kind_t dnnl_post_ops_get_kind(const_dnnl_post_ops_t post_ops, int index);

/* The 33rd entry is refused; so is the question for an entry of another kind. */
TANDEM_C_API dnnl_status_t dnnl_post_ops_append_binary(dnnl_post_ops_t post_ops, dnnl_alg_kind_t alg_kind,
                                                       const_dnnl_memory_desc_t src1);
TANDEM_C_API dnnl_status_t dnnl_post_ops_get_params_binary(const_dnnl_post_ops_t post_ops, int index,
                                                           dnnl_alg_kind_t* alg_kind, const_dnnl_memory_desc_t* src1);
TANDEM_C_API dnnl_status_t dnnl_post_ops_append_prelu(dnnl_post_ops_t post_ops, int mask);
TANDEM_C_API dnnl_status_t dnnl_post_ops_get_params_prelu(const_dnnl_post_ops_t post_ops, int index, int* mask);

/* Generation 2. */
TANDEM_C_API dnnl_status_t dnnl2_post_ops_append_sum(dnnl_post_ops_t post_ops, float scale);
TANDEM_C_API dnnl_status_t dnnl_post_ops_append_sum_v2(dnnl_post_ops_t post_ops, float scale, dnnl_data_type_t type);
TANDEM_C_API dnnl_status_t dnnl_post_ops_append_sum_v3(dnnl_post_ops_t post_ops, float scale, int32_t zero_point,
                                                       dnnl_data_type_t type);
TANDEM_C_API dnnl_status_t dnnl2_post_ops_get_params_sum(const_dnnl_post_ops_t post_ops, int index, float* scale);
TANDEM_C_API dnnl_status_t dnnl_post_ops_get_params_sum_v2(const_dnnl_post_ops_t post_ops, int index, float* scale,
                                                           dnnl_data_type_t* type);
TANDEM_C_API dnnl_status_t dnnl_post_ops_get_params_sum_v3(const_dnnl_post_ops_t post_ops, int index, float* scale,
                                                           int32_t* zero_point, dnnl_data_type_t* type);
TANDEM_C_API dnnl_status_t dnnl2_post_ops_append_eltwise(dnnl_post_ops_t post_ops, float scale,
                                                         dnnl_alg_kind_t alg_kind, float alpha, float beta);
TANDEM_C_API dnnl_status_t dnnl2_post_ops_get_params_eltwise(const_dnnl_post_ops_t post_ops, int index, float* scale,
                                                             dnnl_alg_kind_t* alg_kind, float* alpha, float* beta);

/* Generation 3. */
TANDEM_C_API dnnl_status_t dnnl_post_ops_append_sum(dnnl_post_ops_t post_ops, float scale, int32_t zero_point,
                                                    dnnl_data_type_t type);
TANDEM_C_API dnnl_status_t dnnl_post_ops_get_params_sum(const_dnnl_post_ops_t post_ops, int index, float* scale,
                                                        int32_t* zero_point, dnnl_data_type_t* type);
TANDEM_C_API dnnl_status_t dnnl_post_ops_append_eltwise(dnnl_post_ops_t post_ops, dnnl_alg_kind_t alg_kind, float alpha,
                                                        float beta);
TANDEM_C_API dnnl_status_t dnnl_post_ops_get_params_eltwise(const_dnnl_post_ops_t post_ops, int index,
                                                            dnnl_alg_kind_t* alg_kind, float* alpha, float* beta);

#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
#include "dnnl/c/post_ops.hpp"
#endif

#endif
