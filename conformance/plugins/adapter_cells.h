// The primitive descriptor of each cell, from its tensors. Written by api/schema, not by hand.
#ifndef TANDEM_CONFORMANCE_PLUGINS_ADAPTER_CELLS_H_
#define TANDEM_CONFORMANCE_PLUGINS_ADAPTER_CELLS_H_

#include "conformance/plugins/dnnl_adapter_descs.h"

namespace tandem::conformance::adapter {

template <class ForwardCell, class BackwardCell>
dnnl::primitive_desc CreateVanillaRnn(const Request& r) {
  const auto forward = Forward<ForwardCell, Slope::kAlpha>(
      r, ForwardPropagation(r), r.activation(), r.direction(), r[tandem_src_layer], r[tandem_src_iter],
      r[tandem_weights_layer], r[tandem_weights_iter], r[tandem_bias], r[tandem_dst_layer], r[tandem_dst_iter]);
  if (!IsBackward(r)) return forward;
  return Backward<BackwardCell, Slope::kAlpha>(
      r, forward, r.activation(), r.direction(), r[tandem_src_layer], r[tandem_src_iter], r[tandem_weights_layer],
      r[tandem_weights_iter], r[tandem_bias], r[tandem_dst_layer], r[tandem_dst_iter], r[tandem_diff_src_layer],
      r[tandem_diff_src_iter], r[tandem_diff_weights_layer], r[tandem_diff_weights_iter], r[tandem_diff_bias],
      r[tandem_diff_dst_layer], r[tandem_diff_dst_iter]);
}

template <class ForwardCell, class BackwardCell>
dnnl::primitive_desc CreateLstm(const Request& r) {
  const auto forward = Forward<ForwardCell, Slope::kNone>(
      r, ForwardPropagation(r), r.direction(), r[tandem_src_layer], r[tandem_src_iter], r[tandem_src_iter_c],
      r[tandem_weights_layer], r[tandem_weights_iter], r[tandem_weights_peephole], r[tandem_weights_projection],
      r[tandem_bias], r[tandem_dst_layer], r[tandem_dst_iter], r[tandem_dst_iter_c]);
  if (!IsBackward(r)) return forward;
  return Backward<BackwardCell, Slope::kNone>(
      r, forward, r.direction(), r[tandem_src_layer], r[tandem_src_iter], r[tandem_src_iter_c], r[tandem_weights_layer],
      r[tandem_weights_iter], r[tandem_weights_peephole], r[tandem_weights_projection], r[tandem_bias],
      r[tandem_dst_layer], r[tandem_dst_iter], r[tandem_dst_iter_c], r[tandem_diff_src_layer], r[tandem_diff_src_iter],
      r[tandem_diff_src_iter_c], r[tandem_diff_weights_layer], r[tandem_diff_weights_iter],
      r[tandem_diff_weights_peephole], r[tandem_diff_weights_projection], r[tandem_diff_bias], r[tandem_diff_dst_layer],
      r[tandem_diff_dst_iter], r[tandem_diff_dst_iter_c]);
}

template <class ForwardCell, class BackwardCell>
dnnl::primitive_desc CreateGru(const Request& r) {
  const auto forward = Forward<ForwardCell, Slope::kNone>(
      r, ForwardPropagation(r), r.direction(), r[tandem_src_layer], r[tandem_src_iter], r[tandem_weights_layer],
      r[tandem_weights_iter], r[tandem_bias], r[tandem_dst_layer], r[tandem_dst_iter]);
  if (!IsBackward(r)) return forward;
  return Backward<BackwardCell, Slope::kNone>(
      r, forward, r.direction(), r[tandem_src_layer], r[tandem_src_iter], r[tandem_weights_layer],
      r[tandem_weights_iter], r[tandem_bias], r[tandem_dst_layer], r[tandem_dst_iter], r[tandem_diff_src_layer],
      r[tandem_diff_src_iter], r[tandem_diff_weights_layer], r[tandem_diff_weights_iter], r[tandem_diff_bias],
      r[tandem_diff_dst_layer], r[tandem_diff_dst_iter]);
}

template <class ForwardCell, class BackwardCell>
dnnl::primitive_desc CreateAugru(const Request& r) {
  const auto forward = Forward<ForwardCell, Slope::kNone>(
      r, ForwardPropagation(r), r.direction(), r[tandem_src_layer], r[tandem_src_iter], r[tandem_augru_attention],
      r[tandem_weights_layer], r[tandem_weights_iter], r[tandem_bias], r[tandem_dst_layer], r[tandem_dst_iter]);
  if (!IsBackward(r)) return forward;
  return Backward<BackwardCell, Slope::kNone>(
      r, forward, r.direction(), r[tandem_src_layer], r[tandem_src_iter], r[tandem_augru_attention],
      r[tandem_weights_layer], r[tandem_weights_iter], r[tandem_bias], r[tandem_dst_layer], r[tandem_dst_iter],
      r[tandem_diff_src_layer], r[tandem_diff_src_iter], r[tandem_diff_augru_attention], r[tandem_diff_weights_layer],
      r[tandem_diff_weights_iter], r[tandem_diff_bias], r[tandem_diff_dst_layer], r[tandem_diff_dst_iter]);
}

inline dnnl::primitive_desc CreatePrimitiveDesc(const Request& r) {
  switch (r.problem->cell) {
    case tandem_vanilla_rnn:
      return CreateVanillaRnn<dnnl::vanilla_rnn_forward, dnnl::vanilla_rnn_backward>(r);
    case tandem_lstm:
      return CreateLstm<dnnl::lstm_forward, dnnl::lstm_backward>(r);
    case tandem_gru:
      return CreateGru<dnnl::gru_forward, dnnl::gru_backward>(r);
    case tandem_lbr_gru:
      return CreateGru<dnnl::lbr_gru_forward, dnnl::lbr_gru_backward>(r);
    case tandem_augru:
      return CreateAugru<dnnl::augru_forward, dnnl::augru_backward>(r);
    case tandem_lbr_augru:
      return CreateAugru<dnnl::lbr_augru_forward, dnnl::lbr_augru_backward>(r);
  }
  throw dnnl::error(dnnl_invalid_arguments, "not a value of tandem_cell");
}

}  // namespace tandem::conformance::adapter

#endif  // TANDEM_CONFORMANCE_PLUGINS_ADAPTER_CELLS_H_
