// Bodies of rnn_generation2.h and rnn_generation3.h: vanilla RNN, GRU, LBR-GRU.
// Written by api/schema, not by hand.
#ifndef DNNL_C_RNN_GRU_HPP
#define DNNL_C_RNN_GRU_HPP

#include "dnnl/c/rnn_generation2.h"
#include "dnnl/c/rnn_generation3.h"
#include "dnnl/c/rnn_op.hpp"

extern "C" {

TANDEM_C_API dnnl_status_t dnnl_vanilla_rnn_forward_desc_init(
    dnnl_rnn_desc_t* rnn_desc, dnnl_prop_kind_t prop_kind, dnnl_alg_kind_t activation, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t weights_layer,
    const_dnnl_memory_desc_t weights_iter, const_dnnl_memory_desc_t bias, const_dnnl_memory_desc_t dst_layer,
    const_dnnl_memory_desc_t dst_iter, unsigned flags, float alpha, float beta) {
  const tandem_rnn_kind_t kind = {prop_kind, dnnl_vanilla_rnn, direction, activation, flags, alpha, beta};
  const_dnnl_memory_desc_t tensors[] = {src_layer, src_iter, nullptr, nullptr,   weights_layer, weights_iter,
                                        nullptr,   nullptr,  bias,    dst_layer, dst_iter,      nullptr};
  return tandem_rnn_desc_init(rnn_desc, sizeof *rnn_desc, &kind, static_cast<int>(sizeof tensors / sizeof *tensors),
                              tensors, nullptr);
}

TANDEM_C_API dnnl_status_t dnnl_vanilla_rnn_forward_primitive_desc_create(
    dnnl_primitive_desc_t* pd, dnnl_engine_t engine, dnnl_prop_kind_t prop_kind, dnnl_alg_kind_t activation,
    dnnl_rnn_direction_t direction, const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter,
    const_dnnl_memory_desc_t weights_layer, const_dnnl_memory_desc_t weights_iter, const_dnnl_memory_desc_t bias,
    const_dnnl_memory_desc_t dst_layer, const_dnnl_memory_desc_t dst_iter, unsigned flags, float alpha, float beta,
    const_dnnl_primitive_attr_t attr) {
  dnnl::detail::c_rnn_op op({prop_kind, dnnl_vanilla_rnn, direction, activation, flags, alpha, beta});
  op.set(&dnnl_rnn_desc_t::src_layer_desc, src_layer)
      .set(&dnnl_rnn_desc_t::src_iter_desc, src_iter)
      .set(&dnnl_rnn_desc_t::weights_layer_desc, weights_layer)
      .set(&dnnl_rnn_desc_t::weights_iter_desc, weights_iter)
      .set(&dnnl_rnn_desc_t::bias_desc, bias)
      .set(&dnnl_rnn_desc_t::dst_layer_desc, dst_layer)
      .set(&dnnl_rnn_desc_t::dst_iter_desc, dst_iter);
  return op.create(pd, dnnl_forward, attr, engine, nullptr);
}

TANDEM_C_API dnnl_status_t dnnl_vanilla_rnn_backward_desc_init(
    dnnl_rnn_desc_t* rnn_desc, dnnl_prop_kind_t prop_kind, dnnl_alg_kind_t activation, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t weights_layer,
    const_dnnl_memory_desc_t weights_iter, const_dnnl_memory_desc_t bias, const_dnnl_memory_desc_t dst_layer,
    const_dnnl_memory_desc_t dst_iter, const_dnnl_memory_desc_t diff_src_layer, const_dnnl_memory_desc_t diff_src_iter,
    const_dnnl_memory_desc_t diff_weights_layer, const_dnnl_memory_desc_t diff_weights_iter,
    const_dnnl_memory_desc_t diff_bias, const_dnnl_memory_desc_t diff_dst_layer, const_dnnl_memory_desc_t diff_dst_iter,
    unsigned flags, float alpha, float beta) {
  const tandem_rnn_kind_t kind = {prop_kind, dnnl_vanilla_rnn, direction, activation, flags, alpha, beta};
  const_dnnl_memory_desc_t tensors[] = {src_layer, src_iter, nullptr, nullptr,   weights_layer, weights_iter,
                                        nullptr,   nullptr,  bias,    dst_layer, dst_iter,      nullptr};
  const_dnnl_memory_desc_t diffs[] = {diff_src_layer,     diff_src_iter,     nullptr,       nullptr,
                                      diff_weights_layer, diff_weights_iter, nullptr,       nullptr,
                                      diff_bias,          diff_dst_layer,    diff_dst_iter, nullptr};
  return tandem_rnn_desc_init(rnn_desc, sizeof *rnn_desc, &kind, static_cast<int>(sizeof tensors / sizeof *tensors),
                              tensors, diffs);
}

TANDEM_C_API dnnl_status_t dnnl_vanilla_rnn_backward_primitive_desc_create(
    dnnl_primitive_desc_t* pd, dnnl_engine_t engine, dnnl_prop_kind_t prop_kind, dnnl_alg_kind_t activation,
    dnnl_rnn_direction_t direction, const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter,
    const_dnnl_memory_desc_t weights_layer, const_dnnl_memory_desc_t weights_iter, const_dnnl_memory_desc_t bias,
    const_dnnl_memory_desc_t dst_layer, const_dnnl_memory_desc_t dst_iter, const_dnnl_memory_desc_t diff_src_layer,
    const_dnnl_memory_desc_t diff_src_iter, const_dnnl_memory_desc_t diff_weights_layer,
    const_dnnl_memory_desc_t diff_weights_iter, const_dnnl_memory_desc_t diff_bias,
    const_dnnl_memory_desc_t diff_dst_layer, const_dnnl_memory_desc_t diff_dst_iter, unsigned flags, float alpha,
    float beta, const_dnnl_primitive_desc_t hint, const_dnnl_primitive_attr_t attr) {
  dnnl::detail::c_rnn_op op({prop_kind, dnnl_vanilla_rnn, direction, activation, flags, alpha, beta});
  op.set(&dnnl_rnn_desc_t::src_layer_desc, src_layer)
      .set(&dnnl_rnn_desc_t::src_iter_desc, src_iter)
      .set(&dnnl_rnn_desc_t::weights_layer_desc, weights_layer)
      .set(&dnnl_rnn_desc_t::weights_iter_desc, weights_iter)
      .set(&dnnl_rnn_desc_t::bias_desc, bias)
      .set(&dnnl_rnn_desc_t::dst_layer_desc, dst_layer)
      .set(&dnnl_rnn_desc_t::dst_iter_desc, dst_iter)
      .set(&dnnl_rnn_desc_t::diff_src_layer_desc, diff_src_layer)
      .set(&dnnl_rnn_desc_t::diff_src_iter_desc, diff_src_iter)
      .set(&dnnl_rnn_desc_t::diff_weights_layer_desc, diff_weights_layer)
      .set(&dnnl_rnn_desc_t::diff_weights_iter_desc, diff_weights_iter)
      .set(&dnnl_rnn_desc_t::diff_bias_desc, diff_bias)
      .set(&dnnl_rnn_desc_t::diff_dst_layer_desc, diff_dst_layer)
      .set(&dnnl_rnn_desc_t::diff_dst_iter_desc, diff_dst_iter);
  return op.create(pd, dnnl_backward, attr, engine, hint);
}

TANDEM_C_API dnnl_status_t dnnl_gru_forward_desc_init(
    dnnl_rnn_desc_t* rnn_desc, dnnl_prop_kind_t prop_kind, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t weights_layer,
    const_dnnl_memory_desc_t weights_iter, const_dnnl_memory_desc_t bias, const_dnnl_memory_desc_t dst_layer,
    const_dnnl_memory_desc_t dst_iter, unsigned flags) {
  const tandem_rnn_kind_t kind = {prop_kind, dnnl_vanilla_gru, direction, dnnl_alg_kind_undef, flags, 0.f, 0.f};
  const_dnnl_memory_desc_t tensors[] = {src_layer, src_iter, nullptr, nullptr,   weights_layer, weights_iter,
                                        nullptr,   nullptr,  bias,    dst_layer, dst_iter,      nullptr};
  return tandem_rnn_desc_init(rnn_desc, sizeof *rnn_desc, &kind, static_cast<int>(sizeof tensors / sizeof *tensors),
                              tensors, nullptr);
}

TANDEM_C_API dnnl_status_t dnnl_gru_forward_primitive_desc_create(
    dnnl_primitive_desc_t* pd, dnnl_engine_t engine, dnnl_prop_kind_t prop_kind, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t weights_layer,
    const_dnnl_memory_desc_t weights_iter, const_dnnl_memory_desc_t bias, const_dnnl_memory_desc_t dst_layer,
    const_dnnl_memory_desc_t dst_iter, unsigned flags, const_dnnl_primitive_attr_t attr) {
  dnnl::detail::c_rnn_op op({prop_kind, dnnl_vanilla_gru, direction, dnnl_alg_kind_undef, flags, 0.f, 0.f});
  op.set(&dnnl_rnn_desc_t::src_layer_desc, src_layer)
      .set(&dnnl_rnn_desc_t::src_iter_desc, src_iter)
      .set(&dnnl_rnn_desc_t::weights_layer_desc, weights_layer)
      .set(&dnnl_rnn_desc_t::weights_iter_desc, weights_iter)
      .set(&dnnl_rnn_desc_t::bias_desc, bias)
      .set(&dnnl_rnn_desc_t::dst_layer_desc, dst_layer)
      .set(&dnnl_rnn_desc_t::dst_iter_desc, dst_iter);
  return op.create(pd, dnnl_forward, attr, engine, nullptr);
}

TANDEM_C_API dnnl_status_t dnnl_gru_backward_desc_init(
    dnnl_rnn_desc_t* rnn_desc, dnnl_prop_kind_t prop_kind, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t weights_layer,
    const_dnnl_memory_desc_t weights_iter, const_dnnl_memory_desc_t bias, const_dnnl_memory_desc_t dst_layer,
    const_dnnl_memory_desc_t dst_iter, const_dnnl_memory_desc_t diff_src_layer, const_dnnl_memory_desc_t diff_src_iter,
    const_dnnl_memory_desc_t diff_weights_layer, const_dnnl_memory_desc_t diff_weights_iter,
    const_dnnl_memory_desc_t diff_bias, const_dnnl_memory_desc_t diff_dst_layer, const_dnnl_memory_desc_t diff_dst_iter,
    unsigned flags) {
  const tandem_rnn_kind_t kind = {prop_kind, dnnl_vanilla_gru, direction, dnnl_alg_kind_undef, flags, 0.f, 0.f};
  const_dnnl_memory_desc_t tensors[] = {src_layer, src_iter, nullptr, nullptr,   weights_layer, weights_iter,
                                        nullptr,   nullptr,  bias,    dst_layer, dst_iter,      nullptr};
  const_dnnl_memory_desc_t diffs[] = {diff_src_layer,     diff_src_iter,     nullptr,       nullptr,
                                      diff_weights_layer, diff_weights_iter, nullptr,       nullptr,
                                      diff_bias,          diff_dst_layer,    diff_dst_iter, nullptr};
  return tandem_rnn_desc_init(rnn_desc, sizeof *rnn_desc, &kind, static_cast<int>(sizeof tensors / sizeof *tensors),
                              tensors, diffs);
}

TANDEM_C_API dnnl_status_t dnnl_gru_backward_primitive_desc_create(
    dnnl_primitive_desc_t* pd, dnnl_engine_t engine, dnnl_prop_kind_t prop_kind, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t weights_layer,
    const_dnnl_memory_desc_t weights_iter, const_dnnl_memory_desc_t bias, const_dnnl_memory_desc_t dst_layer,
    const_dnnl_memory_desc_t dst_iter, const_dnnl_memory_desc_t diff_src_layer, const_dnnl_memory_desc_t diff_src_iter,
    const_dnnl_memory_desc_t diff_weights_layer, const_dnnl_memory_desc_t diff_weights_iter,
    const_dnnl_memory_desc_t diff_bias, const_dnnl_memory_desc_t diff_dst_layer, const_dnnl_memory_desc_t diff_dst_iter,
    unsigned flags, const_dnnl_primitive_desc_t hint, const_dnnl_primitive_attr_t attr) {
  dnnl::detail::c_rnn_op op({prop_kind, dnnl_vanilla_gru, direction, dnnl_alg_kind_undef, flags, 0.f, 0.f});
  op.set(&dnnl_rnn_desc_t::src_layer_desc, src_layer)
      .set(&dnnl_rnn_desc_t::src_iter_desc, src_iter)
      .set(&dnnl_rnn_desc_t::weights_layer_desc, weights_layer)
      .set(&dnnl_rnn_desc_t::weights_iter_desc, weights_iter)
      .set(&dnnl_rnn_desc_t::bias_desc, bias)
      .set(&dnnl_rnn_desc_t::dst_layer_desc, dst_layer)
      .set(&dnnl_rnn_desc_t::dst_iter_desc, dst_iter)
      .set(&dnnl_rnn_desc_t::diff_src_layer_desc, diff_src_layer)
      .set(&dnnl_rnn_desc_t::diff_src_iter_desc, diff_src_iter)
      .set(&dnnl_rnn_desc_t::diff_weights_layer_desc, diff_weights_layer)
      .set(&dnnl_rnn_desc_t::diff_weights_iter_desc, diff_weights_iter)
      .set(&dnnl_rnn_desc_t::diff_bias_desc, diff_bias)
      .set(&dnnl_rnn_desc_t::diff_dst_layer_desc, diff_dst_layer)
      .set(&dnnl_rnn_desc_t::diff_dst_iter_desc, diff_dst_iter);
  return op.create(pd, dnnl_backward, attr, engine, hint);
}

TANDEM_C_API dnnl_status_t dnnl_lbr_gru_forward_desc_init(
    dnnl_rnn_desc_t* rnn_desc, dnnl_prop_kind_t prop_kind, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t weights_layer,
    const_dnnl_memory_desc_t weights_iter, const_dnnl_memory_desc_t bias, const_dnnl_memory_desc_t dst_layer,
    const_dnnl_memory_desc_t dst_iter, unsigned flags) {
  const tandem_rnn_kind_t kind = {prop_kind, dnnl_lbr_gru, direction, dnnl_alg_kind_undef, flags, 0.f, 0.f};
  const_dnnl_memory_desc_t tensors[] = {src_layer, src_iter, nullptr, nullptr,   weights_layer, weights_iter,
                                        nullptr,   nullptr,  bias,    dst_layer, dst_iter,      nullptr};
  return tandem_rnn_desc_init(rnn_desc, sizeof *rnn_desc, &kind, static_cast<int>(sizeof tensors / sizeof *tensors),
                              tensors, nullptr);
}

TANDEM_C_API dnnl_status_t dnnl_lbr_gru_forward_primitive_desc_create(
    dnnl_primitive_desc_t* pd, dnnl_engine_t engine, dnnl_prop_kind_t prop_kind, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t weights_layer,
    const_dnnl_memory_desc_t weights_iter, const_dnnl_memory_desc_t bias, const_dnnl_memory_desc_t dst_layer,
    const_dnnl_memory_desc_t dst_iter, unsigned flags, const_dnnl_primitive_attr_t attr) {
  dnnl::detail::c_rnn_op op({prop_kind, dnnl_lbr_gru, direction, dnnl_alg_kind_undef, flags, 0.f, 0.f});
  op.set(&dnnl_rnn_desc_t::src_layer_desc, src_layer)
      .set(&dnnl_rnn_desc_t::src_iter_desc, src_iter)
      .set(&dnnl_rnn_desc_t::weights_layer_desc, weights_layer)
      .set(&dnnl_rnn_desc_t::weights_iter_desc, weights_iter)
      .set(&dnnl_rnn_desc_t::bias_desc, bias)
      .set(&dnnl_rnn_desc_t::dst_layer_desc, dst_layer)
      .set(&dnnl_rnn_desc_t::dst_iter_desc, dst_iter);
  return op.create(pd, dnnl_forward, attr, engine, nullptr);
}

TANDEM_C_API dnnl_status_t dnnl_lbr_gru_backward_desc_init(
    dnnl_rnn_desc_t* rnn_desc, dnnl_prop_kind_t prop_kind, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t weights_layer,
    const_dnnl_memory_desc_t weights_iter, const_dnnl_memory_desc_t bias, const_dnnl_memory_desc_t dst_layer,
    const_dnnl_memory_desc_t dst_iter, const_dnnl_memory_desc_t diff_src_layer, const_dnnl_memory_desc_t diff_src_iter,
    const_dnnl_memory_desc_t diff_weights_layer, const_dnnl_memory_desc_t diff_weights_iter,
    const_dnnl_memory_desc_t diff_bias, const_dnnl_memory_desc_t diff_dst_layer, const_dnnl_memory_desc_t diff_dst_iter,
    unsigned flags) {
  const tandem_rnn_kind_t kind = {prop_kind, dnnl_lbr_gru, direction, dnnl_alg_kind_undef, flags, 0.f, 0.f};
  const_dnnl_memory_desc_t tensors[] = {src_layer, src_iter, nullptr, nullptr,   weights_layer, weights_iter,
                                        nullptr,   nullptr,  bias,    dst_layer, dst_iter,      nullptr};
  const_dnnl_memory_desc_t diffs[] = {diff_src_layer,     diff_src_iter,     nullptr,       nullptr,
                                      diff_weights_layer, diff_weights_iter, nullptr,       nullptr,
                                      diff_bias,          diff_dst_layer,    diff_dst_iter, nullptr};
  return tandem_rnn_desc_init(rnn_desc, sizeof *rnn_desc, &kind, static_cast<int>(sizeof tensors / sizeof *tensors),
                              tensors, diffs);
}

TANDEM_C_API dnnl_status_t dnnl_lbr_gru_backward_primitive_desc_create(
    dnnl_primitive_desc_t* pd, dnnl_engine_t engine, dnnl_prop_kind_t prop_kind, dnnl_rnn_direction_t direction,
    const_dnnl_memory_desc_t src_layer, const_dnnl_memory_desc_t src_iter, const_dnnl_memory_desc_t weights_layer,
    const_dnnl_memory_desc_t weights_iter, const_dnnl_memory_desc_t bias, const_dnnl_memory_desc_t dst_layer,
    const_dnnl_memory_desc_t dst_iter, const_dnnl_memory_desc_t diff_src_layer, const_dnnl_memory_desc_t diff_src_iter,
    const_dnnl_memory_desc_t diff_weights_layer, const_dnnl_memory_desc_t diff_weights_iter,
    const_dnnl_memory_desc_t diff_bias, const_dnnl_memory_desc_t diff_dst_layer, const_dnnl_memory_desc_t diff_dst_iter,
    unsigned flags, const_dnnl_primitive_desc_t hint, const_dnnl_primitive_attr_t attr) {
  dnnl::detail::c_rnn_op op({prop_kind, dnnl_lbr_gru, direction, dnnl_alg_kind_undef, flags, 0.f, 0.f});
  op.set(&dnnl_rnn_desc_t::src_layer_desc, src_layer)
      .set(&dnnl_rnn_desc_t::src_iter_desc, src_iter)
      .set(&dnnl_rnn_desc_t::weights_layer_desc, weights_layer)
      .set(&dnnl_rnn_desc_t::weights_iter_desc, weights_iter)
      .set(&dnnl_rnn_desc_t::bias_desc, bias)
      .set(&dnnl_rnn_desc_t::dst_layer_desc, dst_layer)
      .set(&dnnl_rnn_desc_t::dst_iter_desc, dst_iter)
      .set(&dnnl_rnn_desc_t::diff_src_layer_desc, diff_src_layer)
      .set(&dnnl_rnn_desc_t::diff_src_iter_desc, diff_src_iter)
      .set(&dnnl_rnn_desc_t::diff_weights_layer_desc, diff_weights_layer)
      .set(&dnnl_rnn_desc_t::diff_weights_iter_desc, diff_weights_iter)
      .set(&dnnl_rnn_desc_t::diff_bias_desc, diff_bias)
      .set(&dnnl_rnn_desc_t::diff_dst_layer_desc, diff_dst_layer)
      .set(&dnnl_rnn_desc_t::diff_dst_iter_desc, diff_dst_iter);
  return op.create(pd, dnnl_backward, attr, engine, hint);
}

}  // extern "C"

#endif
