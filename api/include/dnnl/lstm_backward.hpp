// LSTM, with optional peephole and projection, backward (spec/rnn.txt).
#ifndef DNNL_LSTM_BACKWARD_HPP
#define DNNL_LSTM_BACKWARD_HPP

#include "dnnl/lstm_forward.hpp"

namespace dnnl {
inline namespace tandem_v1 {

namespace detail {

inline rnn_op lstm_backward(const rnn_op& forward, const memory::desc& diff_src_layer_desc,
                            const memory::desc& diff_src_iter_desc, const memory::desc& diff_src_iter_c_desc,
                            const memory::desc& diff_weights_layer_desc, const memory::desc& diff_weights_iter_desc,
                            const memory::desc& diff_weights_peephole_desc,
                            const memory::desc& diff_weights_projection_desc, const memory::desc& diff_bias_desc,
                            const memory::desc& diff_dst_layer_desc, const memory::desc& diff_dst_iter_desc,
                            const memory::desc& diff_dst_iter_c_desc) {
  rnn_op op = forward;
  op.diffs(diff_src_layer_desc, diff_src_iter_desc, diff_weights_layer_desc, diff_weights_iter_desc, diff_bias_desc,
           diff_dst_layer_desc, diff_dst_iter_desc)
      .diff_cell_state(diff_src_iter_c_desc, diff_dst_iter_c_desc);
  return op.diff_peephole(diff_weights_peephole_desc).diff_projection(diff_weights_projection_desc);
}

}  // namespace detail

// Gradients; diff_* descriptors are f32 and absent exactly where the forward tensor is.
// diff_weights_* and diff_bias are added to unless rnn_flags::diff_weights_overwrite. The workspace
// is that of a forward_training primitive made from `hint_fwd_pd`.
struct lstm_backward : public primitive {
  struct desc : public detail::rnn_op {
    desc(prop_kind aprop_kind, rnn_direction direction, const memory::desc& src_layer_desc,
         const memory::desc& src_iter_desc, const memory::desc& src_iter_c_desc, const memory::desc& weights_layer_desc,
         const memory::desc& weights_iter_desc, const memory::desc& weights_peephole_desc,
         const memory::desc& weights_projection_desc, const memory::desc& bias_desc, const memory::desc& dst_layer_desc,
         const memory::desc& dst_iter_desc, const memory::desc& dst_iter_c_desc,
         const memory::desc& diff_src_layer_desc, const memory::desc& diff_src_iter_desc,
         const memory::desc& diff_src_iter_c_desc, const memory::desc& diff_weights_layer_desc,
         const memory::desc& diff_weights_iter_desc, const memory::desc& diff_weights_peephole_desc,
         const memory::desc& diff_weights_projection_desc, const memory::desc& diff_bias_desc,
         const memory::desc& diff_dst_layer_desc, const memory::desc& diff_dst_iter_desc,
         const memory::desc& diff_dst_iter_c_desc, rnn_flags flags = rnn_flags::undef)
        : rnn_op(detail::lstm_backward(
              detail::lstm(aprop_kind, direction, flags, src_layer_desc, src_iter_desc, src_iter_c_desc,
                           weights_layer_desc, weights_iter_desc, weights_peephole_desc, weights_projection_desc,
                           bias_desc, dst_layer_desc, dst_iter_desc, dst_iter_c_desc),
              diff_src_layer_desc, diff_src_iter_desc, diff_src_iter_c_desc, diff_weights_layer_desc,
              diff_weights_iter_desc, diff_weights_peephole_desc, diff_weights_projection_desc, diff_bias_desc,
              diff_dst_layer_desc, diff_dst_iter_desc, diff_dst_iter_c_desc)) {
      check();
    }
    desc(prop_kind aprop_kind, rnn_direction direction, const memory::desc& src_layer_desc,
         const memory::desc& src_iter_desc, const memory::desc& src_iter_c_desc, const memory::desc& weights_layer_desc,
         const memory::desc& weights_iter_desc, const memory::desc& weights_peephole_desc,
         const memory::desc& bias_desc, const memory::desc& dst_layer_desc, const memory::desc& dst_iter_desc,
         const memory::desc& dst_iter_c_desc, const memory::desc& diff_src_layer_desc,
         const memory::desc& diff_src_iter_desc, const memory::desc& diff_src_iter_c_desc,
         const memory::desc& diff_weights_layer_desc, const memory::desc& diff_weights_iter_desc,
         const memory::desc& diff_weights_peephole_desc, const memory::desc& diff_bias_desc,
         const memory::desc& diff_dst_layer_desc, const memory::desc& diff_dst_iter_desc,
         const memory::desc& diff_dst_iter_c_desc, rnn_flags flags = rnn_flags::undef)
        : desc(aprop_kind, direction, src_layer_desc, src_iter_desc, src_iter_c_desc, weights_layer_desc,
               weights_iter_desc, weights_peephole_desc, memory::desc(), bias_desc, dst_layer_desc, dst_iter_desc,
               dst_iter_c_desc, diff_src_layer_desc, diff_src_iter_desc, diff_src_iter_c_desc, diff_weights_layer_desc,
               diff_weights_iter_desc, diff_weights_peephole_desc, memory::desc(), diff_bias_desc, diff_dst_layer_desc,
               diff_dst_iter_desc, diff_dst_iter_c_desc, flags) {}
    desc(prop_kind aprop_kind, rnn_direction direction, const memory::desc& src_layer_desc,
         const memory::desc& src_iter_desc, const memory::desc& src_iter_c_desc, const memory::desc& weights_layer_desc,
         const memory::desc& weights_iter_desc, const memory::desc& bias_desc, const memory::desc& dst_layer_desc,
         const memory::desc& dst_iter_desc, const memory::desc& dst_iter_c_desc,
         const memory::desc& diff_src_layer_desc, const memory::desc& diff_src_iter_desc,
         const memory::desc& diff_src_iter_c_desc, const memory::desc& diff_weights_layer_desc,
         const memory::desc& diff_weights_iter_desc, const memory::desc& diff_bias_desc,
         const memory::desc& diff_dst_layer_desc, const memory::desc& diff_dst_iter_desc,
         const memory::desc& diff_dst_iter_c_desc, rnn_flags flags = rnn_flags::undef)
        : desc(aprop_kind, direction, src_layer_desc, src_iter_desc, src_iter_c_desc, weights_layer_desc,
               weights_iter_desc, memory::desc(), memory::desc(), bias_desc, dst_layer_desc, dst_iter_desc,
               dst_iter_c_desc, diff_src_layer_desc, diff_src_iter_desc, diff_src_iter_c_desc, diff_weights_layer_desc,
               diff_weights_iter_desc, memory::desc(), memory::desc(), diff_bias_desc, diff_dst_layer_desc,
               diff_dst_iter_desc, diff_dst_iter_c_desc, flags) {}
  };

  using pd_base = detail::rnn_backward_primitive_desc<desc, algorithm::vanilla_lstm, lstm_forward::primitive_desc>;
  struct primitive_desc : public pd_base {
    using pd_base::pd_base;
    primitive_desc() = default;

    primitive_desc(const engine& aengine, prop_kind aprop_kind, rnn_direction direction,
                   const memory::desc& src_layer_desc, const memory::desc& src_iter_desc,
                   const memory::desc& src_iter_c_desc, const memory::desc& weights_layer_desc,
                   const memory::desc& weights_iter_desc, const memory::desc& weights_peephole_desc,
                   const memory::desc& weights_projection_desc, const memory::desc& bias_desc,
                   const memory::desc& dst_layer_desc, const memory::desc& dst_iter_desc,
                   const memory::desc& dst_iter_c_desc, const memory::desc& diff_src_layer_desc,
                   const memory::desc& diff_src_iter_desc, const memory::desc& diff_src_iter_c_desc,
                   const memory::desc& diff_weights_layer_desc, const memory::desc& diff_weights_iter_desc,
                   const memory::desc& diff_weights_peephole_desc, const memory::desc& diff_weights_projection_desc,
                   const memory::desc& diff_bias_desc, const memory::desc& diff_dst_layer_desc,
                   const memory::desc& diff_dst_iter_desc, const memory::desc& diff_dst_iter_c_desc,
                   const lstm_forward::primitive_desc& hint_fwd_pd, const primitive_attr& attr = primitive_attr(),
                   bool allow_empty = false) {
      create(detail::lstm_backward(
                 detail::lstm(aprop_kind, direction, rnn_flags::undef, src_layer_desc, src_iter_desc, src_iter_c_desc,
                              weights_layer_desc, weights_iter_desc, weights_peephole_desc, weights_projection_desc,
                              bias_desc, dst_layer_desc, dst_iter_desc, dst_iter_c_desc),
                 diff_src_layer_desc, diff_src_iter_desc, diff_src_iter_c_desc, diff_weights_layer_desc,
                 diff_weights_iter_desc, diff_weights_peephole_desc, diff_weights_projection_desc, diff_bias_desc,
                 diff_dst_layer_desc, diff_dst_iter_desc, diff_dst_iter_c_desc),
             &attr, aengine, &hint_fwd_pd, allow_empty);
    }
    primitive_desc(const engine& aengine, prop_kind aprop_kind, rnn_direction direction,
                   const memory::desc& src_layer_desc, const memory::desc& src_iter_desc,
                   const memory::desc& src_iter_c_desc, const memory::desc& weights_layer_desc,
                   const memory::desc& weights_iter_desc, const memory::desc& weights_peephole_desc,
                   const memory::desc& bias_desc, const memory::desc& dst_layer_desc, const memory::desc& dst_iter_desc,
                   const memory::desc& dst_iter_c_desc, const memory::desc& diff_src_layer_desc,
                   const memory::desc& diff_src_iter_desc, const memory::desc& diff_src_iter_c_desc,
                   const memory::desc& diff_weights_layer_desc, const memory::desc& diff_weights_iter_desc,
                   const memory::desc& diff_weights_peephole_desc, const memory::desc& diff_bias_desc,
                   const memory::desc& diff_dst_layer_desc, const memory::desc& diff_dst_iter_desc,
                   const memory::desc& diff_dst_iter_c_desc, const lstm_forward::primitive_desc& hint_fwd_pd,
                   const primitive_attr& attr = primitive_attr(), bool allow_empty = false)
        : primitive_desc(aengine, aprop_kind, direction, src_layer_desc, src_iter_desc, src_iter_c_desc,
                         weights_layer_desc, weights_iter_desc, weights_peephole_desc, memory::desc(), bias_desc,
                         dst_layer_desc, dst_iter_desc, dst_iter_c_desc, diff_src_layer_desc, diff_src_iter_desc,
                         diff_src_iter_c_desc, diff_weights_layer_desc, diff_weights_iter_desc,
                         diff_weights_peephole_desc, memory::desc(), diff_bias_desc, diff_dst_layer_desc,
                         diff_dst_iter_desc, diff_dst_iter_c_desc, hint_fwd_pd, attr, allow_empty) {}
    primitive_desc(const engine& aengine, prop_kind aprop_kind, rnn_direction direction,
                   const memory::desc& src_layer_desc, const memory::desc& src_iter_desc,
                   const memory::desc& src_iter_c_desc, const memory::desc& weights_layer_desc,
                   const memory::desc& weights_iter_desc, const memory::desc& bias_desc,
                   const memory::desc& dst_layer_desc, const memory::desc& dst_iter_desc,
                   const memory::desc& dst_iter_c_desc, const memory::desc& diff_src_layer_desc,
                   const memory::desc& diff_src_iter_desc, const memory::desc& diff_src_iter_c_desc,
                   const memory::desc& diff_weights_layer_desc, const memory::desc& diff_weights_iter_desc,
                   const memory::desc& diff_bias_desc, const memory::desc& diff_dst_layer_desc,
                   const memory::desc& diff_dst_iter_desc, const memory::desc& diff_dst_iter_c_desc,
                   const lstm_forward::primitive_desc& hint_fwd_pd, const primitive_attr& attr = primitive_attr(),
                   bool allow_empty = false)
        : primitive_desc(aengine, aprop_kind, direction, src_layer_desc, src_iter_desc, src_iter_c_desc,
                         weights_layer_desc, weights_iter_desc, memory::desc(), memory::desc(), bias_desc,
                         dst_layer_desc, dst_iter_desc, dst_iter_c_desc, diff_src_layer_desc, diff_src_iter_desc,
                         diff_src_iter_c_desc, diff_weights_layer_desc, diff_weights_iter_desc, memory::desc(),
                         memory::desc(), diff_bias_desc, diff_dst_layer_desc, diff_dst_iter_desc, diff_dst_iter_c_desc,
                         hint_fwd_pd, attr, allow_empty) {}
  };

  lstm_backward() = default;
  lstm_backward(const primitive_desc& pd) : primitive(pd) {}
  lstm_backward(const primitive_desc& pd, const std::vector<uint8_t>& cache_blob) : primitive(pd, cache_blob) {}
};

}  // namespace tandem_v1
}  // namespace dnnl

#endif
