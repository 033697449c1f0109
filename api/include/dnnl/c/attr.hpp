// Bodies of attr.h.
#ifndef DNNL_C_ATTR_HPP
#define DNNL_C_ATTR_HPP

#include "dnnl/c/attr.h"
#include "dnnl/c/result.hpp"

namespace dnnl {
inline namespace tandem_v1 {
namespace detail {

template <typename T>
dnnl_status_t c_get_field(const_dnnl_primitive_attr_t attr, tandem_attr_field_t field, T* result) {
  int value = 0;
  const dnnl_status_t status = tandem_attr_get(attr, field, &value);
  return c_put(status, result, value);
}

// `get` fills in a mask, a count and a pointer to that many values.
template <typename T, typename Get>
dnnl_status_t c_get_values(dnnl_dim_t* count, int* mask, const T** values, Get get) {
  int its_mask = 0;
  size_t size = 0;
  const T* its_values = nullptr;
  dnnl_status_t status = get(&its_mask, &size, &its_values);
  status = c_put_wanted(status, mask, its_mask);
  status = c_put_wanted(status, values, its_values);
  return c_put_wanted(status, count, size);
}

// For what has nothing to read or write in the attributes.
inline dnnl_status_t c_check_attr(const_dnnl_primitive_attr_t attr) {
  int value = 0;
  return tandem_attr_get(attr, tandem_attr_deterministic, &value);
}

inline dnnl_status_t c_check_values(dnnl_dim_t count, const void* values) {
  if (count > 0 && values != nullptr) return dnnl_success;
  return tandem_fail(dnnl_invalid_arguments, "attributes: no values are given, but at least 1 is needed");
}

// This says how a client gives scales or zero points.
struct c_parameters {
  int ndims;  // of the groups
  dnnl_data_type_t type;
  int is_on_host;
  dnnl_quantization_mode_t mode;
};

inline dnnl_status_t c_set_scales(dnnl_primitive_attr_t attr, int arg, int mask, const c_parameters& given) {
  const bool is_served = given.ndims == 0 && given.type == dnnl_f32 && given.is_on_host == 0 &&
                         given.mode == dnnl_quantization_mode_static_sazp;
  return is_served ? tandem_attr_set_scales_mask(attr, arg, mask)
                   : tandem_attr_set_unserved(attr, tandem_parameters_scales, arg, mask);
}
inline dnnl_status_t c_set_zero_points(dnnl_primitive_attr_t attr, int arg, int mask, const c_parameters& given) {
  const bool is_served = given.ndims == 0 && given.type == dnnl_s32 && given.is_on_host == 0;
  return is_served ? tandem_attr_set_zero_points_mask(attr, arg, mask)
                   : tandem_attr_set_unserved(attr, tandem_parameters_zero_points, arg, mask);
}

}  // namespace detail
}  // namespace tandem_v1
}  // namespace dnnl

