// The parts of the RNN operation descriptors.
#ifndef DNNL_RNN_OP_HPP
#define DNNL_RNN_OP_HPP

#include "dnnl/primitive.hpp"

namespace dnnl {
inline namespace tandem_v1 {
namespace detail {

// The problem of an RNN primitive, built up tensor by tensor. Nothing is checked before check() or
// a primitive descriptor is made.
struct rnn_op {
  dnnl_rnn_desc_t data;
  // The pass that the class computes, whatever propagation kind it is asked for: dnnl_forward or dnnl_backward.
  dnnl_prop_kind_t pass = dnnl_forward;

  // Makes an operation without tensors.
  rnn_op(prop_kind prop, algorithm cell, rnn_direction direction, rnn_flags flags) {
    std::memset(&data, 0, sizeof data);
    data.primitive_kind = dnnl_rnn;
    data.prop_kind = convert_to_c(prop);
    data.cell_kind = convert_to_c(cell);
    data.direction = convert_to_c(direction);
    data.flags = static_cast<unsigned>(flags);
  }

  rnn_op& activation(algorithm kind, float alpha, float beta) {
    data.activation_kind = convert_to_c(kind);
    data.alpha = alpha;
    data.beta = beta;
    return *this;
  }
  rnn_op& set(::dnnl_memory_desc dnnl_rnn_desc_t::*tensor, const memory::desc& md) {
    data.*tensor = md.data;
    return *this;
  }
  rnn_op& backward() {
    pass = dnnl_backward;
    return *this;
  }

  // Throws what a primitive descriptor with default attributes would throw for the problem itself.
  void check() const {
    detail::check(tandem_rnn_prop_kind_check(data.prop_kind, pass));
    detail::check(tandem_rnn_desc_check(&data, sizeof data));
  }
};

inline dnnl_status_t create(dnnl_primitive_desc_t* pd, const rnn_op& op, const primitive_attr* attr,
                            const engine& aengine, const_dnnl_primitive_desc_t hint) {
  const dnnl_status_t status = tandem_rnn_prop_kind_check(op.data.prop_kind, op.pass);
  if (status != dnnl_success) return status;
  return tandem_rnn_primitive_desc_create_sized(pd, &op.data, sizeof op.data, attr != nullptr ? attr->get() : nullptr,
                                                aengine.get(true), hint);
}

}  // namespace detail

// Queries common to all cells. Tensors that the cell or the problem does not have are zero descriptors.
struct rnn_primitive_desc_base : public primitive_desc {
  using primitive_desc::primitive_desc;
  rnn_primitive_desc_base() = default;
  // Shares `pd`, which must be of this cell and direction of propagation.
  rnn_primitive_desc_base(dnnl_primitive_desc_t pd, prop_kind prop, algorithm cell) {
    adopt(pd, dnnl_rnn, convert_to_c(prop), convert_to_c(cell));
  }

  // api/schema: accessors
  memory::desc src_layer_desc() const { return arg(DNNL_ARG_SRC_LAYER); }
  memory::desc src_iter_desc() const { return arg(DNNL_ARG_SRC_ITER); }
  memory::desc src_iter_c_desc() const { return arg(DNNL_ARG_SRC_ITER_C); }
  memory::desc augru_attention_desc() const { return arg(DNNL_ARG_AUGRU_ATTENTION); }
  memory::desc weights_layer_desc() const { return arg(DNNL_ARG_WEIGHTS_LAYER); }
  memory::desc weights_iter_desc() const { return arg(DNNL_ARG_WEIGHTS_ITER); }
  memory::desc weights_peephole_desc() const { return arg(DNNL_ARG_WEIGHTS_PEEPHOLE); }
  memory::desc weights_projection_desc() const { return arg(DNNL_ARG_WEIGHTS_PROJECTION); }
  memory::desc bias_desc() const { return arg(DNNL_ARG_BIAS); }
  memory::desc dst_layer_desc() const { return arg(DNNL_ARG_DST_LAYER); }
  memory::desc dst_iter_desc() const { return arg(DNNL_ARG_DST_ITER); }
  memory::desc dst_iter_c_desc() const { return arg(DNNL_ARG_DST_ITER_C); }
  memory::desc diff_src_layer_desc() const { return arg(DNNL_ARG_DIFF_SRC_LAYER); }
  memory::desc diff_src_iter_desc() const { return arg(DNNL_ARG_DIFF_SRC_ITER); }
  memory::desc diff_src_iter_c_desc() const { return arg(DNNL_ARG_DIFF_SRC_ITER_C); }
  memory::desc diff_augru_attention_desc() const { return arg(DNNL_ARG_DIFF_AUGRU_ATTENTION); }
  memory::desc diff_weights_layer_desc() const { return arg(DNNL_ARG_DIFF_WEIGHTS_LAYER); }
  memory::desc diff_weights_iter_desc() const { return arg(DNNL_ARG_DIFF_WEIGHTS_ITER); }
  memory::desc diff_weights_peephole_desc() const { return arg(DNNL_ARG_DIFF_WEIGHTS_PEEPHOLE); }
  memory::desc diff_weights_projection_desc() const { return arg(DNNL_ARG_DIFF_WEIGHTS_PROJECTION); }
  memory::desc diff_bias_desc() const { return arg(DNNL_ARG_DIFF_BIAS); }
  memory::desc diff_dst_layer_desc() const { return arg(DNNL_ARG_DIFF_DST_LAYER); }
  memory::desc diff_dst_iter_desc() const { return arg(DNNL_ARG_DIFF_DST_ITER); }
  memory::desc diff_dst_iter_c_desc() const { return arg(DNNL_ARG_DIFF_DST_ITER_C); }
  memory::desc sequence_lengths_desc() const { return arg(TANDEM_ARG_SEQUENCE_LENGTHS); }
  memory::desc norm_gain_desc() const { return arg(TANDEM_ARG_NORM_GAIN); }
  memory::desc norm_offset_desc() const { return arg(TANDEM_ARG_NORM_OFFSET); }
  memory::desc diff_norm_gain_desc() const { return arg(TANDEM_ARG_DIFF_NORM_GAIN); }
  memory::desc diff_norm_offset_desc() const { return arg(TANDEM_ARG_DIFF_NORM_OFFSET); }
  memory::desc mask_layer_desc() const { return arg(TANDEM_ARG_MASK_LAYER); }
  memory::desc mask_iter_desc() const { return arg(TANDEM_ARG_MASK_ITER); }
  memory::desc zoneout_iter_desc() const { return arg(TANDEM_ARG_ZONEOUT_ITER); }
  memory::desc zoneout_iter_c_desc() const { return arg(TANDEM_ARG_ZONEOUT_ITER_C); }
  // api/schema: end

 private:
  memory::desc arg(int index) const { return query_md(query::exec_arg_md, index); }
};

namespace detail {

// A cell's primitive descriptor takes these besides its own tensors: the C handle, shared after a check that it is of this class
// (else invalid_arguments), and generation 2's operation descriptor.
template <class op_desc, algorithm cell>
struct rnn_forward_primitive_desc : public rnn_primitive_desc_base {
  rnn_forward_primitive_desc() = default;
  rnn_forward_primitive_desc(dnnl_primitive_desc_t pd) : rnn_primitive_desc_base(pd, prop_kind::forward, cell) {}
  rnn_forward_primitive_desc(const op_desc& op, const engine& aengine, bool allow_empty = false) {
    create(op, nullptr, aengine, nullptr, allow_empty);
  }
  rnn_forward_primitive_desc(const op_desc& op, const primitive_attr& attr, const engine& aengine,
                             bool allow_empty = false) {
    create(op, &attr, aengine, nullptr, allow_empty);
  }
};

// It is rnn_forward_primitive_desc with the descriptor of the forward primitive that makes the workspace.
template <class op_desc, algorithm cell, class hint_fwd>
struct rnn_backward_primitive_desc : public rnn_primitive_desc_base {
  rnn_backward_primitive_desc() = default;
  rnn_backward_primitive_desc(dnnl_primitive_desc_t pd) : rnn_primitive_desc_base(pd, prop_kind::backward, cell) {}
  rnn_backward_primitive_desc(const op_desc& op, const engine& aengine, const hint_fwd& hint_fwd_pd,
                              bool allow_empty = false) {
    create(op, nullptr, aengine, &hint_fwd_pd, allow_empty);
  }
  rnn_backward_primitive_desc(const op_desc& op, const primitive_attr& attr, const engine& aengine,
                              const hint_fwd& hint_fwd_pd, bool allow_empty = false) {
    create(op, &attr, aengine, &hint_fwd_pd, allow_empty);
  }
};

}  // namespace detail

}  // namespace tandem_v1
}  // namespace dnnl

#endif
