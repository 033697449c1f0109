// The vanilla RNN, h_t = activation(W h_{t,l-1} + U h_{t-1,l} + B), forward and backward (spec/rnn.txt).
// Written by api/schema, not by hand.
#ifndef DNNL_VANILLA_RNN_HPP
#define DNNL_VANILLA_RNN_HPP

#include "dnnl/rnn_op.hpp"

namespace dnnl {
inline namespace tandem_v1 {

namespace detail {

// The classes of a cell that takes these tensors.
template <algorithm kCell>
struct vanilla_rnn_forward_of : public primitive {
  struct desc : public rnn_op {
    desc(prop_kind aprop_kind, algorithm activation, rnn_direction direction, const memory::desc& src_layer_desc,
         const memory::desc& src_iter_desc, const memory::desc& weights_layer_desc,
         const memory::desc& weights_iter_desc, const memory::desc& bias_desc, const memory::desc& dst_layer_desc,
         const memory::desc& dst_iter_desc, rnn_flags flags = rnn_flags::undef, float alpha = 0.f, float beta = 0.f)
        : rnn_op(rnn_op(aprop_kind, kCell, direction, flags)
                     .activation(activation, alpha, beta)
                     .set(&dnnl_rnn_desc_t::src_layer_desc, src_layer_desc)
                     .set(&dnnl_rnn_desc_t::src_iter_desc, src_iter_desc)
                     .set(&dnnl_rnn_desc_t::weights_layer_desc, weights_layer_desc)
                     .set(&dnnl_rnn_desc_t::weights_iter_desc, weights_iter_desc)
                     .set(&dnnl_rnn_desc_t::bias_desc, bias_desc)
                     .set(&dnnl_rnn_desc_t::dst_layer_desc, dst_layer_desc)
                     .set(&dnnl_rnn_desc_t::dst_iter_desc, dst_iter_desc)) {
      check();
    }
  };

  using pd_base = rnn_forward_primitive_desc<desc, kCell>;
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
                   float alpha, const primitive_attr& attr = primitive_attr(), bool allow_empty = false)
        : primitive_desc(aengine, aprop_kind, activation, direction, src_layer_desc, src_iter_desc, weights_layer_desc,
                         weights_iter_desc, bias_desc, dst_layer_desc, dst_iter_desc, alpha, 0.f, attr, allow_empty) {}
    primitive_desc(const engine& aengine, prop_kind aprop_kind, algorithm activation, rnn_direction direction,
                   const memory::desc& src_layer_desc, const memory::desc& src_iter_desc,
                   const memory::desc& weights_layer_desc, const memory::desc& weights_iter_desc,
                   const memory::desc& bias_desc, const memory::desc& dst_layer_desc, const memory::desc& dst_iter_desc,
                   float alpha, float beta, const primitive_attr& attr = primitive_attr(), bool allow_empty = false) {
      this->create(rnn_op(aprop_kind, kCell, direction, rnn_flags::undef)
                       .activation(activation, alpha, beta)
                       .set(&dnnl_rnn_desc_t::src_layer_desc, src_layer_desc)
                       .set(&dnnl_rnn_desc_t::src_iter_desc, src_iter_desc)
                       .set(&dnnl_rnn_desc_t::weights_layer_desc, weights_layer_desc)
                       .set(&dnnl_rnn_desc_t::weights_iter_desc, weights_iter_desc)
                       .set(&dnnl_rnn_desc_t::bias_desc, bias_desc)
                       .set(&dnnl_rnn_desc_t::dst_layer_desc, dst_layer_desc)
                       .set(&dnnl_rnn_desc_t::dst_iter_desc, dst_iter_desc),
                   &attr, aengine, nullptr, allow_empty);
    }
  };

  vanilla_rnn_forward_of() = default;
  vanilla_rnn_forward_of(const primitive_desc& pd) : primitive(pd) {}
  vanilla_rnn_forward_of(const primitive_desc& pd, const std::vector<uint8_t>& cache_blob)
      : primitive(pd, cache_blob) {}
};

template <algorithm kCell>
struct vanilla_rnn_backward_of : public primitive {
  struct desc : public rnn_op {
    desc(prop_kind aprop_kind, algorithm activation, rnn_direction direction, const memory::desc& src_layer_desc,
         const memory::desc& src_iter_desc, const memory::desc& weights_layer_desc,
         const memory::desc& weights_iter_desc, const memory::desc& bias_desc, const memory::desc& dst_layer_desc,
         const memory::desc& dst_iter_desc, const memory::desc& diff_src_layer_desc,
         const memory::desc& diff_src_iter_desc, const memory::desc& diff_weights_layer_desc,
         const memory::desc& diff_weights_iter_desc, const memory::desc& diff_bias_desc,
         const memory::desc& diff_dst_layer_desc, const memory::desc& diff_dst_iter_desc,
         rnn_flags flags = rnn_flags::undef, float alpha = 0.f, float beta = 0.f)
        : rnn_op(rnn_op(aprop_kind, kCell, direction, flags)
                     .activation(activation, alpha, beta)
                     .set(&dnnl_rnn_desc_t::src_layer_desc, src_layer_desc)
                     .set(&dnnl_rnn_desc_t::src_iter_desc, src_iter_desc)
                     .set(&dnnl_rnn_desc_t::weights_layer_desc, weights_layer_desc)
                     .set(&dnnl_rnn_desc_t::weights_iter_desc, weights_iter_desc)
                     .set(&dnnl_rnn_desc_t::bias_desc, bias_desc)
                     .set(&dnnl_rnn_desc_t::dst_layer_desc, dst_layer_desc)
                     .set(&dnnl_rnn_desc_t::dst_iter_desc, dst_iter_desc)
                     .backward()
                     .set(&dnnl_rnn_desc_t::diff_src_layer_desc, diff_src_layer_desc)
                     .set(&dnnl_rnn_desc_t::diff_src_iter_desc, diff_src_iter_desc)
                     .set(&dnnl_rnn_desc_t::diff_weights_layer_desc, diff_weights_layer_desc)
                     .set(&dnnl_rnn_desc_t::diff_weights_iter_desc, diff_weights_iter_desc)
                     .set(&dnnl_rnn_desc_t::diff_bias_desc, diff_bias_desc)
                     .set(&dnnl_rnn_desc_t::diff_dst_layer_desc, diff_dst_layer_desc)
                     .set(&dnnl_rnn_desc_t::diff_dst_iter_desc, diff_dst_iter_desc)) {
      check();
    }
  };