extern "C" {

TANDEM_C_API dnnl_status_t dnnl_primitive_attr_create(dnnl_primitive_attr_t* attr) { return tandem_attr_create(attr); }
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_clone(dnnl_primitive_attr_t* attr, const_dnnl_primitive_attr_t from) {
  return tandem_attr_clone(attr, from);
}
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_destroy(dnnl_primitive_attr_t attr) {
  return dnnl::detail::c_destroy(attr);
}

TANDEM_C_API dnnl_status_t dnnl_primitive_attr_get_scratchpad_mode(const_dnnl_primitive_attr_t attr,
                                                                   dnnl_scratchpad_mode_t* mode) {
  return dnnl::detail::c_get_field(attr, tandem_attr_scratchpad_mode, mode);
}
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_set_scratchpad_mode(dnnl_primitive_attr_t attr,
                                                                   dnnl_scratchpad_mode_t mode) {
  return tandem_attr_set(attr, tandem_attr_scratchpad_mode, static_cast<int>(mode));
}
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_get_fpmath_mode(const_dnnl_primitive_attr_t attr,
                                                               dnnl_fpmath_mode_t* mode) {
  return dnnl::detail::c_get_field(attr, tandem_attr_fpmath_mode, mode);
}
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_set_fpmath_mode(dnnl_primitive_attr_t attr, dnnl_fpmath_mode_t mode) {
  return tandem_attr_set(attr, tandem_attr_fpmath_mode, static_cast<int>(mode));
}
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_get_post_ops(const_dnnl_primitive_attr_t attr,
                                                            const_dnnl_post_ops_t* post_ops) {
  return tandem_attr_view_post_ops(attr, post_ops);
}
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_set_post_ops(dnnl_primitive_attr_t attr,
                                                            const_dnnl_post_ops_t post_ops) {
  return tandem_attr_set_post_ops(attr, post_ops);
}

TANDEM_C_API dnnl_status_t dnnl_primitive_attr_get_rnn_data_qparams(const_dnnl_primitive_attr_t attr, float* scale,
                                                                    float* shift) {
  float its_scale = 0, its_shift = 0;
  dnnl_status_t status = tandem_attr_get_rnn_data_qparams(attr, &its_scale, &its_shift);
  status = dnnl::detail::c_put_wanted(status, scale, its_scale);
  return dnnl::detail::c_put_wanted(status, shift, its_shift);
}
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_set_rnn_data_qparams(dnnl_primitive_attr_t attr, float scale,
                                                                    float shift) {
  return tandem_attr_set_rnn_data_qparams(attr, scale, shift);
}
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_get_rnn_weights_qparams(const_dnnl_primitive_attr_t attr,
                                                                       dnnl_dim_t* count, int* mask,
                                                                       const float** scales) {
  return dnnl::detail::c_get_values(count, mask, scales, [=](int* m, size_t* n, const float** v) {
    return tandem_attr_get_qparams(attr, tandem_qparams_weights, m, n, v);
  });
}
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_set_rnn_weights_qparams(dnnl_primitive_attr_t attr, dnnl_dim_t count,
                                                                       int mask, const float* scales) {
  const dnnl_status_t status = dnnl::detail::c_check_values(count, scales);
  return status == dnnl_success
             ? tandem_attr_set_qparams(attr, tandem_qparams_weights, mask, static_cast<size_t>(count), scales)
             : status;
}
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_get_rnn_weights_projection_qparams(const_dnnl_primitive_attr_t attr,
                                                                                  dnnl_dim_t* count, int* mask,
                                                                                  const float** scales) {
  return dnnl::detail::c_get_values(count, mask, scales, [=](int* m, size_t* n, const float** v) {
    return tandem_attr_get_qparams(attr, tandem_qparams_weights_projection, m, n, v);
  });
}
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_set_rnn_weights_projection_qparams(dnnl_primitive_attr_t attr,
                                                                                  dnnl_dim_t count, int mask,
                                                                                  const float* scales) {
  const dnnl_status_t status = dnnl::detail::c_check_values(count, scales);
  return status == dnnl_success ? tandem_attr_set_qparams(attr, tandem_qparams_weights_projection, mask,
                                                          static_cast<size_t>(count), scales)
                                : status;
}

TANDEM_C_API dnnl_status_t tandem_primitive_attr_get_rnn_sequence_lengths(const_dnnl_primitive_attr_t attr,
                                                                          int* value) {
  return dnnl::detail::c_get_field(attr, tandem_attr_rnn_sequence_lengths, value);
}
TANDEM_C_API dnnl_status_t tandem_primitive_attr_set_rnn_sequence_lengths(dnnl_primitive_attr_t attr, int value) {
  return tandem_attr_set(attr, tandem_attr_rnn_sequence_lengths, value);
}
TANDEM_C_API dnnl_status_t tandem_primitive_attr_get_rnn_masks(const_dnnl_primitive_attr_t attr, int* masks) {
  return dnnl::detail::c_get_field(attr, tandem_attr_rnn_masks, masks);
}
TANDEM_C_API dnnl_status_t tandem_primitive_attr_set_rnn_masks(dnnl_primitive_attr_t attr, int masks) {
  return tandem_attr_set(attr, tandem_attr_rnn_masks, masks);
}
TANDEM_C_API dnnl_status_t tandem_primitive_attr_get_rnn_dynamic_quantization(const_dnnl_primitive_attr_t attr,
                                                                              int* value) {
  return dnnl::detail::c_get_field(attr, tandem_attr_rnn_dynamic_quantization, value);
}
TANDEM_C_API dnnl_status_t tandem_primitive_attr_set_rnn_dynamic_quantization(dnnl_primitive_attr_t attr, int value) {
  return tandem_attr_set(attr, tandem_attr_rnn_dynamic_quantization, value);
}
TANDEM_C_API dnnl_status_t tandem_primitive_attr_get_rnn_layer_normalization(const_dnnl_primitive_attr_t attr,
                                                                             tandem_normalization_t* kind,
                                                                             tandem_normalization_scope_t* scope,
                                                                             tandem_cell_normalization_t* cell,
                                                                             float* epsilon) {
  tandem_normalization_t its_kind = tandem_normalization_none;
  tandem_normalization_scope_t its_scope = tandem_normalization_scope_gate;
  tandem_cell_normalization_t its_cell = tandem_cell_normalization_none;
  float its_epsilon = 0;
  dnnl_status_t status = tandem_attr_get_rnn_layer_normalization(attr, &its_kind, &its_scope, &its_cell, &its_epsilon);
  status = dnnl::detail::c_put_wanted(status, kind, its_kind);
  status = dnnl::detail::c_put_wanted(status, scope, its_scope);
  status = dnnl::detail::c_put_wanted(status, cell, its_cell);
  return dnnl::detail::c_put_wanted(status, epsilon, its_epsilon);
}
TANDEM_C_API dnnl_status_t tandem_primitive_attr_set_rnn_layer_normalization(dnnl_primitive_attr_t attr,
                                                                             tandem_normalization_t kind,
                                                                             tandem_normalization_scope_t scope,
                                                                             tandem_cell_normalization_t cell,
                                                                             float epsilon) {
  return tandem_attr_set_rnn_layer_normalization(attr, kind, scope, cell, epsilon);
}

TANDEM_C_API dnnl_status_t tandem_primitive_attr_get_rnn_activation(const_dnnl_primitive_attr_t attr,
                                                                    tandem_gate_place_t place, dnnl_alg_kind_t* kind,
                                                                    float* alpha, float* beta) {
  if (kind == nullptr || alpha == nullptr || beta == nullptr) return dnnl_invalid_arguments;
  return tandem_attr_get_rnn_activation(attr, place, kind, alpha, beta);
}
TANDEM_C_API dnnl_status_t tandem_primitive_attr_set_rnn_activation(dnnl_primitive_attr_t attr,
                                                                    tandem_gate_place_t place, dnnl_alg_kind_t kind,
                                                                    float alpha, float beta) {
  return tandem_attr_set_rnn_activation(attr, place, kind, alpha, beta);
}
TANDEM_C_API dnnl_status_t tandem_primitive_attr_get_rnn_clip(const_dnnl_primitive_attr_t attr, float* clip) {
  return clip == nullptr ? dnnl_invalid_arguments : tandem_attr_get_rnn_clip(attr, clip);
}
TANDEM_C_API dnnl_status_t tandem_primitive_attr_set_rnn_clip(dnnl_primitive_attr_t attr, float clip) {
  return tandem_attr_set_rnn_clip(attr, clip);
}
TANDEM_C_API dnnl_status_t tandem_primitive_attr_get_rnn_input_forget(const_dnnl_primitive_attr_t attr, int* value) {
  return dnnl::detail::c_get_field(attr, tandem_attr_rnn_input_forget, value);
}
TANDEM_C_API dnnl_status_t tandem_primitive_attr_set_rnn_input_forget(dnnl_primitive_attr_t attr, int value) {
  return tandem_attr_set(attr, tandem_attr_rnn_input_forget, value);
}

TANDEM_C_API dnnl_status_t dnnl_primitive_attr_get_output_scales(const_dnnl_primitive_attr_t attr, dnnl_dim_t* count,
                                                                 int* mask, const float** scales) {
  return dnnl::detail::c_get_values(count, mask, scales, [=](int* m, size_t* n, const float** v) {
    return tandem_attr_get_qparams(attr, tandem_qparams_output_scales, m, n, v);
  });
}
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_set_output_scales(dnnl_primitive_attr_t attr, dnnl_dim_t count, int mask,
                                                                 const float* scales) {
  const dnnl_status_t status = dnnl::detail::c_check_values(count, scales);
  return status == dnnl_success
             ? tandem_attr_set_qparams(attr, tandem_qparams_output_scales, mask, static_cast<size_t>(count), scales)
             : status;
}
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_get_scales(dnnl_primitive_attr_t attr, int arg, dnnl_dim_t* count,
                                                          int* mask, const float** scales) {
  return dnnl::detail::c_get_values(count, mask, scales, [=](int* m, size_t* n, const float** v) {
    return tandem_attr_get_scales(attr, arg, m, n, v);
  });
}
TANDEM_C_API dnnl_status_t dnnl2_primitive_attr_set_scales(dnnl_primitive_attr_t attr, int arg, dnnl_dim_t count,
                                                           int mask, const float* scales) {
  const dnnl_status_t status = dnnl::detail::c_check_values(count, scales);
  return status == dnnl_success ? tandem_attr_set_scales(attr, arg, mask, static_cast<size_t>(count), scales) : status;
}
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_get_zero_points(const_dnnl_primitive_attr_t attr, int arg,
                                                               dnnl_dim_t* count, int* mask,
                                                               const int32_t** zero_points) {
  return dnnl::detail::c_get_values(count, mask, zero_points, [=](int* m, size_t* n, const int32_t** v) {
    return tandem_attr_get_zero_points(attr, arg, m, n, v);
  });
}
TANDEM_C_API dnnl_status_t dnnl2_primitive_attr_set_zero_points(dnnl_primitive_attr_t attr, int arg, dnnl_dim_t count,
                                                                int mask, const int32_t* zero_points) {
  const dnnl_status_t status = dnnl::detail::c_check_values(count, zero_points);
  return status == dnnl_success ? tandem_attr_set_zero_points(attr, arg, mask, static_cast<size_t>(count), zero_points)
                                : status;
}

TANDEM_C_API dnnl_status_t dnnl_primitive_attr_set_scales_mask(dnnl_primitive_attr_t attr, int arg, int mask) {
  return tandem_attr_set_scales_mask(attr, arg, mask);
}
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_set_scales(dnnl_primitive_attr_t attr, int arg, int mask, int ndims,
                                                          const dnnl_dims_t, dnnl_data_type_t type) {
  return dnnl::detail::c_set_scales(attr, arg, mask, {ndims, type, 0, dnnl_quantization_mode_static_sazp});
}
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_set_scales_v2(dnnl_primitive_attr_t attr, int arg, int mask, int ndims,
                                                             const dnnl_dims_t, dnnl_data_type_t type, int is_on_host) {
  return dnnl::detail::c_set_scales(attr, arg, mask, {ndims, type, is_on_host, dnnl_quantization_mode_static_sazp});
}
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_set_scales_v3(dnnl_primitive_attr_t attr, int arg, int mask, int ndims,
                                                             const dnnl_dims_t, dnnl_data_type_t type, int is_on_host,
                                                             dnnl_quantization_mode_t mode) {
  return dnnl::detail::c_set_scales(attr, arg, mask, {ndims, type, is_on_host, mode});
}
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_set_zero_points_mask(dnnl_primitive_attr_t attr, int arg, int mask) {
  return tandem_attr_set_zero_points_mask(attr, arg, mask);
}
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_set_zero_points(dnnl_primitive_attr_t attr, int arg, int mask, int ndims,
                                                               const dnnl_dims_t, dnnl_data_type_t type) {
  return dnnl::detail::c_set_zero_points(attr, arg, mask, {ndims, type, 0, dnnl_quantization_mode_static_sazp});
}
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_set_zero_points_v2(dnnl_primitive_attr_t attr, int arg, int mask,
                                                                  int ndims, const dnnl_dims_t, dnnl_data_type_t type,
                                                                  int is_on_host) {
  return dnnl::detail::c_set_zero_points(attr, arg, mask,
                                         {ndims, type, is_on_host, dnnl_quantization_mode_static_sazp});
}
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_get_fpmath_mode_v2(const_dnnl_primitive_attr_t attr,
                                                                  dnnl_fpmath_mode_t* mode, int* apply_to_int) {
  int its_mode = 0, applies = 0;
  dnnl_status_t status = tandem_attr_get(attr, tandem_attr_fpmath_mode, &its_mode);
  if (status == dnnl_success) status = tandem_attr_get(attr, tandem_attr_fpmath_applies_to_int, &applies);
  status = dnnl::detail::c_put_wanted(status, mode, its_mode);
  return dnnl::detail::c_put_wanted(status, apply_to_int, applies);
}
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_set_fpmath_mode_v2(dnnl_primitive_attr_t attr, dnnl_fpmath_mode_t mode,
                                                                  int apply_to_int) {
  const dnnl_status_t status = tandem_attr_set(attr, tandem_attr_fpmath_mode, static_cast<int>(mode));
  return status == dnnl_success ? tandem_attr_set(attr, tandem_attr_fpmath_applies_to_int, apply_to_int) : status;
}
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_get_accumulation_mode(const_dnnl_primitive_attr_t attr,
                                                                     dnnl_accumulation_mode_t* mode) {
  return dnnl::detail::c_get_field(attr, tandem_attr_accumulation_mode, mode);
}
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_set_accumulation_mode(dnnl_primitive_attr_t attr,
                                                                     dnnl_accumulation_mode_t mode) {
  return tandem_attr_set(attr, tandem_attr_accumulation_mode, static_cast<int>(mode));
}
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_get_deterministic(const_dnnl_primitive_attr_t attr, int* value) {
  return dnnl::detail::c_get_field(attr, tandem_attr_deterministic, value);
}
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_set_deterministic(dnnl_primitive_attr_t attr, int value) {
  return tandem_attr_set(attr, tandem_attr_deterministic, value);
}
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_get_rounding(const_dnnl_primitive_attr_t attr, int,
                                                            dnnl_rounding_mode_t* mode) {
  return dnnl::detail::c_put(dnnl::detail::c_check_attr(attr), mode, dnnl_rounding_mode_environment);
}
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_set_rounding(dnnl_primitive_attr_t attr, int,
                                                            dnnl_rounding_mode_t mode) {
  if (mode == dnnl_rounding_mode_environment) return dnnl::detail::c_check_attr(attr);
  return tandem_fail(dnnl_unimplemented, "set_rounding: results are rounded to nearest even");
}

}  // extern "C"

#endif
