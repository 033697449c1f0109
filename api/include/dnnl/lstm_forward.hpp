// LSTM, with optional peephole and projection, forward (spec/rnn.txt).
// Written by api/schema, not by hand.
#ifndef DNNL_LSTM_FORWARD_HPP
#define DNNL_LSTM_FORWARD_HPP

#include "dnnl/rnn_op.hpp"

namespace dnnl {
inline namespace tandem_v1 {

namespace detail {

// The classes of a cell that takes these tensors.
template <algorithm kCell>
struct lstm_forward_of : public primitive {
  struct desc : public rnn_op {
    desc(prop_kind aprop_kind, rnn_direction direction, const memory::desc& src_layer_desc,
         const memory::desc& src_iter_desc, const memory::desc& src_iter_c_desc, const memory::desc& weights_layer_desc,
         const memory::desc& weights_iter_desc, const memory::desc& weights_peephole_desc,
         const memory::desc& weights_projection_desc, const memory::desc& bias_desc, const memory::desc& dst_layer_desc,
         const memory::desc& dst_iter_desc, const memory::desc& dst_iter_c_desc, rnn_flags flags = rnn_flags::undef)
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
                     .set(&dnnl_rnn_desc_t::dst_iter_c_desc, dst_iter_c_desc)) {
      check();
    }
    desc(prop_kind aprop_kind, rnn_direction direction, const memory::desc& src_layer_desc,
         const memory::desc& src_iter_desc, const memory::desc& src_iter_c_desc, const memory::desc& weights_layer_desc,
         const memory::desc& weights_iter_desc, const memory::desc& weights_peephole_desc,
         const memory::desc& bias_desc, const memory::desc& dst_layer_desc, const memory::desc& dst_iter_desc,
         const memory::desc& dst_iter_c_desc, rnn_flags flags = rnn_flags::undef)
        : desc(aprop_kind, direction, src_layer_desc, src_iter_desc, src_iter_c_desc, weights_layer_desc,
               weights_iter_desc, weights_peephole_desc, memory::desc(), bias_desc, dst_layer_desc, dst_iter_desc,
               dst_iter_c_desc, flags) {}
    desc(prop_kind aprop_kind, rnn_direction direction, const memory::desc& src_layer_desc,
         const memory::desc& src_iter_desc, const memory::desc& src_iter_c_desc, const memory::desc& weights_layer_desc,
         const memory::desc& weights_iter_desc, const memory::desc& bias_desc, const memory::desc& dst_layer_desc,
         const memory::desc& dst_iter_desc, const memory::desc& dst_iter_c_desc, rnn_flags flags = rnn_flags::undef)
        : desc(aprop_kind, direction, src_layer_desc, src_iter_desc, src_iter_c_desc, weights_layer_desc,
               weights_iter_desc, memory::desc(), memory::desc(), bias_desc, dst_layer_desc, dst_iter_desc,
               dst_iter_c_desc, flags) {}
  };

  using pd_base = rnn_forward_primitive_desc<desc, kCell>;
  struct primitive_desc : public pd_base {
    using pd_base::pd_base;
    primitive_desc() = default;

    primitive_desc(const engine& aengine, prop_kind aprop_kind, rnn_direction direction,
                   const memory::desc& src_layer_desc, const memory::desc& src_iter_desc,
                   const memory::desc& src_iter_c_desc, const memory::desc& weights_layer_desc,
                   const memory::desc& weights_iter_desc, const memory::desc& weights_peephole_desc,
                   const memory::desc& weights_projection_desc, const memory::desc& bias_desc,
                   const memory::desc& dst_layer_desc, const memory::desc& dst_iter_desc,
                   const memory::desc& dst_iter_c_desc, const primitive_attr& attr = primitive_attr(),
                   bool allow_empty = false) {
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
                       .set(&dnnl_rnn_desc_t::dst_iter_c_desc, dst_iter_c_desc),
                   &attr, aengine, nullptr, allow_empty);
    }
    primitive_desc(const engine& aengine, prop_kind aprop_kind, rnn_direction direction,
                   const memory::desc& src_layer_desc, const memory::desc& src_iter_desc,
                   const memory::desc& src_iter_c_desc, const memory::desc& weights_layer_desc,
                   const memory::desc& weights_iter_desc, const memory::desc& weights_peephole_desc,
                   const memory::desc& bias_desc, const memory::desc& dst_layer_desc, const memory::desc& dst_iter_desc,
                   const memory::desc& dst_iter_c_desc, const primitive_attr& attr = primitive_attr(),
                   bool allow_empty = false)
        : primitive_desc(aengine, aprop_kind, direction, src_layer_desc, src_iter_desc, src_iter_c_desc,
                         weights_layer_desc, weights_iter_desc, weights_peephole_desc, memory::desc(), bias_desc,
                         dst_layer_desc, dst_iter_desc, dst_iter_c_desc, attr, allow_empty) {}
    primitive_desc(const engine& aengine, prop_kind aprop_kind, rnn_direction direction,
                   const memory::desc& src_layer_desc, const memory::desc& src_iter_desc,
                   const memory::desc& src_iter_c_desc, const memory::desc& weights_layer_desc,
                   const memory::desc& weights_iter_desc, const memory::desc& bias_desc,
                   const memory::desc& dst_layer_desc, const memory::desc& dst_iter_desc,
                   const memory::desc& dst_iter_c_desc, const primitive_attr& attr = primitive_attr(),
                   bool allow_empty = false)
        : primitive_desc(aengine, aprop_kind, direction, src_layer_desc, src_iter_desc, src_iter_c_desc,
                         weights_layer_desc, weights_iter_desc, memory::desc(), memory::desc(), bias_desc,
                         dst_layer_desc, dst_iter_desc, dst_iter_c_desc, attr, allow_empty) {}
  };

  lstm_forward_of() = default;
  lstm_forward_of(const primitive_desc& pd) : primitive(pd) {}
  lstm_forward_of(const primitive_desc& pd, const std::vector<uint8_t>& cache_blob) : primitive(pd, cache_blob) {}
};

}  // namespace detail

// Gates in the order i, f, c~, o; peephole i, f, o. Dims: src_layer (t, n, slc), src_iter (l, d, n, sic), src_iter_c
// and dst_iter_c (l, d, n, dhc), weights_layer (l, d, slc, 4, dhc), weights_iter (l, d, sic, 4, dhc), weights_peephole
// (l, d, 3, dhc), weights_projection (l, d, dhc, dic), bias (l, d, 4, dhc), dst_layer (t, n, dlc), dst_iter (l, d, n,
// dic). Without projection dic = dhc. src_iter with src_iter_c, dst_iter with dst_iter_c, peephole, projection and bias
// may be zero descriptors. Wrong dims throw invalid_arguments, other data types than spec/rnn.txt's unimplemented.
struct lstm_forward : public detail::lstm_forward_of<algorithm::vanilla_lstm> {
  using detail::lstm_forward_of<algorithm::vanilla_lstm>::lstm_forward_of;
};

}  // namespace tandem_v1
}  // namespace dnnl

#endif
