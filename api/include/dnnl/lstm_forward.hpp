// LSTM, with optional peephole and projection, forward (spec/rnn.txt).
#ifndef DNNL_LSTM_FORWARD_HPP
#define DNNL_LSTM_FORWARD_HPP

#include "dnnl/rnn_op.hpp"

namespace dnnl {
inline namespace tandem_v1 {

namespace detail {

inline rnn_op lstm(prop_kind aprop_kind, rnn_direction direction, rnn_flags flags, const memory::desc& src_layer_desc,
                   const memory::desc& src_iter_desc, const memory::desc& src_iter_c_desc,
                   const memory::desc& weights_layer_desc, const memory::desc& weights_iter_desc,
                   const memory::desc& weights_peephole_desc, const memory::desc& weights_projection_desc,
                   const memory::desc& bias_desc, const memory::desc& dst_layer_desc, const memory::desc& dst_iter_desc,
                   const memory::desc& dst_iter_c_desc) {
  rnn_op op(aprop_kind, algorithm::vanilla_lstm, direction, flags, src_layer_desc, src_iter_desc, weights_layer_desc,
            weights_iter_desc, bias_desc, dst_layer_desc, dst_iter_desc);
  op.cell_state(src_iter_c_desc, dst_iter_c_desc);
  op.peephole(weights_peephole_desc).projection(weights_projection_desc);
  return op;
}

}  // namespace detail

// Gates in the order i, f, c~, o; peephole i, f, o. Dims: src_layer (t, n, slc), src_iter (l, d, n, sic), src_iter_c
// and dst_iter_c (l, d, n, dhc), weights_layer (l, d, slc, 4, dhc), weights_iter (l, d, sic, 4, dhc), weights_peephole
// (l, d, 3, dhc), weights_projection (l, d, dhc, dic), bias (l, d, 4, dhc), dst_layer (t, n, dlc), dst_iter (l, d, n,
// dic). Without projection dic = dhc. src_iter with src_iter_c, dst_iter with dst_iter_c, peephole, projection and bias
// may be zero descriptors. Wrong dims throw invalid_arguments, other data types than spec/rnn.txt's unimplemented.
struct lstm_forward : public primitive {
  struct desc : public detail::rnn_op {
    desc(prop_kind aprop_kind, rnn_direction direction, const memory::desc& src_layer_desc,
         const memory::desc& src_iter_desc, const memory::desc& src_iter_c_desc, const memory::desc& weights_layer_desc,
         const memory::desc& weights_iter_desc, const memory::desc& weights_peephole_desc,
         const memory::desc& weights_projection_desc, const memory::desc& bias_desc, const memory::desc& dst_layer_desc,
         const memory::desc& dst_iter_desc, const memory::desc& dst_iter_c_desc, rnn_flags flags = rnn_flags::undef)
        : rnn_op(detail::lstm(aprop_kind, direction, flags, src_layer_desc, src_iter_desc, src_iter_c_desc,
                              weights_layer_desc, weights_iter_desc, weights_peephole_desc, weights_projection_desc,
                              bias_desc, dst_layer_desc, dst_iter_desc, dst_iter_c_desc)) {
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

  using pd_base = detail::rnn_forward_primitive_desc<desc, algorithm::vanilla_lstm>;
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
      create(detail::lstm(aprop_kind, direction, rnn_flags::undef, src_layer_desc, src_iter_desc, src_iter_c_desc,
                          weights_layer_desc, weights_iter_desc, weights_peephole_desc, weights_projection_desc,
                          bias_desc, dst_layer_desc, dst_iter_desc, dst_iter_c_desc),
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

  lstm_forward() = default;
  lstm_forward(const primitive_desc& pd) : primitive(pd) {}
  lstm_forward(const primitive_desc& pd, const std::vector<uint8_t>& cache_blob) : primitive(pd, cache_blob) {}
};

}  // namespace tandem_v1
}  // namespace dnnl

#endif
