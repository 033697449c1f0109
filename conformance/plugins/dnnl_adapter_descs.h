// From a plugin problem to a dnnl primitive descriptor, in both generations of the API: with operation descriptors
// (oneDNN 2) and without (oneDNN 3). The tensors come in the same order in both. Included by dnnl_adapter.cc only.
#ifndef TANDEM_CONFORMANCE_PLUGINS_DNNL_ADAPTER_DESCS_H_
#define TANDEM_CONFORMANCE_PLUGINS_DNNL_ADAPTER_DESCS_H_

#include <array>
#include <string>
#include <vector>

#include "conformance/plugin.h"
#include "dnnl.hpp"

namespace tandem::conformance::adapter {

using Desc = dnnl::memory::desc;
using Descs = std::array<Desc, TANDEM_NUM_TENSORS>;

inline bool IsWeights(int tensor) {
  return tensor == tandem_weights_layer || tensor == tandem_weights_iter || tensor == tandem_weights_projection ||
         tensor == tandem_diff_weights_layer || tensor == tandem_diff_weights_iter ||
         tensor == tandem_diff_weights_projection;
}

// The tensor's descriptor exactly as it lies in memory.
inline Desc ConcreteDesc(const tandem_tensor& tensor) {
  if (tensor.ndims == 0) return Desc();
  return Desc(dnnl::memory::dims(tensor.dims, tensor.dims + tensor.ndims),
              static_cast<dnnl::memory::data_type>(tensor.data_type),
              dnnl::memory::dims(tensor.strides, tensor.strides + tensor.ndims));
}

// The descriptor that the primitive is created with: it chooses the layout of weights whose layout is free.
inline Desc RequestedDesc(const tandem_problem& problem, int tensor) {
  const tandem_tensor& t = problem.tensor[tensor];
  if (t.ndims == 0 || !t.layout_is_free || !IsWeights(tensor)) return ConcreteDesc(t);
  return Desc(dnnl::memory::dims(t.dims, t.dims + t.ndims), static_cast<dnnl::memory::data_type>(t.data_type),
              dnnl::memory::format_tag::any);
}

struct Request {
  const tandem_problem* problem;
  dnnl::prop_kind propagation;
  Descs md;
  dnnl::primitive_attr attr;
  dnnl::engine engine;
  std::string implementation;  // what impl_info_str() must start with; empty: the first that serves

