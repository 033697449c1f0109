// Bodies of rnn_generation2.h and rnn_generation3.h: LSTM.
// Written by api/schema, not by hand.
#ifndef DNNL_C_RNN_LSTM_HPP
#define DNNL_C_RNN_LSTM_HPP

#include "dnnl/c/rnn_generation2.h"
#include "dnnl/c/rnn_generation3.h"
#include "dnnl/c/rnn_op.hpp"

extern "C" {

TANDEM_C_API dnnl_status_t dnnl_lstm_forward_desc_init_v3(
    dnnl_rnn_desc_t* rnn_desc, dnnl_prop_kind_t prop_kind, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t src_iter_c,
    const_dnnl_memory_desc_t weights_layer, const_dnnl_memory_desc_t weights_iter,
    const_dnnl_memory_desc_t weights_peephole, const_dnnl_memory_desc_t weights_projection,
    const_dnnl_memory_desc_t bias, const_dnnl_memory_desc_t dst_layer, const_dnnl_memory_desc_t dst_iter,
    const_dnnl_memory_desc_t dst_iter_c, unsigned flags) {
  const tandem_rnn_kind_t kind = {prop_kind, dnnl_vanilla_lstm, direction, dnnl_alg_kind_undef, flags, 0.f, 0.f};
  const_dnnl_memory_desc_t tensors[] = {src_layer,     src_iter,     src_iter_c,       nullptr,
                                        weights_layer, weights_iter, weights_peephole, weights_projection,
                                        bias,          dst_layer,    dst_iter,         dst_iter_c};
  return tandem_rnn_desc_init(rnn_desc, sizeof *rnn_desc, &kind, static_cast<int>(sizeof tensors / sizeof *tensors),
                              tensors, nullptr);
}

TANDEM_C_API dnnl_status_t dnnl_lstm_forward_desc_init_v2(
    dnnl_rnn_desc_t* rnn_desc, dnnl_prop_kind_t prop_kind, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t src_iter_c,
    const_dnnl_memory_desc_t weights_layer, const_dnnl_memory_desc_t weights_iter,
    const_dnnl_memory_desc_t weights_peephole, const_dnnl_memory_desc_t bias, const_dnnl_memory_desc_t dst_layer,
    const_dnnl_memory_desc_t dst_iter, const_dnnl_memory_desc_t dst_iter_c, unsigned flags) {
  return dnnl_lstm_forward_desc_init_v3(rnn_desc, prop_kind, direction, src_layer, src_iter, src_iter_c, weights_layer,
                                        weights_iter, weights_peephole, nullptr, bias, dst_layer, dst_iter, dst_iter_c,
                                        flags);
}

TANDEM_C_API dnnl_status_t dnnl_lstm_forward_desc_init(
    dnnl_rnn_desc_t* rnn_desc, dnnl_prop_kind_t prop_kind, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t src_iter_c,
    const_dnnl_memory_desc_t weights_layer, const_dnnl_memory_desc_t weights_iter, const_dnnl_memory_desc_t bias,
    const_dnnl_memory_desc_t dst_layer, const_dnnl_memory_desc_t dst_iter, const_dnnl_memory_desc_t dst_iter_c,
    unsigned flags) {
  return dnnl_lstm_forward_desc_init_v3(rnn_desc, prop_kind, direction, src_layer, src_iter, src_iter_c, weights_layer,
                                        weights_iter, nullptr, nullptr, bias, dst_layer, dst_iter, dst_iter_c, flags);
}

TANDEM_C_API dnnl_status_t dnnl_lstm_forward_primitive_desc_create(
    dnnl_primitive_desc_t* pd, dnnl_engine_t engine, dnnl_prop_kind_t prop_kind, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t src_iter_c,
    const_dnnl_memory_desc_t weights_layer, const_dnnl_memory_desc_t weights_iter,
    const_dnnl_memory_desc_t weights_peephole, const_dnnl_memory_desc_t weights_projection,
    const_dnnl_memory_desc_t bias, const_dnnl_memory_desc_t dst_layer, const_dnnl_memory_desc_t dst_iter,
    const_dnnl_memory_desc_t dst_iter_c, unsigned flags, const_dnnl_primitive_attr_t attr) {
  dnnl::detail::c_rnn_op op({prop_kind, dnnl_vanilla_lstm, direction, dnnl_alg_kind_undef, flags, 0.f, 0.f});
  op.set(&dnnl_rnn_desc_t::src_layer_desc, src_layer)
      .set(&dnnl_rnn_desc_t::src_iter_desc, src_iter)
      .set(&dnnl_rnn_desc_t::src_iter_c_desc, src_iter_c)
      .set(&dnnl_rnn_desc_t::weights_layer_desc, weights_layer)
      .set(&dnnl_rnn_desc_t::weights_iter_desc, weights_iter)
      .set(&dnnl_rnn_desc_t::weights_peephole_desc, weights_peephole)
      .set(&dnnl_rnn_desc_t::weights_projection_desc, weights_projection)
      .set(&dnnl_rnn_desc_t::bias_desc, bias)
      .set(&dnnl_rnn_desc_t::dst_layer_desc, dst_layer)
      .set(&dnnl_rnn_desc_t::dst_iter_desc, dst_iter)
      .set(&dnnl_rnn_desc_t::dst_iter_c_desc, dst_iter_c);
  return op.create(pd, dnnl_forward, attr, engine, nullptr);
}

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
    const_dnnl_memory_desc_t diff_dst_iter_c, unsigned flags) {
  const tandem_rnn_kind_t kind = {prop_kind, dnnl_vanilla_lstm, direction, dnnl_alg_kind_undef, flags, 0.f, 0.f};
  const_dnnl_memory_desc_t tensors[] = {src_layer,     src_iter,     src_iter_c,       nullptr,
                                        weights_layer, weights_iter, weights_peephole, weights_projection,
                                        bias,          dst_layer,    dst_iter,         dst_iter_c};
  const_dnnl_memory_desc_t diffs[] = {
      diff_src_layer,     diff_src_iter,     diff_src_iter_c,       nullptr,
      diff_weights_layer, diff_weights_iter, diff_weights_peephole, diff_weights_projection,
      diff_bias,          diff_dst_layer,    diff_dst_iter,         diff_dst_iter_c};
  return tandem_rnn_desc_init(rnn_desc, sizeof *rnn_desc, &kind, static_cast<int>(sizeof tensors / sizeof *tensors),
                              tensors, diffs);
}

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
    const_dnnl_memory_desc_t diff_dst_iter_c, unsigned flags) {
  return dnnl_lstm_backward_desc_init_v3(rnn_desc, prop_kind, direction, src_layer, src_iter, src_iter_c, weights_layer,
                                         weights_iter, weights_peephole, nullptr, bias, dst_layer, dst_iter, dst_iter_c,
                                         diff_src_layer, diff_src_iter, diff_src_iter_c, diff_weights_layer,
                                         diff_weights_iter, diff_weights_peephole, nullptr, diff_bias, diff_dst_layer,
                                         diff_dst_iter, diff_dst_iter_c, flags);
}

