// Computations to be applied to a primitive's result. Reorder takes one `sum`; RNN takes none, and
// its primitive descriptor says so.
#ifndef DNNL_POST_OPS_HPP
#define DNNL_POST_OPS_HPP

#include "dnnl/primitive_base.hpp"

namespace dnnl {
inline namespace tandem_v1 {

// A list of at most 32 entries; the 33rd append throws. get_params_* throws invalid_arguments for
// an index out of range or an entry of another kind.
struct post_ops : public handle<dnnl_post_ops_t> {
  using handle<dnnl_post_ops_t>::handle;

  post_ops() {
    dnnl_post_ops_t result = nullptr;
    detail::check(tandem_post_ops_create(&result));
    reset(result);
  }

  int len() const { return tandem_post_ops_len(get()); }
  primitive::kind kind(int index) const {
    const dnnl_primitive_kind_t kind = tandem_post_ops_get_kind(get(), index);
    if (kind == dnnl_undefined_primitive) {
      detail::fail(dnnl_invalid_arguments, "post_ops: the index is not that of an entry");
    }
    return static_cast<primitive::kind>(kind);
  }

  // dst = result + scale * (what dst holds - zero_point), where dst's bytes are read as `type` if it is given.
  void append_sum(float scale = 1.f, memory::data_type type = memory::data_type::undef) { append_sum(scale, 0, type); }
  void append_sum(float scale, int32_t zero_point, memory::data_type type = memory::data_type::undef) {
    tandem_post_op_t op = entry(dnnl_sum);
    op.scale = scale;
    op.zero_point = zero_point;
    op.type = memory::convert_to_c(type);
    append(op);
  }
  void get_params_sum(int index, float& scale) const { scale = at(index, dnnl_sum).scale; }
  void get_params_sum(int index, float& scale, memory::data_type& type) const {
    int32_t zero_point;
    get_params_sum(index, scale, zero_point, type);
  }
  void get_params_sum(int index, float& scale, int32_t& zero_point, memory::data_type& type) const {
    const tandem_post_op_t op = at(index, dnnl_sum);
    scale = op.scale;
    zero_point = op.zero_point;
    type = static_cast<memory::data_type>(op.type);
  }

  void append_eltwise(float scale, algorithm aalgorithm, float alpha, float beta) {
    tandem_post_op_t op = entry(dnnl_eltwise);
    op.scale = scale;
    op.algorithm = convert_to_c(aalgorithm);
    op.alpha = alpha;
    op.beta = beta;
    append(op);
  }
  void append_eltwise(algorithm aalgorithm, float alpha, float beta) { append_eltwise(1.f, aalgorithm, alpha, beta); }
  void get_params_eltwise(int index, float& scale, algorithm& aalgorithm, float& alpha, float& beta) const {
    scale = at(index, dnnl_eltwise).scale;
    get_params_eltwise(index, aalgorithm, alpha, beta);
  }
  void get_params_eltwise(int index, algorithm& aalgorithm, float& alpha, float& beta) const {
    const tandem_post_op_t op = at(index, dnnl_eltwise);
    aalgorithm = static_cast<algorithm>(op.algorithm);
    alpha = op.alpha;
    beta = op.beta;
  }

  void append_binary(algorithm aalgorithm, const memory::desc& src1_desc) {
    tandem_post_op_t op = entry(dnnl_binary);
    op.algorithm = convert_to_c(aalgorithm);
    op.src1 = src1_desc.data;
    append(op);
  }
  void get_params_binary(int index, algorithm& aalgorithm, memory::desc& src1_desc) const {
    const tandem_post_op_t op = at(index, dnnl_binary);
    aalgorithm = static_cast<algorithm>(op.algorithm);
    src1_desc = memory::desc(op.src1);
  }

  void append_prelu(int mask) {
    tandem_post_op_t op = entry(dnnl_prelu);
    op.mask = mask;
    append(op);
  }
  void get_params_prelu(int index, int& mask) const { mask = at(index, dnnl_prelu).mask; }

  // A depthwise convolution after the primitive.
  void append_dw(memory::data_type weights_type, memory::data_type bias_type, memory::data_type dst_type,
                 memory::dim kernel, memory::dim stride, memory::dim padding) {
    tandem_post_op_t op = entry(dnnl_convolution);
    op.weights_type = memory::convert_to_c(weights_type);
    op.bias_type = memory::convert_to_c(bias_type);
    op.type = memory::convert_to_c(dst_type);
    op.kernel = kernel;
    op.stride = stride;
    op.padding = padding;
    append(op);
  }
  void get_params_dw(int index, memory::data_type& weights_type, memory::data_type& bias_type,
                     memory::data_type& dst_type, memory::dim& kernel, memory::dim& stride,
                     memory::dim& padding) const {
    const tandem_post_op_t op = at(index, dnnl_convolution);
    weights_type = static_cast<memory::data_type>(op.weights_type);
    bias_type = static_cast<memory::data_type>(op.bias_type);
    dst_type = static_cast<memory::data_type>(op.type);
    kernel = op.kernel;
    stride = op.stride;
    padding = op.padding;
  }

 private:
  static tandem_post_op_t entry(dnnl_primitive_kind_t kind) {
    tandem_post_op_t op;
    std::memset(&op, 0, sizeof op);
    op.kind = kind;
    op.scale = 1.f;
    return op;
  }
  void append(const tandem_post_op_t& op) { detail::check(tandem_post_ops_append(get(), &op)); }
  tandem_post_op_t at(int index, dnnl_primitive_kind_t kind) const {
    tandem_post_op_t op;
    detail::check(tandem_post_ops_get(get(), index, kind, &op));
    return op;
  }
};

}  // namespace tandem_v1
}  // namespace dnnl

#endif
