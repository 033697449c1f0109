// The vanilla RNN, h_t = activation(W h_{t,l-1} + U h_{t-1,l} + B), forward and backward (spec/rnn.txt).
#ifndef DNNL_VANILLA_RNN_HPP
#define DNNL_VANILLA_RNN_HPP

#include "dnnl/rnn_op.hpp"

namespace dnnl {
inline namespace tandem_v1 {

// Activations: eltwise_relu with negative slope alpha (>= 0 in training), eltwise_tanh, eltwise_logistic. Dims:
// src_layer (t, n, slc), src_iter and dst_iter (l, d, n, sic = dhc), weights_layer (l, d, slc, 1, dhc), weights_iter
// (l, d, sic, 1, dhc), bias (l, d, 1, dhc), dst_layer (t, n, dlc). src_iter, bias and dst_iter may be zero descriptors.
// Wrong dims throw invalid_arguments, other data types than spec/rnn.txt's unimplemented.
struct vanilla_rnn_forward : public primitive {
  struct desc : public detail::rnn_op {
    desc(prop_kind aprop_kind, algorithm activation, rnn_direction direction, const memory::desc& src_layer_desc,
         const memory::desc& src_iter_desc, const memory::desc& weights_layer_desc,
         const memory::desc& weights_iter_desc, const memory::desc& bias_desc, const memory::desc& dst_layer_desc,
         const memory::desc& dst_iter_desc, rnn_flags flags = rnn_flags::undef, float alpha = 0.f, float beta = 0.f)
        : rnn_op(detail::rnn_op(aprop_kind, algorithm::vanilla_rnn, direction, flags, src_layer_desc, src_iter_desc,
                                weights_layer_desc, weights_iter_desc, bias_desc, dst_layer_desc, dst_iter_desc)
                     .activation(activation, alpha, beta)) {
      check();
    }
  };

  using pd_base = detail::rnn_forward_primitive_desc<desc, algorithm::vanilla_rnn>;
  struct primitive_desc : public pd_base {
    using pd_base::pd_base;
    primitive_desc() = default;

    primitive_desc(const engine& aengine, prop_kind aprop_kind, algorithm activation, rnn_direction direction,
                   const memory::desc& src_layer_desc, const memory::desc& src_iter_desc,
                   const memory::desc& weights_layer_desc, const memory::desc& weights_iter_desc,
                   const memory::desc& bias_desc, const memory::desc& dst_layer_desc, const memory::desc& dst_iter_desc,
                   const primitive_attr& attr = primitive_attr(), bool allow_empty = false)
        : primitive_desc(aengine, aprop_kind, activation, direction, src_layer_desc, src_iter_desc, weights_layer_desc,
                         weights_iter_desc, bias_desc, dst_layer_desc, dst_iter_desc, 0.f, attr, allow_empty) {}
    primitive_desc(const engine& aengine, prop_kind aprop_kind, algorithm activation, rnn_direction direction,
                   const memory::desc& src_layer_desc, const memory::desc& src_iter_desc,
                   const memory::desc& weights_layer_desc, const memory::desc& weights_iter_desc,
                   const memory::desc& bias_desc, const memory::desc& dst_layer_desc, const memory::desc& dst_iter_desc,
                   float alpha, const primitive_attr& attr = primitive_attr(), bool allow_empty = false) {
      create(
          detail::rnn_op(aprop_kind, algorithm::vanilla_rnn, direction, rnn_flags::undef, src_layer_desc, src_iter_desc,
                         weights_layer_desc, weights_iter_desc, bias_desc, dst_layer_desc, dst_iter_desc)
              .activation(activation, alpha, 0.f),
          &attr, aengine, nullptr, allow_empty);
    }
  };

  vanilla_rnn_forward() = default;
  vanilla_rnn_forward(const primitive_desc& pd) : primitive(pd) {}
  vanilla_rnn_forward(const primitive_desc& pd, const std::vector<uint8_t>& cache_blob) : primitive(pd, cache_blob) {}
};

// Gradients; diff_* descriptors are f32 and absent exactly where the forward tensor is.
// diff_weights_* and diff_bias are added to unless rnn_flags::diff_weights_overwrite. The workspace
// is that of a forward_training primitive made from `hint_fwd_pd`.
struct vanilla_rnn_backward : public primitive {
  struct desc : public detail::rnn_op {
    desc(prop_kind aprop_kind, algorithm activation, rnn_direction direction, const memory::desc& src_layer_desc,
         const memory::desc& src_iter_desc, const memory::desc& weights_layer_desc,
         const memory::desc& weights_iter_desc, const memory::desc& bias_desc, const memory::desc& dst_layer_desc,
         const memory::desc& dst_iter_desc, const memory::desc& diff_src_layer_desc,
         const memory::desc& diff_src_iter_desc, const memory::desc& diff_weights_layer_desc,
         const memory::desc& diff_weights_iter_desc, const memory::desc& diff_bias_desc,
         const memory::desc& diff_dst_layer_desc, const memory::desc& diff_dst_iter_desc,
         rnn_flags flags = rnn_flags::undef, float alpha = 0.f, float beta = 0.f)
        : rnn_op(detail::rnn_op(aprop_kind, algorithm::vanilla_rnn, direction, flags, src_layer_desc, src_iter_desc,
                                weights_layer_desc, weights_iter_desc, bias_desc, dst_layer_desc, dst_iter_desc)
                     .activation(activation, alpha, beta)) {
      diffs(diff_src_layer_desc, diff_src_iter_desc, diff_weights_layer_desc, diff_weights_iter_desc, diff_bias_desc,
            diff_dst_layer_desc, diff_dst_iter_desc);
      check();
    }
  };

  using pd_base =
      detail::rnn_backward_primitive_desc<desc, algorithm::vanilla_rnn, vanilla_rnn_forward::primitive_desc>;
  struct primitive_desc : public pd_base {
    using pd_base::pd_base;
    primitive_desc() = default;

    primitive_desc(const engine& aengine, prop_kind aprop_kind, algorithm activation, rnn_direction direction,
                   const memory::desc& src_layer_desc, const memory::desc& src_iter_desc,
                   const memory::desc& weights_layer_desc, const memory::desc& weights_iter_desc,
                   const memory::desc& bias_desc, const memory::desc& dst_layer_desc, const memory::desc& dst_iter_desc,
                   const memory::desc& diff_src_layer_desc, const memory::desc& diff_src_iter_desc,
                   const memory::desc& diff_weights_layer_desc, const memory::desc& diff_weights_iter_desc,
                   const memory::desc& diff_bias_desc, const memory::desc& diff_dst_layer_desc,
                   const memory::desc& diff_dst_iter_desc, const vanilla_rnn_forward::primitive_desc& hint_fwd_pd,
                   const primitive_attr& attr = primitive_attr(), bool allow_empty = false)
        : primitive_desc(aengine, aprop_kind, activation, direction, src_layer_desc, src_iter_desc, weights_layer_desc,
                         weights_iter_desc, bias_desc, dst_layer_desc, dst_iter_desc, diff_src_layer_desc,
                         diff_src_iter_desc, diff_weights_layer_desc, diff_weights_iter_desc, diff_bias_desc,
                         diff_dst_layer_desc, diff_dst_iter_desc, 0.f, hint_fwd_pd, attr, allow_empty) {}
    primitive_desc(const engine& aengine, prop_kind aprop_kind, algorithm activation, rnn_direction direction,
                   const memory::desc& src_layer_desc, const memory::desc& src_iter_desc,
                   const memory::desc& weights_layer_desc, const memory::desc& weights_iter_desc,
                   const memory::desc& bias_desc, const memory::desc& dst_layer_desc, const memory::desc& dst_iter_desc,
                   const memory::desc& diff_src_layer_desc, const memory::desc& diff_src_iter_desc,
                   const memory::desc& diff_weights_layer_desc, const memory::desc& diff_weights_iter_desc,
                   const memory::desc& diff_bias_desc, const memory::desc& diff_dst_layer_desc,
                   const memory::desc& diff_dst_iter_desc, float alpha,
                   const vanilla_rnn_forward::primitive_desc& hint_fwd_pd,
                   const primitive_attr& attr = primitive_attr(), bool allow_empty = false) {
      detail::rnn_op op =
          detail::rnn_op(aprop_kind, algorithm::vanilla_rnn, direction, rnn_flags::undef, src_layer_desc, src_iter_desc,
                         weights_layer_desc, weights_iter_desc, bias_desc, dst_layer_desc, dst_iter_desc);
      op.activation(activation, alpha, 0.f);
      create(op.diffs(diff_src_layer_desc, diff_src_iter_desc, diff_weights_layer_desc, diff_weights_iter_desc,
                      diff_bias_desc, diff_dst_layer_desc, diff_dst_iter_desc),
             &attr, aengine, &hint_fwd_pd, allow_empty);
    }
  };

  vanilla_rnn_backward() = default;
  vanilla_rnn_backward(const primitive_desc& pd) : primitive(pd) {}
  vanilla_rnn_backward(const primitive_desc& pd, const std::vector<uint8_t>& cache_blob) : primitive(pd, cache_blob) {}
};

}  // namespace tandem_v1
}  // namespace dnnl

#endif
