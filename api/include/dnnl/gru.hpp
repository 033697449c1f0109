// GRU and GRU with the linear layer before the reset gate, forward and backward (spec/rnn.txt).
#ifndef DNNL_GRU_HPP
#define DNNL_GRU_HPP

#include "dnnl/rnn_op.hpp"

namespace dnnl {
inline namespace tandem_v1 {

namespace detail {

inline rnn_op gru(prop_kind aprop_kind, algorithm cell, rnn_direction direction, rnn_flags flags,
                  const memory::desc& src_layer_desc, const memory::desc& src_iter_desc,
                  const memory::desc& weights_layer_desc, const memory::desc& weights_iter_desc,
                  const memory::desc& bias_desc, const memory::desc& dst_layer_desc,
                  const memory::desc& dst_iter_desc) {
  rnn_op op(aprop_kind, cell, direction, flags);
  op.src(src_layer_desc, src_iter_desc).weights(weights_layer_desc, weights_iter_desc, bias_desc);
  op.dst(dst_layer_desc, dst_iter_desc);
  return op;
}

inline rnn_op gru_backward(prop_kind aprop_kind, algorithm cell, rnn_direction direction, rnn_flags flags,
                           const memory::desc& src_layer_desc, const memory::desc& src_iter_desc,
                           const memory::desc& weights_layer_desc, const memory::desc& weights_iter_desc,
                           const memory::desc& bias_desc, const memory::desc& dst_layer_desc,
                           const memory::desc& dst_iter_desc, const memory::desc& diff_src_layer_desc,
                           const memory::desc& diff_src_iter_desc, const memory::desc& diff_weights_layer_desc,
                           const memory::desc& diff_weights_iter_desc, const memory::desc& diff_bias_desc,
                           const memory::desc& diff_dst_layer_desc, const memory::desc& diff_dst_iter_desc) {
  rnn_op op = gru(aprop_kind, cell, direction, flags, src_layer_desc, src_iter_desc, weights_layer_desc,
                  weights_iter_desc, bias_desc, dst_layer_desc, dst_iter_desc);
  op.diff_src(diff_src_layer_desc, diff_src_iter_desc);
  op.diff_weights(diff_weights_layer_desc, diff_weights_iter_desc, diff_bias_desc);
  op.diff_dst(diff_dst_layer_desc, diff_dst_iter_desc);
  return op;
}

// The classes of a cell that takes these tensors.
template <algorithm kCell>
struct gru_forward_of : public primitive {
  struct desc : public detail::rnn_op {
    desc(prop_kind aprop_kind, rnn_direction direction, const memory::desc& src_layer_desc,
         const memory::desc& src_iter_desc, const memory::desc& weights_layer_desc,
         const memory::desc& weights_iter_desc, const memory::desc& bias_desc, const memory::desc& dst_layer_desc,
         const memory::desc& dst_iter_desc, rnn_flags flags = rnn_flags::undef)
        : rnn_op(gru(aprop_kind, kCell, direction, flags, src_layer_desc, src_iter_desc, weights_layer_desc,
                     weights_iter_desc, bias_desc, dst_layer_desc, dst_iter_desc)) {
      check();
    }
  };

  struct primitive_desc : public rnn_primitive_desc_base {
    primitive_desc() = default;
    // Shares `pd`; throws invalid_arguments if it is not of this class.
    primitive_desc(dnnl_primitive_desc_t pd) : rnn_primitive_desc_base(pd, prop_kind::forward, kCell) {}
    primitive_desc(const desc& op, const engine& aengine, bool allow_empty = false) {
      create(op, nullptr, aengine, nullptr, allow_empty);
    }
    primitive_desc(const desc& op, const primitive_attr& attr, const engine& aengine, bool allow_empty = false) {
      create(op, &attr, aengine, nullptr, allow_empty);
    }

    primitive_desc(const engine& aengine, prop_kind aprop_kind, rnn_direction direction,
                   const memory::desc& src_layer_desc, const memory::desc& src_iter_desc,
                   const memory::desc& weights_layer_desc, const memory::desc& weights_iter_desc,
                   const memory::desc& bias_desc, const memory::desc& dst_layer_desc, const memory::desc& dst_iter_desc,
                   const primitive_attr& attr = primitive_attr(), bool allow_empty = false) {
      create(gru(aprop_kind, kCell, direction, rnn_flags::undef, src_layer_desc, src_iter_desc, weights_layer_desc,
                 weights_iter_desc, bias_desc, dst_layer_desc, dst_iter_desc),
             &attr, aengine, nullptr, allow_empty);
    }
  };

  gru_forward_of() = default;
  gru_forward_of(const primitive_desc& pd) : primitive(pd) {}
  gru_forward_of(const primitive_desc& pd, const std::vector<uint8_t>& cache_blob) : primitive(pd, cache_blob) {}
};

template <algorithm kCell>
struct gru_backward_of : public primitive {
  struct desc : public detail::rnn_op {
    desc(prop_kind aprop_kind, rnn_direction direction, const memory::desc& src_layer_desc,
         const memory::desc& src_iter_desc, const memory::desc& weights_layer_desc,
         const memory::desc& weights_iter_desc, const memory::desc& bias_desc, const memory::desc& dst_layer_desc,
         const memory::desc& dst_iter_desc, const memory::desc& diff_src_layer_desc,
         const memory::desc& diff_src_iter_desc, const memory::desc& diff_weights_layer_desc,
         const memory::desc& diff_weights_iter_desc, const memory::desc& diff_bias_desc,
         const memory::desc& diff_dst_layer_desc, const memory::desc& diff_dst_iter_desc,
         rnn_flags flags = rnn_flags::undef)
        : rnn_op(gru_backward(aprop_kind, kCell, direction, flags, src_layer_desc, src_iter_desc, weights_layer_desc,
                              weights_iter_desc, bias_desc, dst_layer_desc, dst_iter_desc, diff_src_layer_desc,
                              diff_src_iter_desc, diff_weights_layer_desc, diff_weights_iter_desc, diff_bias_desc,
                              diff_dst_layer_desc, diff_dst_iter_desc)) {
      check();
    }
  };

  struct primitive_desc : public rnn_primitive_desc_base {
    primitive_desc() = default;
    // Shares `pd`; throws invalid_arguments if it is not of this class.
    primitive_desc(dnnl_primitive_desc_t pd) : rnn_primitive_desc_base(pd, prop_kind::backward, kCell) {}
    primitive_desc(const desc& op, const engine& aengine,
                   const typename gru_forward_of<kCell>::primitive_desc& hint_fwd_pd, bool allow_empty = false) {
      create(op, nullptr, aengine, &hint_fwd_pd, allow_empty);
    }
    primitive_desc(const desc& op, const primitive_attr& attr, const engine& aengine,
                   const typename gru_forward_of<kCell>::primitive_desc& hint_fwd_pd, bool allow_empty = false) {
      create(op, &attr, aengine, &hint_fwd_pd, allow_empty);
    }

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
      create(gru_backward(aprop_kind, kCell, direction, rnn_flags::undef, src_layer_desc, src_iter_desc,
                          weights_layer_desc, weights_iter_desc, bias_desc, dst_layer_desc, dst_iter_desc,
                          diff_src_layer_desc, diff_src_iter_desc, diff_weights_layer_desc, diff_weights_iter_desc,
                          diff_bias_desc, diff_dst_layer_desc, diff_dst_iter_desc),
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

// As gru, with bias (l, d, 4, dhc): u, r, o, u'.
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
