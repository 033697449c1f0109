// AUGRU and LBR-AUGRU: GRUs whose update gate is damped by an attention score, u~ = (1 - a) u (spec/rnn.txt).
// Written by api/schema, not by hand.
#ifndef DNNL_AUGRU_HPP
#define DNNL_AUGRU_HPP

#include "dnnl/gru.hpp"

namespace dnnl {
inline namespace tandem_v1 {

namespace detail {

// The classes of a cell that takes these tensors.
template <algorithm kCell>
struct augru_forward_of : public primitive {
  struct desc : public rnn_op {
    desc(prop_kind aprop_kind, rnn_direction direction, const memory::desc& src_layer_desc,
         const memory::desc& src_iter_desc, const memory::desc& attention_desc, const memory::desc& weights_layer_desc,
         const memory::desc& weights_iter_desc, const memory::desc& bias_desc, const memory::desc& dst_layer_desc,
         const memory::desc& dst_iter_desc, rnn_flags flags = rnn_flags::undef)
        : rnn_op(rnn_op(aprop_kind, kCell, direction, flags)
                     .set(&dnnl_rnn_desc_t::src_layer_desc, src_layer_desc)
                     .set(&dnnl_rnn_desc_t::src_iter_desc, src_iter_desc)
                     .set(&dnnl_rnn_desc_t::augru_attention_desc, attention_desc)
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

    primitive_desc(const engine& aengine, prop_kind aprop_kind, rnn_direction direction,
                   const memory::desc& src_layer_desc, const memory::desc& src_iter_desc,
                   const memory::desc& attention_desc, const memory::desc& weights_layer_desc,
                   const memory::desc& weights_iter_desc, const memory::desc& bias_desc,
                   const memory::desc& dst_layer_desc, const memory::desc& dst_iter_desc,
                   const primitive_attr& attr = primitive_attr(), bool allow_empty = false) {
      this->create(rnn_op(aprop_kind, kCell, direction, rnn_flags::undef)
                       .set(&dnnl_rnn_desc_t::src_layer_desc, src_layer_desc)
                       .set(&dnnl_rnn_desc_t::src_iter_desc, src_iter_desc)
                       .set(&dnnl_rnn_desc_t::augru_attention_desc, attention_desc)
                       .set(&dnnl_rnn_desc_t::weights_layer_desc, weights_layer_desc)
                       .set(&dnnl_rnn_desc_t::weights_iter_desc, weights_iter_desc)
                       .set(&dnnl_rnn_desc_t::bias_desc, bias_desc)
                       .set(&dnnl_rnn_desc_t::dst_layer_desc, dst_layer_desc)
                       .set(&dnnl_rnn_desc_t::dst_iter_desc, dst_iter_desc),
                   &attr, aengine, nullptr, allow_empty);
    }

    memory::desc attention_desc() const { return this->augru_attention_desc(); }
  };

  augru_forward_of() = default;
  augru_forward_of(const primitive_desc& pd) : primitive(pd) {}
  augru_forward_of(const primitive_desc& pd, const std::vector<uint8_t>& cache_blob) : primitive(pd, cache_blob) {}
};

template <algorithm kCell>
struct augru_backward_of : public primitive {
  struct desc : public rnn_op {
    desc(prop_kind aprop_kind, rnn_direction direction, const memory::desc& src_layer_desc,
         const memory::desc& src_iter_desc, const memory::desc& attention_desc, const memory::desc& weights_layer_desc,
         const memory::desc& weights_iter_desc, const memory::desc& bias_desc, const memory::desc& dst_layer_desc,
         const memory::desc& dst_iter_desc, const memory::desc& diff_src_layer_desc,
         const memory::desc& diff_src_iter_desc, const memory::desc& diff_attention_desc,
         const memory::desc& diff_weights_layer_desc, const memory::desc& diff_weights_iter_desc,
         const memory::desc& diff_bias_desc, const memory::desc& diff_dst_layer_desc,
         const memory::desc& diff_dst_iter_desc, rnn_flags flags = rnn_flags::undef)
        : rnn_op(rnn_op(aprop_kind, kCell, direction, flags)
                     .set(&dnnl_rnn_desc_t::src_layer_desc, src_layer_desc)
                     .set(&dnnl_rnn_desc_t::src_iter_desc, src_iter_desc)
                     .set(&dnnl_rnn_desc_t::augru_attention_desc, attention_desc)
                     .set(&dnnl_rnn_desc_t::weights_layer_desc, weights_layer_desc)
                     .set(&dnnl_rnn_desc_t::weights_iter_desc, weights_iter_desc)
                     .set(&dnnl_rnn_desc_t::bias_desc, bias_desc)
                     .set(&dnnl_rnn_desc_t::dst_layer_desc, dst_layer_desc)
                     .set(&dnnl_rnn_desc_t::dst_iter_desc, dst_iter_desc)
                     .backward()
                     .set(&dnnl_rnn_desc_t::diff_src_layer_desc, diff_src_layer_desc)
                     .set(&dnnl_rnn_desc_t::diff_src_iter_desc, diff_src_iter_desc)
                     .set(&dnnl_rnn_desc_t::diff_augru_attention_desc, diff_attention_desc)
                     .set(&dnnl_rnn_desc_t::diff_weights_layer_desc, diff_weights_layer_desc)
                     .set(&dnnl_rnn_desc_t::diff_weights_iter_desc, diff_weights_iter_desc)
                     .set(&dnnl_rnn_desc_t::diff_bias_desc, diff_bias_desc)
                     .set(&dnnl_rnn_desc_t::diff_dst_layer_desc, diff_dst_layer_desc)
                     .set(&dnnl_rnn_desc_t::diff_dst_iter_desc, diff_dst_iter_desc)) {
      check();
    }
  };

  using pd_base = rnn_backward_primitive_desc<desc, kCell, typename augru_forward_of<kCell>::primitive_desc>;
  struct primitive_desc : public pd_base {
    using pd_base::pd_base;
    primitive_desc() = default;

    primitive_desc(const engine& aengine, prop_kind aprop_kind, rnn_direction direction,
                   const memory::desc& src_layer_desc, const memory::desc& src_iter_desc,
                   const memory::desc& attention_desc, const memory::desc& weights_layer_desc,
                   const memory::desc& weights_iter_desc, const memory::desc& bias_desc,
                   const memory::desc& dst_layer_desc, const memory::desc& dst_iter_desc,
                   const memory::desc& diff_src_layer_desc, const memory::desc& diff_src_iter_desc,
                   const memory::desc& diff_attention_desc, const memory::desc& diff_weights_layer_desc,
                   const memory::desc& diff_weights_iter_desc, const memory::desc& diff_bias_desc,
                   const memory::desc& diff_dst_layer_desc, const memory::desc& diff_dst_iter_desc,
                   const typename augru_forward_of<kCell>::primitive_desc& hint_fwd_pd,
                   const primitive_attr& attr = primitive_attr(), bool allow_empty = false) {
      this->create(rnn_op(aprop_kind, kCell, direction, rnn_flags::undef)
                       .set(&dnnl_rnn_desc_t::src_layer_desc, src_layer_desc)
                       .set(&dnnl_rnn_desc_t::src_iter_desc, src_iter_desc)
                       .set(&dnnl_rnn_desc_t::augru_attention_desc, attention_desc)
                       .set(&dnnl_rnn_desc_t::weights_layer_desc, weights_layer_desc)
                       .set(&dnnl_rnn_desc_t::weights_iter_desc, weights_iter_desc)
                       .set(&dnnl_rnn_desc_t::bias_desc, bias_desc)
                       .set(&dnnl_rnn_desc_t::dst_layer_desc, dst_layer_desc)
                       .set(&dnnl_rnn_desc_t::dst_iter_desc, dst_iter_desc)
                       .backward()
                       .set(&dnnl_rnn_desc_t::diff_src_layer_desc, diff_src_layer_desc)
                       .set(&dnnl_rnn_desc_t::diff_src_iter_desc, diff_src_iter_desc)
                       .set(&dnnl_rnn_desc_t::diff_augru_attention_desc, diff_attention_desc)
                       .set(&dnnl_rnn_desc_t::diff_weights_layer_desc, diff_weights_layer_desc)
                       .set(&dnnl_rnn_desc_t::diff_weights_iter_desc, diff_weights_iter_desc)
                       .set(&dnnl_rnn_desc_t::diff_bias_desc, diff_bias_desc)
                       .set(&dnnl_rnn_desc_t::diff_dst_layer_desc, diff_dst_layer_desc)
                       .set(&dnnl_rnn_desc_t::diff_dst_iter_desc, diff_dst_iter_desc),
                   &attr, aengine, &hint_fwd_pd, allow_empty);
    }

    memory::desc attention_desc() const { return this->augru_attention_desc(); }
    memory::desc diff_attention_desc() const { return this->diff_augru_attention_desc(); }
  };

  augru_backward_of() = default;
  augru_backward_of(const primitive_desc& pd) : primitive(pd) {}
  augru_backward_of(const primitive_desc& pd, const std::vector<uint8_t>& cache_blob) : primitive(pd, cache_blob) {}
};

}  // namespace detail

// It is gru with attention (t, n, 1) in src_layer's data type; one layer, left2right only.
struct augru_forward : public detail::augru_forward_of<algorithm::vanilla_augru> {
  using detail::augru_forward_of<algorithm::vanilla_augru>::augru_forward_of;
};

// Gradients, as vanilla_rnn_backward's; diff_attention is stored, not added.
struct augru_backward : public detail::augru_backward_of<algorithm::vanilla_augru> {
  using detail::augru_backward_of<algorithm::vanilla_augru>::augru_backward_of;
};

// It is augru with bias (l, d, 4, dhc): u, r, o, u'.
struct lbr_augru_forward : public detail::augru_forward_of<algorithm::lbr_augru> {
  using detail::augru_forward_of<algorithm::lbr_augru>::augru_forward_of;
};

// Gradients, as vanilla_rnn_backward's; diff_attention is stored, not added.
struct lbr_augru_backward : public detail::augru_backward_of<algorithm::lbr_augru> {
  using detail::augru_backward_of<algorithm::lbr_augru>::augru_backward_of;
};

}  // namespace tandem_v1
}  // namespace dnnl

#endif
