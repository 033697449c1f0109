// From a plugin problem to a dnnl primitive descriptor, in the operation descriptors of the v2 generation: the one
// style that Tandem and Debian's oneDNN 2.6 both compile. Included by dnnl_adapter.cc only.
#ifndef TANDEM_CONFORMANCE_ADAPTERS_DNNL_ADAPTER_DESCS_H_
#define TANDEM_CONFORMANCE_ADAPTERS_DNNL_ADAPTER_DESCS_H_

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

// The forward descriptor, or the backward one with the forward one as its hint. Op descriptors stay alive until
// next_impl() has been called: oneDNN 2.6 keeps a pointer to them.
template <class Forward, class Backward, class MakeForward, class MakeBackward>
dnnl::primitive_desc Create(const Request& r, MakeForward make_forward, MakeBackward make_backward) {
  const bool backward = r.propagation == dnnl::prop_kind::backward;
  const typename Forward::desc forward_desc =
      make_forward(backward ? dnnl::prop_kind::forward_training : r.propagation);
  const auto forward = Choose(r, typename Forward::primitive_desc(forward_desc, r.attr, r.engine));
  if (!backward) return forward;
  const typename Backward::desc backward_desc = make_backward();
  return Choose(r, typename Backward::primitive_desc(backward_desc, r.attr, r.engine, forward));
}

inline dnnl::primitive_desc CreateVanilla(const Request& r) {
  const float alpha = r.problem->alpha;
  return Create<dnnl::vanilla_rnn_forward, dnnl::vanilla_rnn_backward>(
      r,
      [&](dnnl::prop_kind prop) {
        return dnnl::vanilla_rnn_forward::desc(
            prop, r.activation(), r.direction(), r[tandem_src_layer], r[tandem_src_iter], r[tandem_weights_layer],
            r[tandem_weights_iter], r[tandem_bias], r[tandem_dst_layer], r[tandem_dst_iter], r.flags(), alpha, 0.f);
      },
      [&] {
        return dnnl::vanilla_rnn_backward::desc(
            r.propagation, r.activation(), r.direction(), r[tandem_src_layer], r[tandem_src_iter],
            r[tandem_weights_layer], r[tandem_weights_iter], r[tandem_bias], r[tandem_dst_layer], r[tandem_dst_iter],
            r[tandem_diff_src_layer], r[tandem_diff_src_iter], r[tandem_diff_weights_layer],
            r[tandem_diff_weights_iter], r[tandem_diff_bias], r[tandem_diff_dst_layer], r[tandem_diff_dst_iter],
            r.flags(), alpha, 0.f);
      });
}

inline dnnl::primitive_desc CreateLstm(const Request& r) {
  return Create<dnnl::lstm_forward, dnnl::lstm_backward>(
      r,
      [&](dnnl::prop_kind prop) {
        return dnnl::lstm_forward::desc(prop, r.direction(), r[tandem_src_layer], r[tandem_src_iter],
                                        r[tandem_src_iter_c], r[tandem_weights_layer], r[tandem_weights_iter],
                                        r[tandem_weights_peephole], r[tandem_weights_projection], r[tandem_bias],
                                        r[tandem_dst_layer], r[tandem_dst_iter], r[tandem_dst_iter_c], r.flags());
      },
      [&] {
        return dnnl::lstm_backward::desc(
            r.propagation, r.direction(), r[tandem_src_layer], r[tandem_src_iter], r[tandem_src_iter_c],
            r[tandem_weights_layer], r[tandem_weights_iter], r[tandem_weights_peephole], r[tandem_weights_projection],
            r[tandem_bias], r[tandem_dst_layer], r[tandem_dst_iter], r[tandem_dst_iter_c], r[tandem_diff_src_layer],
            r[tandem_diff_src_iter], r[tandem_diff_src_iter_c], r[tandem_diff_weights_layer],
            r[tandem_diff_weights_iter], r[tandem_diff_weights_peephole], r[tandem_diff_weights_projection],
            r[tandem_diff_bias], r[tandem_diff_dst_layer], r[tandem_diff_dst_iter], r[tandem_diff_dst_iter_c],
            r.flags());
      });
}

template <class Forward, class Backward>
dnnl::primitive_desc CreateGru(const Request& r) {
  return Create<Forward, Backward>(
      r,
      [&](dnnl::prop_kind prop) {
        return typename Forward::desc(prop, r.direction(), r[tandem_src_layer], r[tandem_src_iter],
                                      r[tandem_weights_layer], r[tandem_weights_iter], r[tandem_bias],
                                      r[tandem_dst_layer], r[tandem_dst_iter], r.flags());
      },
      [&] {
        return typename Backward::desc(
            r.propagation, r.direction(), r[tandem_src_layer], r[tandem_src_iter], r[tandem_weights_layer],
            r[tandem_weights_iter], r[tandem_bias], r[tandem_dst_layer], r[tandem_dst_iter], r[tandem_diff_src_layer],
            r[tandem_diff_src_iter], r[tandem_diff_weights_layer], r[tandem_diff_weights_iter], r[tandem_diff_bias],
            r[tandem_diff_dst_layer], r[tandem_diff_dst_iter], r.flags());
      });
}

template <class Forward, class Backward>
dnnl::primitive_desc CreateAugru(const Request& r) {
  return Create<Forward, Backward>(
      r,
      [&](dnnl::prop_kind prop) {
        return typename Forward::desc(prop, r.direction(), r[tandem_src_layer], r[tandem_src_iter],
                                      r[tandem_augru_attention], r[tandem_weights_layer], r[tandem_weights_iter],
                                      r[tandem_bias], r[tandem_dst_layer], r[tandem_dst_iter], r.flags());
      },
      [&] {
        return typename Backward::desc(
            r.propagation, r.direction(), r[tandem_src_layer], r[tandem_src_iter], r[tandem_augru_attention],
            r[tandem_weights_layer], r[tandem_weights_iter], r[tandem_bias], r[tandem_dst_layer], r[tandem_dst_iter],
            r[tandem_diff_src_layer], r[tandem_diff_src_iter], r[tandem_diff_augru_attention],
            r[tandem_diff_weights_layer], r[tandem_diff_weights_iter], r[tandem_diff_bias], r[tandem_diff_dst_layer],
            r[tandem_diff_dst_iter], r.flags());
      });
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

#endif  // TANDEM_CONFORMANCE_ADAPTERS_DNNL_ADAPTER_DESCS_H_