  using pd_base = rnn_backward_primitive_desc<desc, kCell, typename vanilla_rnn_forward_of<kCell>::primitive_desc>;
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
                   const memory::desc& diff_dst_iter_desc,
                   const typename vanilla_rnn_forward_of<kCell>::primitive_desc& hint_fwd_pd,
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
                   const typename vanilla_rnn_forward_of<kCell>::primitive_desc& hint_fwd_pd,
                   const primitive_attr& attr = primitive_attr(), bool allow_empty = false)
        : primitive_desc(aengine, aprop_kind, activation, direction, src_layer_desc, src_iter_desc, weights_layer_desc,
                         weights_iter_desc, bias_desc, dst_layer_desc, dst_iter_desc, diff_src_layer_desc,
                         diff_src_iter_desc, diff_weights_layer_desc, diff_weights_iter_desc, diff_bias_desc,
                         diff_dst_layer_desc, diff_dst_iter_desc, alpha, 0.f, hint_fwd_pd, attr, allow_empty) {}
    primitive_desc(const engine& aengine, prop_kind aprop_kind, algorithm activation, rnn_direction direction,
                   const memory::desc& src_layer_desc, const memory::desc& src_iter_desc,
                   const memory::desc& weights_layer_desc, const memory::desc& weights_iter_desc,
                   const memory::desc& bias_desc, const memory::desc& dst_layer_desc, const memory::desc& dst_iter_desc,
                   const memory::desc& diff_src_layer_desc, const memory::desc& diff_src_iter_desc,
                   const memory::desc& diff_weights_layer_desc, const memory::desc& diff_weights_iter_desc,
                   const memory::desc& diff_bias_desc, const memory::desc& diff_dst_layer_desc,
                   const memory::desc& diff_dst_iter_desc, float alpha, float beta,
                   const typename vanilla_rnn_forward_of<kCell>::primitive_desc& hint_fwd_pd,
                   const primitive_attr& attr = primitive_attr(), bool allow_empty = false) {
      this->create(rnn_op(aprop_kind, kCell, direction, rnn_flags::undef)
                       .activation(activation, alpha, beta)
                       .set(&dnnl_rnn_desc_t::src_layer_desc, src_layer_desc)
                       .set(&dnnl_rnn_desc_t::src_iter_desc, src_iter_desc)
                       .set(&dnnl_rnn_desc_t::weights_layer_desc, weights_layer_desc)
                       .set(&dnnl_rnn_desc_t::weights_iter_desc, weights_iter_desc)
                       .set(&dnnl_rnn_desc_t::bias_desc, bias_desc)
                       .set(&dnnl_rnn_desc_t::dst_layer_desc, dst_layer_desc)
                       .set(&dnnl_rnn_desc_t::dst_iter_desc, dst_iter_desc)
                       .backward()
                       .set(&dnnl_rnn_desc_t::diff_src_layer_desc, diff_src_layer_desc)
                       .set(&dnnl_rnn_desc_t::diff_src_iter_desc, diff_src_iter_desc)
                       .set(&dnnl_rnn_desc_t::diff_weights_layer_desc, diff_weights_layer_desc)
                       .set(&dnnl_rnn_desc_t::diff_weights_iter_desc, diff_weights_iter_desc)
                       .set(&dnnl_rnn_desc_t::diff_bias_desc, diff_bias_desc)
                       .set(&dnnl_rnn_desc_t::diff_dst_layer_desc, diff_dst_layer_desc)
                       .set(&dnnl_rnn_desc_t::diff_dst_iter_desc, diff_dst_iter_desc),
                   &attr, aengine, &hint_fwd_pd, allow_empty);
    }
  };

  vanilla_rnn_backward_of() = default;
  vanilla_rnn_backward_of(const primitive_desc& pd) : primitive(pd) {}
  vanilla_rnn_backward_of(const primitive_desc& pd, const std::vector<uint8_t>& cache_blob)
      : primitive(pd, cache_blob) {}
};

}  // namespace detail