  dnnl::rnn_direction direction() const {
    constexpr dnnl::rnn_direction kDirections[] = {
        dnnl::rnn_direction::unidirectional_left2right, dnnl::rnn_direction::unidirectional_right2left,
        dnnl::rnn_direction::bidirectional_concat, dnnl::rnn_direction::bidirectional_sum};
    return kDirections[problem->direction];
  }
  dnnl::algorithm activation() const {
    return problem->activation == tandem_relu   ? dnnl::algorithm::eltwise_relu
           : problem->activation == tandem_tanh ? dnnl::algorithm::eltwise_tanh
                                                : dnnl::algorithm::eltwise_logistic;
  }
  dnnl::rnn_flags flags() const { return static_cast<dnnl::rnn_flags>(problem->flags); }
  const Desc& operator[](int tensor) const { return md[tensor]; }
};

// The first implementation in the list that has the requested name.
template <class PrimitiveDesc>
PrimitiveDesc Choose(const Request& r, PrimitiveDesc pd) {
  while (std::string(pd.impl_info_str()).compare(0, r.implementation.size(), r.implementation)) {
    if (!pd.next_impl()) {
      throw dnnl::error(dnnl_unimplemented, "no implementation of that name serves the problem");
    }
  }
  return pd;
}

// Only the vanilla RNN has relu's slope, which comes after the tensors.
enum class Slope { kNone, kAlpha };

#if DNNL_VERSION_MAJOR >= 3
template <class Primitive, Slope kSlope, class... Tensors>
typename Primitive::primitive_desc Forward(const Request& r, dnnl::prop_kind prop, const Tensors&... args) {
  using PrimitiveDesc = typename Primitive::primitive_desc;
  if constexpr (kSlope == Slope::kAlpha) {
    return Choose(r, PrimitiveDesc(r.engine, prop, args..., r.problem->alpha, r.attr));
  } else {
    return Choose(r, PrimitiveDesc(r.engine, prop, args..., r.attr));
  }
}

template <class Primitive, Slope kSlope, class Hint, class... Tensors>
dnnl::primitive_desc Backward(const Request& r, const Hint& forward, const Tensors&... args) {
  using PrimitiveDesc = typename Primitive::primitive_desc;
  if constexpr (kSlope == Slope::kAlpha) {
    return Choose(r, PrimitiveDesc(r.engine, r.propagation, args..., r.problem->alpha, forward, r.attr));
  } else {
    return Choose(r, PrimitiveDesc(r.engine, r.propagation, args..., forward, r.attr));
  }
}
#else
template <class Primitive, Slope kSlope, class... Tensors>
typename Primitive::desc OperationDesc(const Request& r, dnnl::prop_kind prop, const Tensors&... args) {
  if constexpr (kSlope == Slope::kAlpha) {
    return typename Primitive::desc(prop, args..., r.flags(), r.problem->alpha, 0.f);
  } else {
    return typename Primitive::desc(prop, args..., r.flags());
  }
}

// Operation descriptors stay alive until next_impl() has been called: oneDNN 2.6 keeps a pointer to them.
template <class Primitive, Slope kSlope, class... Tensors>
typename Primitive::primitive_desc Forward(const Request& r, dnnl::prop_kind prop, const Tensors&... args) {
  const auto desc = OperationDesc<Primitive, kSlope>(r, prop, args...);
  return Choose(r, typename Primitive::primitive_desc(desc, r.attr, r.engine));
}

template <class Primitive, Slope kSlope, class Hint, class... Tensors>
dnnl::primitive_desc Backward(const Request& r, const Hint& forward, const Tensors&... args) {
  const auto desc = OperationDesc<Primitive, kSlope>(r, r.propagation, args...);
  return Choose(r, typename Primitive::primitive_desc(desc, r.attr, r.engine, forward));
}
#endif

inline bool IsBackward(const Request& r) { return r.propagation == dnnl::prop_kind::backward; }
// Of the forward primitive: the asked one, or the one that is a backward primitive's hint.
inline dnnl::prop_kind ForwardPropagation(const Request& r) {
  return IsBackward(r) ? dnnl::prop_kind::forward_training : r.propagation;
}

inline dnnl::primitive_desc CreateVanilla(const Request& r) {
  const auto forward = Forward<dnnl::vanilla_rnn_forward, Slope::kAlpha>(
      r, ForwardPropagation(r), r.activation(), r.direction(), r[tandem_src_layer], r[tandem_src_iter],
      r[tandem_weights_layer], r[tandem_weights_iter], r[tandem_bias], r[tandem_dst_layer], r[tandem_dst_iter]);
  if (!IsBackward(r)) return forward;
  return Backward<dnnl::vanilla_rnn_backward, Slope::kAlpha>(
      r, forward, r.activation(), r.direction(), r[tandem_src_layer], r[tandem_src_iter], r[tandem_weights_layer],
      r[tandem_weights_iter], r[tandem_bias], r[tandem_dst_layer], r[tandem_dst_iter], r[tandem_diff_src_layer],
      r[tandem_diff_src_iter], r[tandem_diff_weights_layer], r[tandem_diff_weights_iter], r[tandem_diff_bias],
      r[tandem_diff_dst_layer], r[tandem_diff_dst_iter]);
}

inline dnnl::primitive_desc CreateLstm(const Request& r) {
  const auto forward = Forward<dnnl::lstm_forward, Slope::kNone>(
      r, ForwardPropagation(r), r.direction(), r[tandem_src_layer], r[tandem_src_iter], r[tandem_src_iter_c],
      r[tandem_weights_layer], r[tandem_weights_iter], r[tandem_weights_peephole], r[tandem_weights_projection],
      r[tandem_bias], r[tandem_dst_layer], r[tandem_dst_iter], r[tandem_dst_iter_c]);
  if (!IsBackward(r)) return forward;
  return Backward<dnnl::lstm_backward, Slope::kNone>(
      r, forward, r.direction(), r[tandem_src_layer], r[tandem_src_iter], r[tandem_src_iter_c], r[tandem_weights_layer],
      r[tandem_weights_iter], r[tandem_weights_peephole], r[tandem_weights_projection], r[tandem_bias],
      r[tandem_dst_layer], r[tandem_dst_iter], r[tandem_dst_iter_c], r[tandem_diff_src_layer], r[tandem_diff_src_iter],
      r[tandem_diff_src_iter_c], r[tandem_diff_weights_layer], r[tandem_diff_weights_iter],
      r[tandem_diff_weights_peephole], r[tandem_diff_weights_projection], r[tandem_diff_bias], r[tandem_diff_dst_layer],
      r[tandem_diff_dst_iter], r[tandem_diff_dst_iter_c]);
}

template <class ForwardGru, class BackwardGru>
dnnl::primitive_desc CreateGru(const Request& r) {
  const auto forward = Forward<ForwardGru, Slope::kNone>(
      r, ForwardPropagation(r), r.direction(), r[tandem_src_layer], r[tandem_src_iter], r[tandem_weights_layer],
      r[tandem_weights_iter], r[tandem_bias], r[tandem_dst_layer], r[tandem_dst_iter]);
  if (!IsBackward(r)) return forward;
  return Backward<BackwardGru, Slope::kNone>(
      r, forward, r.direction(), r[tandem_src_layer], r[tandem_src_iter], r[tandem_weights_layer],
      r[tandem_weights_iter], r[tandem_bias], r[tandem_dst_layer], r[tandem_dst_iter], r[tandem_diff_src_layer],
      r[tandem_diff_src_iter], r[tandem_diff_weights_layer], r[tandem_diff_weights_iter], r[tandem_diff_bias],
      r[tandem_diff_dst_layer], r[tandem_diff_dst_iter]);
}

template <class ForwardAugru, class BackwardAugru>
dnnl::primitive_desc CreateAugru(const Request& r) {
  const auto forward = Forward<ForwardAugru, Slope::kNone>(
      r, ForwardPropagation(r), r.direction(), r[tandem_src_layer], r[tandem_src_iter], r[tandem_augru_attention],
      r[tandem_weights_layer], r[tandem_weights_iter], r[tandem_bias], r[tandem_dst_layer], r[tandem_dst_iter]);
  if (!IsBackward(r)) return forward;
  return Backward<BackwardAugru, Slope::kNone>(
      r, forward, r.direction(), r[tandem_src_layer], r[tandem_src_iter], r[tandem_augru_attention],
      r[tandem_weights_layer], r[tandem_weights_iter], r[tandem_bias], r[tandem_dst_layer], r[tandem_dst_iter],
      r[tandem_diff_src_layer], r[tandem_diff_src_iter], r[tandem_diff_augru_attention], r[tandem_diff_weights_layer],
      r[tandem_diff_weights_iter], r[tandem_diff_bias], r[tandem_diff_dst_layer], r[tandem_diff_dst_iter]);
}

inline dnnl::primitive_desc CreatePrimitiveDesc(const Request& r) {
  switch (r.problem->cell) {
    case tandem_vanilla_rnn:
      return CreateVanilla(r);
    case tandem_lstm:
      return CreateLstm(r);
    case tandem_gru:
      return CreateGru<dnnl::gru_forward, dnnl::gru_backward>(r);
    case tandem_lbr_gru:
      return CreateGru<dnnl::lbr_gru_forward, dnnl::lbr_gru_backward>(r);
    case tandem_augru:
      return CreateAugru<dnnl::augru_forward, dnnl::augru_backward>(r);
    case tandem_lbr_augru:
      return CreateAugru<dnnl::lbr_augru_forward, dnnl::lbr_augru_backward>(r);
  }
  throw dnnl::error(dnnl_invalid_arguments, "not a value of tandem_cell");
}

}  // namespace tandem::conformance::adapter

#endif  // TANDEM_CONFORMANCE_PLUGINS_DNNL_ADAPTER_DESCS_H_
