// Bodies of post_ops.h.
#ifndef DNNL_C_POST_OPS_HPP
#define DNNL_C_POST_OPS_HPP

#include "dnnl/c/post_ops.h"
#include "dnnl/c/result.hpp"

namespace dnnl {
inline namespace tandem_v1 {
namespace detail {

inline tandem_post_op_t c_post_op(dnnl_primitive_kind_t kind) {
  tandem_post_op_t op = tandem_post_op_t();
  op.kind = kind;
  op.scale = 1.f;
  return op;
}

inline const tandem_post_op_t* c_entry(const_dnnl_post_ops_t ops, int index, dnnl_primitive_kind_t kind,
                                       dnnl_status_t* status) {
  const tandem_post_op_t* entry = nullptr;
  *status = tandem_post_ops_view(ops, index, kind, &entry);
  return entry;
}

}  // namespace detail
}  // namespace tandem_v1
}  // namespace dnnl

extern "C" {

TANDEM_C_API dnnl_status_t dnnl_post_ops_create(dnnl_post_ops_t* post_ops) { return tandem_post_ops_create(post_ops); }
TANDEM_C_API dnnl_status_t dnnl_post_ops_clone(dnnl_post_ops_t* post_ops, const_dnnl_post_ops_t from) {
  return tandem_post_ops_clone(post_ops, from);
}
TANDEM_C_API dnnl_status_t dnnl_post_ops_destroy(dnnl_post_ops_t post_ops) { return dnnl::detail::c_destroy(post_ops); }
TANDEM_C_API int dnnl_post_ops_len(const_dnnl_post_ops_t post_ops) { return tandem_post_ops_len(post_ops); }
TANDEM_C_API dnnl_primitive_kind_t dnnl_post_ops_get_kind(const_dnnl_post_ops_t post_ops, int index) {
  return tandem_post_ops_get_kind(post_ops, index);
}

TANDEM_C_API dnnl_status_t dnnl_post_ops_append_binary(dnnl_post_ops_t post_ops, dnnl_alg_kind_t alg_kind,
                                                       const_dnnl_memory_desc_t src1) {
  tandem_post_op_t op = dnnl::detail::c_post_op(dnnl_binary);
  op.algorithm = alg_kind;
  if (src1 != nullptr) op.src1 = *src1;
  return tandem_post_ops_append(post_ops, &op);
}
TANDEM_C_API dnnl_status_t dnnl_post_ops_get_params_binary(const_dnnl_post_ops_t post_ops, int index,
                                                           dnnl_alg_kind_t* alg_kind, const_dnnl_memory_desc_t* src1) {
  dnnl_status_t status;
  const tandem_post_op_t* entry = dnnl::detail::c_entry(post_ops, index, dnnl_binary, &status);
  if (entry == nullptr) return status;
  status = dnnl::detail::c_put_wanted(status, alg_kind, entry->algorithm);
  return dnnl::detail::c_put_wanted(status, src1, &entry->src1);
}
TANDEM_C_API dnnl_status_t dnnl_post_ops_append_prelu(dnnl_post_ops_t post_ops, int mask) {
  tandem_post_op_t op = dnnl::detail::c_post_op(dnnl_prelu);
  op.mask = mask;
  return tandem_post_ops_append(post_ops, &op);
}
TANDEM_C_API dnnl_status_t dnnl_post_ops_get_params_prelu(const_dnnl_post_ops_t post_ops, int index, int* mask) {
  dnnl_status_t status;
  const tandem_post_op_t* entry = dnnl::detail::c_entry(post_ops, index, dnnl_prelu, &status);
  return entry == nullptr ? status : dnnl::detail::c_put(status, mask, entry->mask);
}

TANDEM_C_API dnnl_status_t dnnl_post_ops_append_sum(dnnl_post_ops_t post_ops, float scale, int32_t zero_point,
                                                    dnnl_data_type_t type) {
  tandem_post_op_t op = dnnl::detail::c_post_op(dnnl_sum);
  op.scale = scale;
  op.zero_point = zero_point;
  op.type = type;
  return tandem_post_ops_append(post_ops, &op);
}
TANDEM_C_API dnnl_status_t dnnl_post_ops_append_sum_v3(dnnl_post_ops_t post_ops, float scale, int32_t zero_point,
                                                       dnnl_data_type_t type) {
  return dnnl_post_ops_append_sum(post_ops, scale, zero_point, type);
}
TANDEM_C_API dnnl_status_t dnnl_post_ops_append_sum_v2(dnnl_post_ops_t post_ops, float scale, dnnl_data_type_t type) {
  return dnnl_post_ops_append_sum(post_ops, scale, 0, type);
}
TANDEM_C_API dnnl_status_t dnnl2_post_ops_append_sum(dnnl_post_ops_t post_ops, float scale) {
  return dnnl_post_ops_append_sum(post_ops, scale, 0, dnnl_data_type_undef);
}
TANDEM_C_API dnnl_status_t dnnl2_post_ops_get_params_sum(const_dnnl_post_ops_t post_ops, int index, float* scale) {
  dnnl_status_t status;
  const tandem_post_op_t* entry = dnnl::detail::c_entry(post_ops, index, dnnl_sum, &status);
  return entry == nullptr ? status : dnnl::detail::c_put(status, scale, entry->scale);
}
TANDEM_C_API dnnl_status_t dnnl_post_ops_get_params_sum_v2(const_dnnl_post_ops_t post_ops, int index, float* scale,
                                                           dnnl_data_type_t* type) {
  return dnnl_post_ops_get_params_sum(post_ops, index, scale, nullptr, type);
}
TANDEM_C_API dnnl_status_t dnnl_post_ops_get_params_sum_v3(const_dnnl_post_ops_t post_ops, int index, float* scale,
                                                           int32_t* zero_point, dnnl_data_type_t* type) {
  return dnnl_post_ops_get_params_sum(post_ops, index, scale, zero_point, type);
}
TANDEM_C_API dnnl_status_t dnnl_post_ops_get_params_sum(const_dnnl_post_ops_t post_ops, int index, float* scale,
                                                        int32_t* zero_point, dnnl_data_type_t* type) {
  dnnl_status_t status;
  const tandem_post_op_t* entry = dnnl::detail::c_entry(post_ops, index, dnnl_sum, &status);
  if (entry == nullptr) return status;
  status = dnnl::detail::c_put_wanted(status, scale, entry->scale);
  status = dnnl::detail::c_put_wanted(status, zero_point, entry->zero_point);
  return dnnl::detail::c_put_wanted(status, type, entry->type);
}

TANDEM_C_API dnnl_status_t dnnl2_post_ops_append_eltwise(dnnl_post_ops_t post_ops, float scale,
                                                         dnnl_alg_kind_t alg_kind, float alpha, float beta) {
  tandem_post_op_t op = dnnl::detail::c_post_op(dnnl_eltwise);
  op.scale = scale;
  op.algorithm = alg_kind;
  op.alpha = alpha;
  op.beta = beta;
  return tandem_post_ops_append(post_ops, &op);
}
TANDEM_C_API dnnl_status_t dnnl_post_ops_append_eltwise(dnnl_post_ops_t post_ops, dnnl_alg_kind_t alg_kind, float alpha,
                                                        float beta) {
  return dnnl2_post_ops_append_eltwise(post_ops, 1.f, alg_kind, alpha, beta);
}
TANDEM_C_API dnnl_status_t dnnl2_post_ops_get_params_eltwise(const_dnnl_post_ops_t post_ops, int index, float* scale,
                                                             dnnl_alg_kind_t* alg_kind, float* alpha, float* beta) {
  dnnl_status_t status;
  const tandem_post_op_t* entry = dnnl::detail::c_entry(post_ops, index, dnnl_eltwise, &status);
  if (entry == nullptr) return status;
  status = dnnl::detail::c_put_wanted(status, scale, entry->scale);
  status = dnnl::detail::c_put_wanted(status, alg_kind, entry->algorithm);
  status = dnnl::detail::c_put_wanted(status, alpha, entry->alpha);
  return dnnl::detail::c_put_wanted(status, beta, entry->beta);
}
TANDEM_C_API dnnl_status_t dnnl_post_ops_get_params_eltwise(const_dnnl_post_ops_t post_ops, int index,
                                                            dnnl_alg_kind_t* alg_kind, float* alpha, float* beta) {
  return dnnl2_post_ops_get_params_eltwise(post_ops, index, nullptr, alg_kind, alpha, beta);
}

}  // extern "C"

#endif
