/* RNN operation descriptors, generation 2: each function fills in a dnnl_rnn_desc_t, from which
 * dnnl_primitive_desc_create() makes a primitive descriptor. What the C++ classes' constructors say of tensors, flags,
 * alpha and beta holds here; a tensor that is absent may be NULL. Backward takes the descriptors of the forward tensors,
 * then those of their gradients. The descriptor is unchanged if the arguments are refused.
 * Written by api/schema, not by hand. */
#ifndef DNNL_C_RNN_GENERATION2_H
#define DNNL_C_RNN_GENERATION2_H

#include "dnnl/c/linkage.h"

#ifdef __cplusplus
extern "C" {
#endif

TANDEM_C_API dnnl_status_t dnnl_vanilla_rnn_forward_desc_init(
    dnnl_rnn_desc_t* rnn_desc, dnnl_prop_kind_t prop_kind, dnnl_alg_kind_t activation, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t weights_layer,
    const_dnnl_memory_desc_t weights_iter, const_dnnl_memory_desc_t bias, const_dnnl_memory_desc_t dst_layer,
    const_dnnl_memory_desc_t dst_iter, unsigned flags, float alpha, float beta);
TANDEM_C_API dnnl_status_t dnnl_vanilla_rnn_backward_desc_init(
    dnnl_rnn_desc_t* rnn_desc, dnnl_prop_kind_t prop_kind, dnnl_alg_kind_t activation, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t weights_layer,
    const_dnnl_memory_desc_t weights_iter, const_dnnl_memory_desc_t bias, const_dnnl_memory_desc_t dst_layer,
    const_dnnl_memory_desc_t dst_iter, const_dnnl_memory_desc_t diff_src_layer, const_dnnl_memory_desc_t diff_src_iter,
    const_dnnl_memory_desc_t diff_weights_layer, const_dnnl_memory_desc_t diff_weights_iter,
    const_dnnl_memory_desc_t diff_bias, const_dnnl_memory_desc_t diff_dst_layer, const_dnnl_memory_desc_t diff_dst_iter,
    unsigned flags, float alpha, float beta);

/* _v2 adds the peephole, _v3 peephole and projection. */
TANDEM_C_API dnnl_status_t dnnl_lstm_forward_desc_init(
    dnnl_rnn_desc_t* rnn_desc, dnnl_prop_kind_t prop_kind, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t src_iter_c,
    const_dnnl_memory_desc_t weights_layer, const_dnnl_memory_desc_t weights_iter, const_dnnl_memory_desc_t bias,
    const_dnnl_memory_desc_t dst_layer, const_dnnl_memory_desc_t dst_iter, const_dnnl_memory_desc_t dst_iter_c,
    unsigned flags);
TANDEM_C_API dnnl_status_t dnnl_lstm_forward_desc_init_v2(
    dnnl_rnn_desc_t* rnn_desc, dnnl_prop_kind_t prop_kind, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t src_iter_c,
    const_dnnl_memory_desc_t weights_layer, const_dnnl_memory_desc_t weights_iter,
    const_dnnl_memory_desc_t weights_peephole, const_dnnl_memory_desc_t bias, const_dnnl_memory_desc_t dst_layer,
    const_dnnl_memory_desc_t dst_iter, const_dnnl_memory_desc_t dst_iter_c, unsigned flags);
TANDEM_C_API dnnl_status_t dnnl_lstm_forward_desc_init_v3(
    dnnl_rnn_desc_t* rnn_desc, dnnl_prop_kind_t prop_kind, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t src_iter_c,
    const_dnnl_memory_desc_t weights_layer, const_dnnl_memory_desc_t weights_iter,
    const_dnnl_memory_desc_t weights_peephole, const_dnnl_memory_desc_t weights_projection,
    const_dnnl_memory_desc_t bias, const_dnnl_memory_desc_t dst_layer, const_dnnl_memory_desc_t dst_iter,
    const_dnnl_memory_desc_t dst_iter_c, unsigned flags);
TANDEM_C_API dnnl_status_t dnnl_lstm_backward_desc_init(
    dnnl_rnn_desc_t* rnn_desc, dnnl_prop_kind_t prop_kind, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t src_iter_c,
    const_dnnl_memory_desc_t weights_layer, const_dnnl_memory_desc_t weights_iter, const_dnnl_memory_desc_t bias,
    const_dnnl_memory_desc_t dst_layer, const_dnnl_memory_desc_t dst_iter, const_dnnl_memory_desc_t dst_iter_c,
    const_dnnl_memory_desc_t diff_src_layer, const_dnnl_memory_desc_t diff_src_iter,
    const_dnnl_memory_desc_t diff_src_iter_c, const_dnnl_memory_desc_t diff_weights_layer,
    const_dnnl_memory_desc_t diff_weights_iter, const_dnnl_memory_desc_t diff_bias,
    const_dnnl_memory_desc_t diff_dst_layer, const_dnnl_memory_desc_t diff_dst_iter,
    const_dnnl_memory_desc_t diff_dst_iter_c, unsigned flags);
TANDEM_C_API dnnl_status_t dnnl_lstm_backward_desc_init_v2(
    dnnl_rnn_desc_t* rnn_desc, dnnl_prop_kind_t prop_kind, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t src_iter_c,
    const_dnnl_memory_desc_t weights_layer, const_dnnl_memory_desc_t weights_iter,
    const_dnnl_memory_desc_t weights_peephole, const_dnnl_memory_desc_t bias, const_dnnl_memory_desc_t dst_layer,
    const_dnnl_memory_desc_t dst_iter, const_dnnl_memory_desc_t dst_iter_c, const_dnnl_memory_desc_t diff_src_layer,
    const_dnnl_memory_desc_t diff_src_iter, const_dnnl_memory_desc_t diff_src_iter_c,
    const_dnnl_memory_desc_t diff_weights_layer, const_dnnl_memory_desc_t diff_weights_iter,
    const_dnnl_memory_desc_t diff_weights_peephole, const_dnnl_memory_desc_t diff_bias,
    const_dnnl_memory_desc_t diff_dst_layer, const_dnnl_memory_desc_t diff_dst_iter,
    const_dnnl_memory_desc_t diff_dst_iter_c, unsigned flags);
TANDEM_C_API dnnl_status_t dnnl_lstm_backward_desc_init_v3(
    dnnl_rnn_desc_t* rnn_desc, dnnl_prop_kind_t prop_kind, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t src_iter_c,
    const_dnnl_memory_desc_t weights_layer, const_dnnl_memory_desc_t weights_iter,
    const_dnnl_memory_desc_t weights_peephole, const_dnnl_memory_desc_t weights_projection,
    const_dnnl_memory_desc_t bias, const_dnnl_memory_desc_t dst_layer, const_dnnl_memory_desc_t dst_iter,
    const_dnnl_memory_desc_t dst_iter_c, const_dnnl_memory_desc_t diff_src_layer,
    const_dnnl_memory_desc_t diff_src_iter, const_dnnl_memory_desc_t diff_src_iter_c,
    const_dnnl_memory_desc_t diff_weights_layer, const_dnnl_memory_desc_t diff_weights_iter,
    const_dnnl_memory_desc_t diff_weights_peephole, const_dnnl_memory_desc_t diff_weights_projection,
    const_dnnl_memory_desc_t diff_bias, const_dnnl_memory_desc_t diff_dst_layer, const_dnnl_memory_desc_t diff_dst_iter,
    const_dnnl_memory_desc_t diff_dst_iter_c, unsigned flags);

TANDEM_C_API dnnl_status_t dnnl_gru_forward_desc_init(
    dnnl_rnn_desc_t* rnn_desc, dnnl_prop_kind_t prop_kind, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t weights_layer,
    const_dnnl_memory_desc_t weights_iter, const_dnnl_memory_desc_t bias, const_dnnl_memory_desc_t dst_layer,
    const_dnnl_memory_desc_t dst_iter, unsigned flags);
TANDEM_C_API dnnl_status_t dnnl_gru_backward_desc_init(
    dnnl_rnn_desc_t* rnn_desc, dnnl_prop_kind_t prop_kind, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t weights_layer,
    const_dnnl_memory_desc_t weights_iter, const_dnnl_memory_desc_t bias, const_dnnl_memory_desc_t dst_layer,
    const_dnnl_memory_desc_t dst_iter, const_dnnl_memory_desc_t diff_src_layer, const_dnnl_memory_desc_t diff_src_iter,
    const_dnnl_memory_desc_t diff_weights_layer, const_dnnl_memory_desc_t diff_weights_iter,
    const_dnnl_memory_desc_t diff_bias, const_dnnl_memory_desc_t diff_dst_layer, const_dnnl_memory_desc_t diff_dst_iter,
    unsigned flags);

TANDEM_C_API dnnl_status_t dnnl_lbr_gru_forward_desc_init(
    dnnl_rnn_desc_t* rnn_desc, dnnl_prop_kind_t prop_kind, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t weights_layer,
    const_dnnl_memory_desc_t weights_iter, const_dnnl_memory_desc_t bias, const_dnnl_memory_desc_t dst_layer,
    const_dnnl_memory_desc_t dst_iter, unsigned flags);
TANDEM_C_API dnnl_status_t dnnl_lbr_gru_backward_desc_init(
    dnnl_rnn_desc_t* rnn_desc, dnnl_prop_kind_t prop_kind, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t weights_layer,
    const_dnnl_memory_desc_t weights_iter, const_dnnl_memory_desc_t bias, const_dnnl_memory_desc_t dst_layer,
    const_dnnl_memory_desc_t dst_iter, const_dnnl_memory_desc_t diff_src_layer, const_dnnl_memory_desc_t diff_src_iter,
    const_dnnl_memory_desc_t diff_weights_layer, const_dnnl_memory_desc_t diff_weights_iter,
    const_dnnl_memory_desc_t diff_bias, const_dnnl_memory_desc_t diff_dst_layer, const_dnnl_memory_desc_t diff_dst_iter,
    unsigned flags);

TANDEM_C_API dnnl_status_t dnnl_augru_forward_desc_init(
    dnnl_rnn_desc_t* rnn_desc, dnnl_prop_kind_t prop_kind, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t attention,
    const_dnnl_memory_desc_t weights_layer, const_dnnl_memory_desc_t weights_iter, const_dnnl_memory_desc_t bias,
    const_dnnl_memory_desc_t dst_layer, const_dnnl_memory_desc_t dst_iter, unsigned flags);
TANDEM_C_API dnnl_status_t dnnl_augru_backward_desc_init(
    dnnl_rnn_desc_t* rnn_desc, dnnl_prop_kind_t prop_kind, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t attention,
    const_dnnl_memory_desc_t weights_layer, const_dnnl_memory_desc_t weights_iter, const_dnnl_memory_desc_t bias,
    const_dnnl_memory_desc_t dst_layer, const_dnnl_memory_desc_t dst_iter, const_dnnl_memory_desc_t diff_src_layer,
    const_dnnl_memory_desc_t diff_src_iter, const_dnnl_memory_desc_t diff_attention,
    const_dnnl_memory_desc_t diff_weights_layer, const_dnnl_memory_desc_t diff_weights_iter,
    const_dnnl_memory_desc_t diff_bias, const_dnnl_memory_desc_t diff_dst_layer, const_dnnl_memory_desc_t diff_dst_iter,
    unsigned flags);

TANDEM_C_API dnnl_status_t dnnl_lbr_augru_forward_desc_init(
    dnnl_rnn_desc_t* rnn_desc, dnnl_prop_kind_t prop_kind, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t attention,
    const_dnnl_memory_desc_t weights_layer, const_dnnl_memory_desc_t weights_iter, const_dnnl_memory_desc_t bias,
    const_dnnl_memory_desc_t dst_layer, const_dnnl_memory_desc_t dst_iter, unsigned flags);
TANDEM_C_API dnnl_status_t dnnl_lbr_augru_backward_desc_init(
    dnnl_rnn_desc_t* rnn_desc, dnnl_prop_kind_t prop_kind, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t attention,
    const_dnnl_memory_desc_t weights_layer, const_dnnl_memory_desc_t weights_iter, const_dnnl_memory_desc_t bias,
    const_dnnl_memory_desc_t dst_layer, const_dnnl_memory_desc_t dst_iter, const_dnnl_memory_desc_t diff_src_layer,
    const_dnnl_memory_desc_t diff_src_iter, const_dnnl_memory_desc_t diff_attention,
    const_dnnl_memory_desc_t diff_weights_layer, const_dnnl_memory_desc_t diff_weights_iter,
    const_dnnl_memory_desc_t diff_bias, const_dnnl_memory_desc_t diff_dst_layer, const_dnnl_memory_desc_t diff_dst_iter,
    unsigned flags);

#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
#include "dnnl/c/rnn.hpp"
#endif

#endif
