/* Attributes of the C API. */
#ifndef DNNL_C_ATTR_H
#define DNNL_C_ATTR_H

#include "dnnl/c/linkage.h"

#ifdef __cplusplus
extern "C" {
#endif

TANDEM_C_API dnnl_status_t dnnl_primitive_attr_create(dnnl_primitive_attr_t* attr);
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_clone(dnnl_primitive_attr_t* attr, const_dnnl_primitive_attr_t from);
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_destroy(dnnl_primitive_attr_t attr);

TANDEM_C_API dnnl_status_t dnnl_primitive_attr_get_scratchpad_mode(const_dnnl_primitive_attr_t attr,
                                                                   dnnl_scratchpad_mode_t* mode);
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_set_scratchpad_mode(dnnl_primitive_attr_t attr,
                                                                   dnnl_scratchpad_mode_t mode);
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_get_fpmath_mode(const_dnnl_primitive_attr_t attr,
                                                               dnnl_fpmath_mode_t* mode);
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_set_fpmath_mode(dnnl_primitive_attr_t attr, dnnl_fpmath_mode_t mode);
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_get_post_ops(const_dnnl_primitive_attr_t attr,
                                                            const_dnnl_post_ops_t* post_ops);
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_set_post_ops(dnnl_primitive_attr_t attr, const_dnnl_post_ops_t post_ops);

/* Quantization of RNN tensors. Data: q = round(scale * (x + shift)) in the reading `spec`, round(scale * x + shift) in
 * `onednn`. Weights: q = round(scale * w), mask 0 (one scale) or one scale for each gate and output channel. */
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_get_rnn_data_qparams(const_dnnl_primitive_attr_t attr, float* scale,
                                                                    float* shift);
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_set_rnn_data_qparams(dnnl_primitive_attr_t attr, float scale,
                                                                    float shift);
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_get_rnn_weights_qparams(const_dnnl_primitive_attr_t attr,
                                                                       dnnl_dim_t* count, int* mask,
                                                                       const float** scales);
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_set_rnn_weights_qparams(dnnl_primitive_attr_t attr, dnnl_dim_t count,
                                                                       int mask, const float* scales);
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_get_rnn_weights_projection_qparams(const_dnnl_primitive_attr_t attr,
                                                                                  dnnl_dim_t* count, int* mask,
                                                                                  const float** scales);
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_set_rnn_weights_projection_qparams(dnnl_primitive_attr_t attr,
                                                                                  dnnl_dim_t count, int mask,
                                                                                  const float* scales);

/* Tandem's own, which oneDNN does not have: a client that is also compiled with oneDNN's headers asks for them with
 * #ifdef TANDEM_ARG_SEQUENCE_LENGTHS. A value other than 0: each row of an RNN's minibatch has a length of its own, from 0
 * to n_iter, and dnnl_primitive_execute() takes one more argument, TANDEM_ARG_SEQUENCE_LENGTHS: s32, dims {mb}. A row
 * computes nothing beyond its length (docs/sequence_lengths.md). */
TANDEM_C_API dnnl_status_t tandem_primitive_attr_get_rnn_sequence_lengths(const_dnnl_primitive_attr_t attr, int* value);
TANDEM_C_API dnnl_status_t tandem_primitive_attr_set_rnn_sequence_lengths(dnnl_primitive_attr_t attr, int value);

/* Tandem's own, too. A sum of tandem_rnn_masks_t: an RNN multiplies its inputs and states by these tensors, which
 * dnnl_primitive_execute() gets (docs/rnn_masks.md). invalid_arguments for other bits. */
TANDEM_C_API dnnl_status_t tandem_primitive_attr_get_rnn_masks(const_dnnl_primitive_attr_t attr, int* masks);
TANDEM_C_API dnnl_status_t tandem_primitive_attr_set_rnn_masks(dnnl_primitive_attr_t attr, int masks);

/* Tandem's own, too. A value other than 0: forward inference with f32 data and s8 weights multiplies bytes. Before each
 * product, each row of src_layer and of the states becomes u8 by a scale and a zero point of its own range. */
TANDEM_C_API dnnl_status_t tandem_primitive_attr_get_rnn_dynamic_quantization(const_dnnl_primitive_attr_t attr,
                                                                              int* value);
TANDEM_C_API dnnl_status_t tandem_primitive_attr_set_rnn_dynamic_quantization(dnnl_primitive_attr_t attr, int value);

/* Tandem's own, too: functions of the gates of LSTM, GRU and LBR-GRU in place of sigmoid and tanh, one call for each place.
 * tandem_gate_recurrent is i, f and o of LSTM, u and r of GRU; tandem_gate_candidate is c~ of LSTM and o of GRU; LSTM has
 * h_t = o * f(c_t), where f is that of tandem_gate_output. alpha and beta count where the equation has them. */
TANDEM_C_API dnnl_status_t tandem_primitive_attr_get_rnn_activation(const_dnnl_primitive_attr_t attr,
                                                                    tandem_gate_place_t place, dnnl_alg_kind_t* kind,
                                                                    float* alpha, float* beta);
TANDEM_C_API dnnl_status_t tandem_primitive_attr_set_rnn_activation(dnnl_primitive_attr_t attr,
                                                                    tandem_gate_place_t place, dnnl_alg_kind_t kind,
                                                                    float alpha, float beta);
/* Pre-activations of gates are clipped to [-clip, clip], as ONNX has it; 0: they are not. */
TANDEM_C_API dnnl_status_t tandem_primitive_attr_get_rnn_clip(const_dnnl_primitive_attr_t attr, float* clip);
TANDEM_C_API dnnl_status_t tandem_primitive_attr_set_rnn_clip(dnnl_primitive_attr_t attr, float clip);
/* A value other than 0: the forget gate of LSTM is f = 1 - i, as ONNX has it. */
TANDEM_C_API dnnl_status_t tandem_primitive_attr_get_rnn_input_forget(const_dnnl_primitive_attr_t attr, int* value);
TANDEM_C_API dnnl_status_t tandem_primitive_attr_set_rnn_input_forget(dnnl_primitive_attr_t attr, int value);

/* Tandem's own, too: layer normalization, docs/layer_normalization.md. dnnl_primitive_execute() takes TANDEM_ARG_NORM_GAIN and
 * TANDEM_ARG_NORM_OFFSET, f32, dims {n_layer, n_dir, norms, dhc}. A pointer of the getter may be NULL. */
TANDEM_C_API dnnl_status_t tandem_primitive_attr_get_rnn_layer_normalization(const_dnnl_primitive_attr_t attr,
                                                                             tandem_normalization_t* kind,
                                                                             tandem_normalization_scope_t* scope,
                                                                             tandem_cell_normalization_t* cell,
                                                                             float* epsilon);
TANDEM_C_API dnnl_status_t tandem_primitive_attr_set_rnn_layer_normalization(dnnl_primitive_attr_t attr,
                                                                             tandem_normalization_t kind,
                                                                             tandem_normalization_scope_t scope,
                                                                             tandem_cell_normalization_t cell,
                                                                             float epsilon);

/* Generation 2: values that the attributes hold. */
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_get_output_scales(const_dnnl_primitive_attr_t attr, dnnl_dim_t* count,
                                                                 int* mask, const float** scales);
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_set_output_scales(dnnl_primitive_attr_t attr, dnnl_dim_t count, int mask,
                                                                 const float* scales);
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_get_scales(dnnl_primitive_attr_t attr, int arg, dnnl_dim_t* count,
                                                          int* mask, const float** scales);
TANDEM_C_API dnnl_status_t dnnl2_primitive_attr_set_scales(dnnl_primitive_attr_t attr, int arg, dnnl_dim_t count,
                                                           int mask, const float* scales);
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_get_zero_points(const_dnnl_primitive_attr_t attr, int arg,
                                                               dnnl_dim_t* count, int* mask,
                                                               const int32_t** zero_points);
TANDEM_C_API dnnl_status_t dnnl2_primitive_attr_set_zero_points(dnnl_primitive_attr_t attr, int arg, dnnl_dim_t count,
                                                                int mask, const int32_t* zero_points);

/* Generation 3: only masks; the values are arguments of dnnl_primitive_execute(). Groups (ndims > 0), types other than f32 for
 * scales and s32 for zero points, scalars on the host and every quantization mode but dnnl_quantization_mode_static_sazp are
 * kept, but creating a primitive with them is unimplemented. */
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_set_scales_mask(dnnl_primitive_attr_t attr, int arg, int mask);
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_set_scales(dnnl_primitive_attr_t attr, int arg, int mask, int ndims,
                                                          const dnnl_dims_t group_dims, dnnl_data_type_t type);
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_set_scales_v2(dnnl_primitive_attr_t attr, int arg, int mask, int ndims,
                                                             const dnnl_dims_t group_dims, dnnl_data_type_t type,
                                                             int is_on_host);
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_set_scales_v3(dnnl_primitive_attr_t attr, int arg, int mask, int ndims,
                                                             const dnnl_dims_t group_dims, dnnl_data_type_t type,
                                                             int is_on_host, dnnl_quantization_mode_t mode);
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_set_zero_points_mask(dnnl_primitive_attr_t attr, int arg, int mask);
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_set_zero_points(dnnl_primitive_attr_t attr, int arg, int mask, int ndims,
                                                               const dnnl_dims_t group_dims, dnnl_data_type_t type);
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_set_zero_points_v2(dnnl_primitive_attr_t attr, int arg, int mask,
                                                                  int ndims, const dnnl_dims_t group_dims,
                                                                  dnnl_data_type_t type, int is_on_host);
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_get_fpmath_mode_v2(const_dnnl_primitive_attr_t attr,
                                                                  dnnl_fpmath_mode_t* mode, int* apply_to_int);
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_set_fpmath_mode_v2(dnnl_primitive_attr_t attr, dnnl_fpmath_mode_t mode,
                                                                  int apply_to_int);
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_get_accumulation_mode(const_dnnl_primitive_attr_t attr,
                                                                     dnnl_accumulation_mode_t* mode);
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_set_accumulation_mode(dnnl_primitive_attr_t attr,
                                                                     dnnl_accumulation_mode_t mode);
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_get_deterministic(const_dnnl_primitive_attr_t attr, int* value);
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_set_deterministic(dnnl_primitive_attr_t attr, int value);
/* Results are rounded to nearest even: every other mode than dnnl_rounding_mode_environment is unimplemented. */
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_get_rounding(const_dnnl_primitive_attr_t attr, int arg,
                                                            dnnl_rounding_mode_t* mode);
TANDEM_C_API dnnl_status_t dnnl_primitive_attr_set_rounding(dnnl_primitive_attr_t attr, int arg,
                                                            dnnl_rounding_mode_t mode);

#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
#include "dnnl/c/attr.hpp"
#endif

#endif
