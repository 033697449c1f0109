// GRU and GRU with the linear layer before the reset gate, forward and backward (spec/rnn.txt).
// Written by api/schema, not by hand.
#ifndef DNNL_GRU_HPP
#define DNNL_GRU_HPP

#include "dnnl/rnn_op.hpp"

namespace dnnl {
inline namespace tandem_v1 {

namespace detail {

// The classes of a cell that takes these tensors.
template <algorithm kCell>
struct gru_forward_of : public primitive {
  struct desc : public rnn_op {
    desc(prop_kind aprop_kind, rnn_direction direction, const memory::desc& src_layer_desc,
         const memory::desc& src_iter_desc, const memory::desc& weights_layer_desc,
         const memory::desc& weights_iter_desc, const memory::desc& bias_desc, const memory::desc& dst_layer_desc,
         const memory::desc& dst_iter_desc, rnn_flags flags = rnn_flags::undef)
        : rnn_op(rnn_op(aprop_kind, kCell, direction, flags)
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

    primitive_desc(const engine& aengine, prop_kind aprop_kind, rnn_direction direction,
                   const memory::desc& src_layer_desc, const memory::desc& src_iter_desc,
                   const memory::desc& weights_layer_desc, const memory::desc& weights_iter_desc,
                   const memory::desc& bias_desc, const memory::desc& dst_layer_desc, const memory::desc& dst_iter_desc,
                   const primitive_attr& attr = primitive_attr(), bool allow_empty = false) {
      this->create(rnn_op(aprop_kind, kCell, direction, rnn_flags::undef)
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

  gru_forward_of() = default;
  gru_forward_of(const primitive_desc& pd) : primitive(pd) {}
  gru_forward_of(const primitive_desc& pd, const std::vector<uint8_t>& cache_blob) : primitive(pd, cache_blob) {}
};

template <algorithm kCell>
struct gru_backward_of : public primitive {
  struct desc : public rnn_op {
    desc(prop_kind aprop_kind, rnn_direction direction, const memory::desc& src_layer_desc,
         const memory::desc& src_iter_desc, const memory::desc& weights_layer_desc,
         const memory::desc& weights_iter_desc, const memory::desc& bias_desc, const memory::desc& dst_layer_desc,
         const memory::desc& dst_iter_desc, const memory::desc& diff_src_layer_desc,
         const memory::desc& diff_src_iter_desc, const memory::desc& diff_weights_layer_desc,
         const memory::desc& diff_weights_iter_desc, const memory::desc& diff_bias_desc,
         const memory::desc& diff_dst_layer_desc, const memory::desc& diff_dst_iter_desc,
         rnn_flags flags = rnn_flags::undef)
        : rnn_op(rnn_op(aprop_kind, kCell, direction, flags)
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

  using pd_base = rnn_backward_primitive_desc<desc, kCell, typename gru_forward_of<kCell>::primitive_desc>;
  struct primitive_desc : public pd_base {
    using pd_base::pd_base;
    primitive_desc() = default;

    primitive_desc(const engine& aengine, prop_kind aprop_kind, rnn_direction direction,
                   const memory::desc& src_layer_desc, const memory::desc& src_iter_desc,
                   const memory::desc& weights_layer_desc, const memory::desc& weights_iter_desc,
                   const memory::desc& bias_desc, const memory::desc& dst_layer_desc, const memory::desc& dst_iter_desc,
                   const memory::desc& diff_src_layer_desc, const memory::desc& diff_src_iter_desc,
                   const memory::desc& diff_weights_layer_desc, const memory::desc& diff_weights_iter_desc,
                   const memory::desc& diff_bias_desc, const memory::desc& diff_dst_layer_desc,
                   const memory::desc& diff_dst_iter_desc,
                   const typename gru_forward_of<kCell>::primitive_desc& hint_fwd_pd,
                   const primitive_attr& attr = primitive_attr(), bool allow_empty = false) {
      this->create(rnn_op(aprop_kind, kCell, direction, rnn_flags::undef)
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

  gru_backward_of() = default;
  gru_backward_of(const primitive_desc& pd) : primitive(pd) {}
  gru_backward_of(const primitive_desc& pd, const std::vector<uint8_t>& cache_blob) : primitive(pd, cache_blob) {}
};

}  // namespace detail

// Gates in the order u, r, o. Dims: src_layer (t, n, slc), src_iter and dst_iter (l, d, n, sic =
// dhc), weights_layer (l, d, slc, 3, dhc), weights_iter (l, d, sic, 3, dhc), bias (l, d, 3, dhc),
// dst_layer (t, n, dlc). src_iter, bias and dst_iter may be zero descriptors. Wrong dims throw
// invalid_arguments, other data types than spec/rnn.txt's unimplemented.
struct gru_forward : public detail::gru_forward_of<algorithm::vanilla_gru> {
  using detail::gru_forward_of<algorithm::vanilla_gru>::gru_forward_of;
};

// Gradients, as vanilla_rnn_backward's.
struct gru_backward : public detail::gru_backward_of<algorithm::vanilla_gru> {
  using detail::gru_backward_of<algorithm::vanilla_gru>::gru_backward_of;
};

// It is gru with bias (l, d, 4, dhc): u, r, o, u'.
struct lbr_gru_forward : public detail::gru_forward_of<algorithm::lbr_gru> {
  using detail::gru_forward_of<algorithm::lbr_gru>::gru_forward_of;
};

// Gradients, as vanilla_rnn_backward's.
struct lbr_gru_backward : public detail::gru_backward_of<algorithm::lbr_gru> {
  using detail::gru_backward_of<algorithm::lbr_gru>::gru_backward_of;
};

}  // namespace tandem_v1
}  // namespace dnnl

#endif
