/* RNN primitive descriptors, generation 3. What the C++ classes' constructors say of tensors, flags, alpha and beta
 * holds here; a tensor that is absent may be NULL, and so may `attr` (default attributes). Backward takes the descriptors
 * of the forward tensors, then those of their gradients; `hint` is the forward's descriptor.
 * Written by api/schema, not by hand. */
#ifndef DNNL_C_RNN_GENERATION3_H
#define DNNL_C_RNN_GENERATION3_H

#include "dnnl/c/linkage.h"

#ifdef __cplusplus
extern "C" {
#endif

TANDEM_C_API dnnl_status_t dnnl_vanilla_rnn_forward_primitive_desc_create(
    dnnl_primitive_desc_t* pd, dnnl_engine_t engine, dnnl_prop_kind_t prop_kind, dnnl_alg_kind_t activation,
    dnnl_rnn_direction_t direction, const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter,
    const_dnnl_memory_desc_t weights_layer, const_dnnl_memory_desc_t weights_iter, const_dnnl_memory_desc_t bias,
    const_dnnl_memory_desc_t dst_layer, const_dnnl_memory_desc_t dst_iter, unsigned flags, float alpha, float beta,
    const_dnnl_primitive_attr_t attr);
TANDEM_C_API dnnl_status_t dnnl_vanilla_rnn_backward_primitive_desc_create(
    dnnl_primitive_desc_t* pd, dnnl_engine_t engine, dnnl_prop_kind_t prop_kind, dnnl_alg_kind_t activation,
    dnnl_rnn_direction_t direction, const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter,
    const_dnnl_memory_desc_t weights_layer, const_dnnl_memory_desc_t weights_iter, const_dnnl_memory_desc_t bias,
    const_dnnl_memory_desc_t dst_layer, const_dnnl_memory_desc_t dst_iter, const_dnnl_memory_desc_t diff_src_layer,
    const_dnnl_memory_desc_t diff_src_iter, const_dnnl_memory_desc_t diff_weights_layer,
    const_dnnl_memory_desc_t diff_weights_iter, const_dnnl_memory_desc_t diff_bias,
    const_dnnl_memory_desc_t diff_dst_layer, const_dnnl_memory_desc_t diff_dst_iter, unsigned flags, float alpha,
    float beta, const_dnnl_primitive_desc_t hint, const_dnnl_primitive_attr_t attr);

TANDEM_C_API dnnl_status_t dnnl_lstm_forward_primitive_desc_create(
    dnnl_primitive_desc_t* pd, dnnl_engine_t engine, dnnl_prop_kind_t prop_kind, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t src_iter_c,
    const_dnnl_memory_desc_t weights_layer, const_dnnl_memory_desc_t weights_iter,
    const_dnnl_memory_desc_t weights_peephole, const_dnnl_memory_desc_t weights_projection,
    const_dnnl_memory_desc_t bias, const_dnnl_memory_desc_t dst_layer, const_dnnl_memory_desc_t dst_iter,
    const_dnnl_memory_desc_t dst_iter_c, unsigned flags, const_dnnl_primitive_attr_t attr);
TANDEM_C_API dnnl_status_t dnnl_lstm_backward_primitive_desc_create(
    dnnl_primitive_desc_t* pd, dnnl_engine_t engine, dnnl_prop_kind_t prop_kind, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t src_iter_c,
    const_dnnl_memory_desc_t weights_layer, const_dnnl_memory_desc_t weights_iter,
    const_dnnl_memory_desc_t weights_peephole, const_dnnl_memory_desc_t weights_projection,
    const_dnnl_memory_desc_t bias, const_dnnl_memory_desc_t dst_layer, const_dnnl_memory_desc_t dst_iter,
    const_dnnl_memory_desc_t dst_iter_c, const_dnnl_memory_desc_t diff_src_layer,
    const_dnnl_memory_desc_t diff_src_iter, const_dnnl_memory_desc_t diff_src_iter_c,
    const_dnnl_memory_desc_t diff_weights_layer, const_dnnl_memory_desc_t diff_weights_iter,
    const_dnnl_memory_desc_t diff_weights_peephole, const_dnnl_memory_desc_t diff_weights_projection,
    const_dnnl_memory_desc_t diff_bias, const_dnnl_memory_desc_t diff_dst_layer, const_dnnl_memory_desc_t diff_dst_iter,
    const_dnnl_memory_desc_t diff_dst_iter_c, unsigned flags, const_dnnl_primitive_desc_t hint,
    const_dnnl_primitive_attr_t attr);

TANDEM_C_API dnnl_status_t dnnl_gru_forward_primitive_desc_create(
    dnnl_primitive_desc_t* pd, dnnl_engine_t engine, dnnl_prop_kind_t prop_kind, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t weights_layer,
    const_dnnl_memory_desc_t weights_iter, const_dnnl_memory_desc_t bias, const_dnnl_memory_desc_t dst_layer,
    const_dnnl_memory_desc_t dst_iter, unsigned flags, const_dnnl_primitive_attr_t attr);
TANDEM_C_API dnnl_status_t dnnl_gru_backward_primitive_desc_create(
    dnnl_primitive_desc_t* pd, dnnl_engine_t engine, dnnl_prop_kind_t prop_kind, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t weights_layer,
    const_dnnl_memory_desc_t weights_iter, const_dnnl_memory_desc_t bias, const_dnnl_memory_desc_t dst_layer,
    const_dnnl_memory_desc_t dst_iter, const_dnnl_memory_desc_t diff_src_layer, const_dnnl_memory_desc_t diff_src_iter,
    const_dnnl_memory_desc_t diff_weights_layer, const_dnnl_memory_desc_t diff_weights_iter,
    const_dnnl_memory_desc_t diff_bias, const_dnnl_memory_desc_t diff_dst_layer, const_dnnl_memory_desc_t diff_dst_iter,
    unsigned flags, const_dnnl_primitive_desc_t hint, const_dnnl_primitive_attr_t attr);

TANDEM_C_API dnnl_status_t dnnl_lbr_gru_forward_primitive_desc_create(
    dnnl_primitive_desc_t* pd, dnnl_engine_t engine, dnnl_prop_kind_t prop_kind, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t weights_layer,
    const_dnnl_memory_desc_t weights_iter, const_dnnl_memory_desc_t bias, const_dnnl_memory_desc_t dst_layer,
    const_dnnl_memory_desc_t dst_iter, unsigned flags, const_dnnl_primitive_attr_t attr);
TANDEM_C_API dnnl_status_t dnnl_lbr_gru_backward_primitive_desc_create(
    dnnl_primitive_desc_t* pd, dnnl_engine_t engine, dnnl_prop_kind_t prop_kind, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t weights_layer,
    const_dnnl_memory_desc_t weights_iter, const_dnnl_memory_desc_t bias, const_dnnl_memory_desc_t dst_layer,
    const_dnnl_memory_desc_t dst_iter, const_dnnl_memory_desc_t diff_src_layer, const_dnnl_memory_desc_t diff_src_iter,
    const_dnnl_memory_desc_t diff_weights_layer, const_dnnl_memory_desc_t diff_weights_iter,
    const_dnnl_memory_desc_t diff_bias, const_dnnl_memory_desc_t diff_dst_layer, const_dnnl_memory_desc_t diff_dst_iter,
    unsigned flags, const_dnnl_primitive_desc_t hint, const_dnnl_primitive_attr_t attr);

TANDEM_C_API dnnl_status_t dnnl_augru_forward_primitive_desc_create(
    dnnl_primitive_desc_t* pd, dnnl_engine_t engine, dnnl_prop_kind_t prop_kind, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t attention,
    const_dnnl_memory_desc_t weights_layer, const_dnnl_memory_desc_t weights_iter, const_dnnl_memory_desc_t bias,
    const_dnnl_memory_desc_t dst_layer, const_dnnl_memory_desc_t dst_iter, unsigned flags,
    const_dnnl_primitive_attr_t attr);
TANDEM_C_API dnnl_status_t dnnl_augru_backward_primitive_desc_create(
    dnnl_primitive_desc_t* pd, dnnl_engine_t engine, dnnl_prop_kind_t prop_kind, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t attention,
    const_dnnl_memory_desc_t weights_layer, const_dnnl_memory_desc_t weights_iter, const_dnnl_memory_desc_t bias,
    const_dnnl_memory_desc_t dst_layer, const_dnnl_memory_desc_t dst_iter, const_dnnl_memory_desc_t diff_src_layer,
    const_dnnl_memory_desc_t diff_src_iter, const_dnnl_memory_desc_t diff_attention,
    const_dnnl_memory_desc_t diff_weights_layer, const_dnnl_memory_desc_t diff_weights_iter,
    const_dnnl_memory_desc_t diff_bias, const_dnnl_memory_desc_t diff_dst_layer, const_dnnl_memory_desc_t diff_dst_iter,
    unsigned flags, const_dnnl_primitive_desc_t hint, const_dnnl_primitive_attr_t attr);

TANDEM_C_API dnnl_status_t dnnl_lbr_augru_forward_primitive_desc_create(
    dnnl_primitive_desc_t* pd, dnnl_engine_t engine, dnnl_prop_kind_t prop_kind, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t attention,
    const_dnnl_memory_desc_t weights_layer, const_dnnl_memory_desc_t weights_iter, const_dnnl_memory_desc_t bias,
    const_dnnl_memory_desc_t dst_layer, const_dnnl_memory_desc_t dst_iter, unsigned flags,
    const_dnnl_primitive_attr_t attr);
TANDEM_C_API dnnl_status_t dnnl_lbr_augru_backward_primitive_desc_create(
    dnnl_primitive_desc_t* pd, dnnl_engine_t engine, dnnl_prop_kind_t prop_kind, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t attention,
    const_dnnl_memory_desc_t weights_layer, const_dnnl_memory_desc_t weights_iter, const_dnnl_memory_desc_t bias,
    const_dnnl_memory_desc_t dst_layer, const_dnnl_memory_desc_t dst_iter, const_dnnl_memory_desc_t diff_src_layer,
    const_dnnl_memory_desc_t diff_src_iter, const_dnnl_memory_desc_t diff_attention,
    const_dnnl_memory_desc_t diff_weights_layer, const_dnnl_memory_desc_t diff_weights_iter,
    const_dnnl_memory_desc_t diff_bias, const_dnnl_memory_desc_t diff_dst_layer, const_dnnl_memory_desc_t diff_dst_iter,
    unsigned flags, const_dnnl_primitive_desc_t hint, const_dnnl_primitive_attr_t attr);

#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
#include "dnnl/c/rnn.hpp"
#endif

#endif
