// LSTM, with optional peephole and projection, backward (spec/rnn.txt).
// Written by api/schema, not by hand.
#ifndef DNNL_LSTM_BACKWARD_HPP
#define DNNL_LSTM_BACKWARD_HPP

#include "dnnl/lstm_forward.hpp"

namespace dnnl {
inline namespace tandem_v1 {

namespace detail {

// The classes of a cell that takes these tensors.
template <algorithm kCell>
struct lstm_backward_of : public primitive {
  struct desc : public rnn_op {
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
        : rnn_op(rnn_op(aprop_kind, kCell, direction, flags)
                     .set(&dnnl_rnn_desc_t::src_layer_desc, src_layer_desc)
                     .set(&dnnl_rnn_desc_t::src_iter_desc, src_iter_desc)
                     .set(&dnnl_rnn_desc_t::src_iter_c_desc, src_iter_c_desc)
                     .set(&dnnl_rnn_desc_t::weights_layer_desc, weights_layer_desc)
                     .set(&dnnl_rnn_desc_t::weights_iter_desc, weights_iter_desc)
                     .set(&dnnl_rnn_desc_t::weights_peephole_desc, weights_peephole_desc)
                     .set(&dnnl_rnn_desc_t::weights_projection_desc, weights_projection_desc)
                     .set(&dnnl_rnn_desc_t::bias_desc, bias_desc)
                     .set(&dnnl_rnn_desc_t::dst_layer_desc, dst_layer_desc)
                     .set(&dnnl_rnn_desc_t::dst_iter_desc, dst_iter_desc)
                     .set(&dnnl_rnn_desc_t::dst_iter_c_desc, dst_iter_c_desc)
                     .backward()
                     .set(&dnnl_rnn_desc_t::diff_src_layer_desc, diff_src_layer_desc)
                     .set(&dnnl_rnn_desc_t::diff_src_iter_desc, diff_src_iter_desc)
                     .set(&dnnl_rnn_desc_t::diff_src_iter_c_desc, diff_src_iter_c_desc)
                     .set(&dnnl_rnn_desc_t::diff_weights_layer_desc, diff_weights_layer_desc)
                     .set(&dnnl_rnn_desc_t::diff_weights_iter_desc, diff_weights_iter_desc)
                     .set(&dnnl_rnn_desc_t::diff_weights_peephole_desc, diff_weights_peephole_desc)
                     .set(&dnnl_rnn_desc_t::diff_weights_projection_desc, diff_weights_projection_desc)
                     .set(&dnnl_rnn_desc_t::diff_bias_desc, diff_bias_desc)
                     .set(&dnnl_rnn_desc_t::diff_dst_layer_desc, diff_dst_layer_desc)
                     .set(&dnnl_rnn_desc_t::diff_dst_iter_desc, diff_dst_iter_desc)
                     .set(&dnnl_rnn_desc_t::diff_dst_iter_c_desc, diff_dst_iter_c_desc)) {
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

  using pd_base = rnn_backward_primitive_desc<desc, kCell, typename lstm_forward_of<kCell>::primitive_desc>;
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
                   const typename lstm_forward_of<kCell>::primitive_desc& hint_fwd_pd,
                   const primitive_attr& attr = primitive_attr(), bool allow_empty = false) {
      this->create(rnn_op(aprop_kind, kCell, direction, rnn_flags::undef)
                       .set(&dnnl_rnn_desc_t::src_layer_desc, src_layer_desc)
                       .set(&dnnl_rnn_desc_t::src_iter_desc, src_iter_desc)
                       .set(&dnnl_rnn_desc_t::src_iter_c_desc, src_iter_c_desc)
                       .set(&dnnl_rnn_desc_t::weights_layer_desc, weights_layer_desc)
                       .set(&dnnl_rnn_desc_t::weights_iter_desc, weights_iter_desc)
                       .set(&dnnl_rnn_desc_t::weights_peephole_desc, weights_peephole_desc)
                       .set(&dnnl_rnn_desc_t::weights_projection_desc, weights_projection_desc)
                       .set(&dnnl_rnn_desc_t::bias_desc, bias_desc)
                       .set(&dnnl_rnn_desc_t::dst_layer_desc, dst_layer_desc)
                       .set(&dnnl_rnn_desc_t::dst_iter_desc, dst_iter_desc)
                       .set(&dnnl_rnn_desc_t::dst_iter_c_desc, dst_iter_c_desc)
                       .backward()
                       .set(&dnnl_rnn_desc_t::diff_src_layer_desc, diff_src_layer_desc)
                       .set(&dnnl_rnn_desc_t::diff_src_iter_desc, diff_src_iter_desc)
                       .set(&dnnl_rnn_desc_t::diff_src_iter_c_desc, diff_src_iter_c_desc)
                       .set(&dnnl_rnn_desc_t::diff_weights_layer_desc, diff_weights_layer_desc)
                       .set(&dnnl_rnn_desc_t::diff_weights_iter_desc, diff_weights_iter_desc)
                       .set(&dnnl_rnn_desc_t::diff_weights_peephole_desc, diff_weights_peephole_desc)
                       .set(&dnnl_rnn_desc_t::diff_weights_projection_desc, diff_weights_projection_desc)
                       .set(&dnnl_rnn_desc_t::diff_bias_desc, diff_bias_desc)
                       .set(&dnnl_rnn_desc_t::diff_dst_layer_desc, diff_dst_layer_desc)
                       .set(&dnnl_rnn_desc_t::diff_dst_iter_desc, diff_dst_iter_desc)
                       .set(&dnnl_rnn_desc_t::diff_dst_iter_c_desc, diff_dst_iter_c_desc),
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
                   const memory::desc& diff_dst_iter_c_desc,
                   const typename lstm_forward_of<kCell>::primitive_desc& hint_fwd_pd,
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
                   const typename lstm_forward_of<kCell>::primitive_desc& hint_fwd_pd,
                   const primitive_attr& attr = primitive_attr(), bool allow_empty = false)
        : primitive_desc(aengine, aprop_kind, direction, src_layer_desc, src_iter_desc, src_iter_c_desc,
                         weights_layer_desc, weights_iter_desc, memory::desc(), memory::desc(), bias_desc,
                         dst_layer_desc, dst_iter_desc, dst_iter_c_desc, diff_src_layer_desc, diff_src_iter_desc,
                         diff_src_iter_c_desc, diff_weights_layer_desc, diff_weights_iter_desc, memory::desc(),
                         memory::desc(), diff_bias_desc, diff_dst_layer_desc, diff_dst_iter_desc, diff_dst_iter_c_desc,
                         hint_fwd_pd, attr, allow_empty) {}
  };

  lstm_backward_of() = default;
  lstm_backward_of(const primitive_desc& pd) : primitive(pd) {}
  lstm_backward_of(const primitive_desc& pd, const std::vector<uint8_t>& cache_blob) : primitive(pd, cache_blob) {}
};

}  // namespace detail

// Gradients; diff_* descriptors are f32 and absent exactly where the forward tensor is.
// diff_weights_* and diff_bias are added to unless rnn_flags::diff_weights_overwrite. The workspace
// is that of a forward_training primitive made from `hint_fwd_pd`.
struct lstm_backward : public detail::lstm_backward_of<algorithm::vanilla_lstm> {
  using detail::lstm_backward_of<algorithm::vanilla_lstm>::lstm_backward_of;
};

}  // namespace tandem_v1
}  // namespace dnnl

#endif