// Activations, of x: eltwise_relu (alpha is the slope below 0), eltwise_tanh, eltwise_logistic, eltwise_hardsigmoid
// (clip(alpha x + beta, 0, 1)), eltwise_soft_relu (log(1 + e^x)), eltwise_elu (alpha (e^x - 1) below 0), eltwise_linear
// (alpha x + beta), eltwise_thresholded_relu (x above alpha, else 0), eltwise_softsign (x / (1 + |x|)),
// eltwise_scaled_tanh (alpha tanh(beta x)). Dims:
// src_layer (t, n, slc), src_iter and dst_iter (l, d, n, sic = dhc), weights_layer (l, d, slc, 1, dhc), weights_iter
// (l, d, sic, 1, dhc), bias (l, d, 1, dhc), dst_layer (t, n, dlc). src_iter, bias and dst_iter may be zero descriptors.
// Wrong dims throw invalid_arguments, other data types than spec/rnn.txt's unimplemented.
struct vanilla_rnn_forward : public detail::vanilla_rnn_forward_of<algorithm::vanilla_rnn> {
  using detail::vanilla_rnn_forward_of<algorithm::vanilla_rnn>::vanilla_rnn_forward_of;
};

// Gradients; diff_* descriptors are f32 and absent exactly where the forward tensor is.
// diff_weights_* and diff_bias are added to unless rnn_flags::diff_weights_overwrite. The workspace
// is that of a forward_training primitive made from `hint_fwd_pd`.
struct vanilla_rnn_backward : public detail::vanilla_rnn_backward_of<algorithm::vanilla_rnn> {
  using detail::vanilla_rnn_backward_of<algorithm::vanilla_rnn>::vanilla_rnn_backward_of;
};

}  // namespace tandem_v1
}  // namespace dnnl

#endif
