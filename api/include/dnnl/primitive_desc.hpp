// Primitive descriptors: a problem with attributes, and the implementation that will serve it.
#ifndef DNNL_PRIMITIVE_DESC_HPP
#define DNNL_PRIMITIVE_DESC_HPP

#include "dnnl/attr.hpp"

namespace dnnl {
inline namespace tandem_v1 {

struct primitive_desc_base : public handle<dnnl_primitive_desc_t> {
  using handle<dnnl_primitive_desc_t>::handle;
  primitive_desc_base() = default;

  engine get_engine() const { return engine_of(dnnl_query_engine); }
  // "hwy:avx3_spr", "ref:scalar". Lives as long as the descriptor.
  const char* impl_info_str() const { return tandem_primitive_desc_get_impl_info(get()); }

  // 0 for what the primitive does not know. memory_consumption_s64: bytes that a primitive will own.
  memory::dim query_s64(query what) const {
    int64_t value = 0;
    const dnnl_status_t status = tandem_primitive_desc_query_int(get(), convert_to_c(what), &value);
    return status == dnnl_success ? value : 0;
  }
  // A zero descriptor where the primitive has no such tensor; throws invalid_arguments if `what` is
  // not a query for memory descriptors. For query::exec_arg_md, `index` is a DNNL_ARG_*.
  memory::desc query_md(query what, int index = 0) const {
    memory::desc md;
    detail::check(tandem_primitive_desc_query_md(get(), convert_to_c(what), index, &md.data));
    return md;
  }
  memory::desc src_desc(int index) const { return query_md(query::src_md, index); }
  memory::desc dst_desc(int index) const { return query_md(query::dst_md, index); }
  memory::desc weights_desc(int index) const { return query_md(query::weights_md, index); }
  memory::desc diff_src_desc(int index) const { return query_md(query::diff_src_md, index); }
  memory::desc diff_dst_desc(int index) const { return query_md(query::diff_dst_md, index); }
  memory::desc diff_weights_desc(int index) const { return query_md(query::diff_weights_md, index); }
  memory::desc src_desc() const { return src_desc(0); }
  memory::desc dst_desc() const { return dst_desc(0); }
  memory::desc weights_desc() const { return weights_desc(0); }
  memory::desc diff_src_desc() const { return diff_src_desc(0); }
  memory::desc diff_dst_desc() const { return diff_dst_desc(0); }
  memory::desc diff_weights_desc() const { return diff_weights_desc(0); }
  // Bytes that forward_training leaves for backward; zero for inference.
  memory::desc workspace_desc() const { return query_md(query::workspace_md); }
  // Bytes that execute() needs as DNNL_ARG_SCRATCHPAD; zero in scratchpad_mode::library.
  memory::desc scratchpad_desc() const { return query_md(query::scratchpad_md); }
  engine scratchpad_engine() const { return engine_of(dnnl_query_scratchpad_engine); }

  // A copy of the attributes that the descriptor was made with.
  primitive_attr get_primitive_attr() const {
    dnnl_primitive_attr_t result = nullptr;
    detail::check(tandem_primitive_desc_get_attr(get(), &result));
    return primitive_attr(result);
  }
  primitive::kind get_kind() const { return kind_of<primitive::kind>(dnnl_query_primitive_kind); }
  // Equal for descriptors whose primitives are interchangeable.
  std::vector<uint8_t> get_cache_blob_id() const {
    size_t size = 0;
    const uint8_t* bytes = nullptr;
    detail::check(tandem_primitive_desc_get_cache_blob_id(get(), &size, &bytes));
    return std::vector<uint8_t>(bytes, bytes + size);
  }

  // `undef` and 0 for what the primitive does not have.
  prop_kind get_prop_kind() const { return kind_of<prop_kind>(dnnl_query_prop_kind); }
  algorithm get_algorithm() const { return kind_of<algorithm>(dnnl_query_alg_kind); }
  algorithm get_cell_kind() const { return kind_of<algorithm>(dnnl_query_cell_kind); }
  algorithm get_activation_kind() const { return kind_of<algorithm>(dnnl_query_activation_kind); }
  rnn_direction get_direction() const { return kind_of<rnn_direction>(dnnl_query_direction); }
  float get_alpha() const { return query_f32(dnnl_query_alpha_f32); }
  float get_beta() const { return query_f32(dnnl_query_beta_f32); }
  float get_epsilon() const { return query_f32(dnnl_query_epsilon_f32); }
  float get_k() const { return query_f32(dnnl_query_k_f32); }
  float get_p() const { return query_f32(dnnl_query_p_f32); }
  template <typename T = unsigned>
  T get_flags() const {
    return kind_of<T>(dnnl_query_flags);
  }
  int get_axis() const { return -1; }  // of primitives along one dim, which these are not
  memory::dim get_local_size() const { return query_s64(query::local_size_s64); }
  memory::dim get_group_size() const { return query_s64(query::group_size_s64); }
  // Always empty: only primitives with windows have strides.
  memory::dims get_strides() const { return memory::dims(); }
  memory::dims get_dilations() const { return memory::dims(); }
  memory::dims get_padding_l() const { return memory::dims(); }
  memory::dims get_padding_r() const { return memory::dims(); }
  memory::dims get_kernel() const { return memory::dims(); }
  std::vector<float> get_factors() const { return std::vector<float>(); }

 protected:
  engine engine_of(dnnl_query_t which) const {
    dnnl_engine_t result = nullptr;
    detail::check(tandem_primitive_desc_get_engine(get(), which, &result));
    return engine(result);
  }
  // Takes over `pd`; on failure throws, or stays empty if that is allowed.
  void settle(dnnl_status_t status, dnnl_primitive_desc_t pd, bool allow_empty) {
    if (status == dnnl_success) {
      reset(pd);
    } else if (!allow_empty) {
      detail::check(status);
    }
  }
  // Shares `pd` after a check that it is what this class describes.
  void adopt(dnnl_primitive_desc_t pd, dnnl_primitive_kind_t kind, dnnl_prop_kind_t prop, dnnl_alg_kind_t cell);

 private:
  template <typename T>
  T kind_of(dnnl_query_t which) const {
    int64_t value = 0;
    const dnnl_status_t status = tandem_primitive_desc_query_int(get(), which, &value);
    return static_cast<T>(status == dnnl_success ? static_cast<int>(value) : 0);
  }
  float query_f32(dnnl_query_t which) const {
    float value = 0.f;
    const dnnl_status_t status = tandem_primitive_desc_query_f32(get(), which, &value);
    return status == dnnl_success ? value : 0.f;
  }
};

inline void primitive_desc_base::adopt(dnnl_primitive_desc_t pd, dnnl_primitive_kind_t kind, dnnl_prop_kind_t prop,
                                       dnnl_alg_kind_t cell) {
  primitive_desc_base candidate(pd, true);
  if (pd == nullptr) return;
  const bool is_backward = convert_to_c(candidate.get_prop_kind()) == dnnl_backward;
  if (convert_to_c(candidate.get_kind()) != kind || convert_to_c(candidate.get_cell_kind()) != cell ||
      is_backward != (prop == dnnl_backward)) {
    detail::fail(dnnl_invalid_arguments, "the primitive descriptor handle is of another primitive");
  }
  reset(pd, true);
}

namespace detail {
// Common base of the operation descriptors (rnn_op.hpp).
struct rnn_op;
dnnl_status_t create(dnnl_primitive_desc_t* pd, const rnn_op& op, const primitive_attr* attr, const engine& aengine,
                     const_dnnl_primitive_desc_t hint);
}  // namespace detail

// The descriptor of any primitive that has several implementations.
struct primitive_desc : public primitive_desc_base {
  using primitive_desc_base::primitive_desc_base;
  primitive_desc() = default;

  // Makes it from an operation descriptor (spec/attributes.txt, "Scratchpad Mode").
  template <typename op_desc, typename std::enable_if<std::is_base_of<detail::rnn_op, op_desc>::value, int>::type = 0>
  primitive_desc(const op_desc& op, const primitive_attr& attr, const engine& aengine, bool allow_empty = false) {
    create(op, &attr, aengine, nullptr, allow_empty);
  }
  template <typename op_desc, typename std::enable_if<std::is_base_of<detail::rnn_op, op_desc>::value, int>::type = 0>
  primitive_desc(const op_desc& op, const engine& aengine, bool allow_empty = false) {
    create(op, nullptr, aengine, nullptr, allow_empty);
  }

  // Makes it from an operation descriptor of the C level, which must be a dnnl_rnn_desc_t. `attr` and `hint` may be null.
  primitive_desc(const_dnnl_op_desc_t op, const primitive_attr* attr, const engine& aengine,
                 const_dnnl_primitive_desc_t hint, bool allow_empty = false) {
    dnnl_primitive_desc_t result = nullptr;
    const dnnl_status_t status = tandem_rnn_primitive_desc_create_sized(
        &result, static_cast<const dnnl_rnn_desc_t*>(op), sizeof(dnnl_rnn_desc_t),
        attr != nullptr ? attr->get() : nullptr, aengine.get(true), hint);
    settle(status, result, allow_empty);
  }

  // Moves on to the next implementation of the same problem, together with every copy of this object; primitives keep the
  // implementation that they were made with. False, and no change, if there is none.
  bool next_impl() {
    const dnnl_status_t status = tandem_primitive_desc_advance(get());
    if (status == dnnl_last_impl_reached) return false;
    detail::check(status);
    return true;
  }

 protected:
  void create(const detail::rnn_op& op, const primitive_attr* attr, const engine& aengine,
              const primitive_desc_base* hint, bool allow_empty) {
    dnnl_primitive_desc_t result = nullptr;
    const dnnl_status_t status =
        detail::create(&result, op, attr, aengine, hint != nullptr ? hint->get(true) : nullptr);
    settle(status, result, allow_empty);
  }
};

}  // namespace tandem_v1
}  // namespace dnnl

#endif