TANDEM_C_API dnnl_status_t dnnl_lstm_backward_desc_init(
    dnnl_rnn_desc_t* rnn_desc, dnnl_prop_kind_t prop_kind, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t src_iter_c,
    const_dnnl_memory_desc_t weights_layer, const_dnnl_memory_desc_t weights_iter, const_dnnl_memory_desc_t bias,
    const_dnnl_memory_desc_t dst_layer, const_dnnl_memory_desc_t dst_iter, const_dnnl_memory_desc_t dst_iter_c,
    const_dnnl_memory_desc_t diff_src_layer, const_dnnl_memory_desc_t diff_src_iter,
    const_dnnl_memory_desc_t diff_src_iter_c, const_dnnl_memory_desc_t diff_weights_layer,
    const_dnnl_memory_desc_t diff_weights_iter, const_dnnl_memory_desc_t diff_bias,
    const_dnnl_memory_desc_t diff_dst_layer, const_dnnl_memory_desc_t diff_dst_iter,
    const_dnnl_memory_desc_t diff_dst_iter_c, unsigned flags) {
  return dnnl_lstm_backward_desc_init_v3(
      rnn_desc, prop_kind, direction, src_layer, src_iter, src_iter_c, weights_layer, weights_iter, nullptr, nullptr,
      bias, dst_layer, dst_iter, dst_iter_c, diff_src_layer, diff_src_iter, diff_src_iter_c, diff_weights_layer,
      diff_weights_iter, nullptr, nullptr, diff_bias, diff_dst_layer, diff_dst_iter, diff_dst_iter_c, flags);
}

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
    const_dnnl_primitive_attr_t attr) {
  dnnl::detail::c_rnn_op op({prop_kind, dnnl_vanilla_lstm, direction, dnnl_alg_kind_undef, flags, 0.f, 0.f});
  op.set(&dnnl_rnn_desc_t::src_layer_desc, src_layer)
      .set(&dnnl_rnn_desc_t::src_iter_desc, src_iter)
      .set(&dnnl_rnn_desc_t::src_iter_c_desc, src_iter_c)
      .set(&dnnl_rnn_desc_t::weights_layer_desc, weights_layer)
      .set(&dnnl_rnn_desc_t::weights_iter_desc, weights_iter)
      .set(&dnnl_rnn_desc_t::weights_peephole_desc, weights_peephole)
      .set(&dnnl_rnn_desc_t::weights_projection_desc, weights_projection)
      .set(&dnnl_rnn_desc_t::bias_desc, bias)
      .set(&dnnl_rnn_desc_t::dst_layer_desc, dst_layer)
      .set(&dnnl_rnn_desc_t::dst_iter_desc, dst_iter)
      .set(&dnnl_rnn_desc_t::dst_iter_c_desc, dst_iter_c)
      .set(&dnnl_rnn_desc_t::diff_src_layer_desc, diff_src_layer)
      .set(&dnnl_rnn_desc_t::diff_src_iter_desc, diff_src_iter)
      .set(&dnnl_rnn_desc_t::diff_src_iter_c_desc, diff_src_iter_c)
      .set(&dnnl_rnn_desc_t::diff_weights_layer_desc, diff_weights_layer)
      .set(&dnnl_rnn_desc_t::diff_weights_iter_desc, diff_weights_iter)
      .set(&dnnl_rnn_desc_t::diff_weights_peephole_desc, diff_weights_peephole)
      .set(&dnnl_rnn_desc_t::diff_weights_projection_desc, diff_weights_projection)
      .set(&dnnl_rnn_desc_t::diff_bias_desc, diff_bias)
      .set(&dnnl_rnn_desc_t::diff_dst_layer_desc, diff_dst_layer)
      .set(&dnnl_rnn_desc_t::diff_dst_iter_desc, diff_dst_iter)
      .set(&dnnl_rnn_desc_t::diff_dst_iter_c_desc, diff_dst_iter_c);
  return op.create(pd, dnnl_backward, attr, engine, hint);
}

}  // extern "C"

#endif
