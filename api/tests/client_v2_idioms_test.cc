// Programs written for oneDNN 2 do this: operation descriptors in every form found in the wild. Compiled as C++11 by GCC and
// clang (headers_test.sh), built and run here.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "dnnl.hpp"
#include "oneapi/dnnl/dnnl_debug.h"

namespace {

using dnnl::memory;
using tag = memory::format_tag;
using dt = memory::data_type;

const memory::dim T = 2, N = 3, C = 4;

// Frameworks derive from the classes and call their base by another name.
struct LstmInference : public dnnl::lstm_forward {
  using super = dnnl::lstm_forward;

  static primitive_desc Describe(const std::vector<memory::desc>& mds, const dnnl::engine& engine) {
    dnnl::prop_kind aprop = dnnl::prop_kind::forward_inference;
    dnnl::rnn_direction direction = dnnl::rnn_direction::unidirectional_left2right;
    dnnl::primitive_attr attr;
    attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    return primitive_desc({aprop, direction, mds[0], mds[1], mds[1], mds[2], mds[2], mds[3], mds[0], mds[1], mds[1]},
                          attr, engine);
  }
};

// Descriptors that carry more than the library's.
struct TensorDesc : public memory::desc {
  using dims = memory::dims;
  using data_type = memory::data_type;
  TensorDesc(const dims& adims, data_type type) : memory::desc(adims, type, tag::abcd) {}
  bool IsPlain() const { return data.format_kind == dnnl_blocked && data.format_desc.blocking.inner_nblks == 0; }
};

// A forward pass of any cell from its class and the list of its descriptors.
template <typename Forward, typename... Args>
typename Forward::primitive_desc Make(const dnnl::engine& engine, Args&&... args) {
  typename Forward::desc op(args...);
  return typename Forward::primitive_desc(op, engine);
}

class ClientV2 : public ::testing::Test {
 protected:
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  memory::desc layer{{T, N, C}, dt::f32, tag::tnc};
  memory::desc state{{1, 1, N, C}, dt::f32, tag::ldnc};
  memory::desc none;

  memory::desc Weights(memory::dim gates, tag layout = tag::any) { return {{1, 1, C, gates, C}, dt::f32, layout}; }
  memory::desc Bias(memory::dim gates) { return {{1, 1, gates, C}, dt::f32, tag::ldgo}; }
};

TEST_F(ClientV2, BracedOperationDescriptorsMakeADescriptor) {
  const auto pd = LstmInference::Describe({layer, state, Weights(4), Bias(4)}, engine);
  EXPECT_EQ(pd.dst_layer_desc(), layer);
  const dnnl::primitive sliced = LstmInference::super(pd);
  EXPECT_EQ(sliced.get_kind(), dnnl::primitive::kind::rnn);
}

TEST_F(ClientV2, OperationDescriptorsLiveOnTheHeap) {
  auto shared = std::make_shared<dnnl::lstm_forward::desc>(dnnl::prop_kind::forward_training,
                                                           dnnl::rnn_direction::unidirectional, layer, state, state,
                                                           Weights(4), Weights(4), none, Bias(4), layer, state, state);
  std::unique_ptr<dnnl::lbr_gru_forward::desc> owned(new dnnl::lbr_gru_forward::desc(
      dnnl::prop_kind::forward_scoring, dnnl::rnn_direction::unidirectional_right2left, layer, state, Weights(3),
      Weights(3), Bias(4), layer, state, dnnl::rnn_flags::undef));
  dnnl::lstm_forward::primitive_desc lstm(*shared, engine);
  dnnl::lbr_gru_forward::primitive_desc gru(*owned, engine, true);
  shared.reset();
  owned.reset();
  // The descriptor keeps its own copy of the problem.
  EXPECT_TRUE(lstm.next_impl());
  EXPECT_GT(lstm.workspace_desc().get_size(), 0u);
  EXPECT_TRUE(gru.workspace_desc().is_zero());
}

TEST_F(ClientV2, OneTemplateMakesEveryCell) {
  const auto inference = dnnl::prop_kind::forward_inference;
  const auto direction = dnnl::rnn_direction::unidirectional_left2right;
  const auto lstm = Make<dnnl::lstm_forward>(engine, inference, direction, layer, state, state, Weights(4), Weights(4),
                                             none, none, Bias(4), layer, state, state);
  const auto gru =
      Make<dnnl::gru_forward>(engine, inference, direction, layer, state, Weights(3), Weights(3), Bias(3), layer, none);
  const auto rnn =
      Make<dnnl::vanilla_rnn_forward>(engine, inference, dnnl::algorithm::eltwise_tanh, direction, layer, state,
                                      Weights(1), Weights(1), Bias(1), layer, state, dnnl::rnn_flags::undef, 0.5f, 0.f);
  const auto lbr_gru = Make<dnnl::lbr_gru_forward>(engine, inference, direction, layer, state, Weights(3), Weights(3),
                                                   Bias(4), layer, state);
  EXPECT_EQ(lstm.get_cell_kind(), dnnl::algorithm::vanilla_lstm);
  EXPECT_EQ(gru.get_cell_kind(), dnnl::algorithm::vanilla_gru);
  EXPECT_EQ(rnn.get_cell_kind(), dnnl::algorithm::vanilla_rnn);
  EXPECT_EQ(lbr_gru.get_cell_kind(), dnnl::algorithm::lbr_gru);
  EXPECT_TRUE(lstm.weights_projection_desc().is_zero());
  EXPECT_TRUE(gru.weights_projection_desc().is_zero());
  EXPECT_EQ(rnn.weights_desc(2), rnn.bias_desc());
  EXPECT_EQ(rnn.get_alpha(), 0.5f);
  EXPECT_EQ(gru.src_desc(), gru.src_layer_desc());
  EXPECT_EQ(gru.dst_desc(0), gru.dst_layer_desc());
}

TEST_F(ClientV2, BackwardTakesTheForwardDescriptorAsAHint) {
  const auto direction = dnnl::rnn_direction::unidirectional;
  dnnl::gru_forward::desc forward_op(dnnl::prop_kind::forward_training, direction, layer, state, Weights(3, tag::ldigo),
                                     Weights(3, tag::ldigo), Bias(3), layer, state);
  dnnl::gru_forward::primitive_desc forward(forward_op, engine);
  dnnl::gru_backward::desc op(dnnl::prop_kind::backward, direction, layer, state, Weights(3, tag::ldgoi),
                              Weights(3, tag::ldgoi), Bias(3), layer, state, layer, state, Weights(3, tag::ldigo),
                              Weights(3, tag::ldigo), Bias(3), layer, state);
  dnnl::primitive_attr attr;
  dnnl::gru_backward::primitive_desc backward(op, attr, engine, forward);
  EXPECT_EQ(backward.workspace_desc(), forward.workspace_desc());
  EXPECT_EQ(backward.diff_src_desc(), backward.diff_src_layer_desc());
}

// One class describes an LSTM with and without peephole and projection; a zero descriptor stands for none.
TEST_F(ClientV2, LstmHasOneDescriptorForPeepholeAndProjection) {
  using Forward = dnnl::lstm_forward;
  using Backward = dnnl::lstm_backward;
  const auto training = dnnl::prop_kind::forward_training, backward = dnnl::prop_kind::backward;
  const auto direction = dnnl::rnn_direction::unidirectional;
  const memory::desc peephole({1, 1, 3, C}, dt::f32, tag::ldgo), projection({1, 1, C, C}, dt::f32, tag::ldio);
  const memory::desc weights = Weights(4), gradient = Weights(4, tag::ldigo), bias = Bias(4);
  const Forward::primitive_desc plain(
      Forward::desc(training, direction, layer, state, state, weights, weights, bias, layer, state, state), engine);
  for (const memory::desc& p : {none, peephole}) {
    for (const memory::desc& r : {none, projection}) {
      const Forward::primitive_desc forward(
          Forward::desc(training, direction, layer, state, state, weights, weights, p, r, bias, layer, state, state),
          engine);
      EXPECT_EQ(forward.weights_peephole_desc(), p);
      EXPECT_EQ(forward.weights_projection_desc(), r);
      EXPECT_EQ(forward.get_cache_blob_id() == plain.get_cache_blob_id(), p.is_zero() && r.is_zero());
      const Backward::primitive_desc pd(
          Backward::desc(backward, direction, layer, state, state, weights, weights, p, r, bias, layer, state, state,
                         layer, state, state, gradient, gradient, p, r, bias, layer, state, state),
          engine, forward);
      EXPECT_EQ(pd.get_cell_kind(), dnnl::algorithm::vanilla_lstm);
      EXPECT_EQ(pd.diff_weights_peephole_desc(), p);
      EXPECT_EQ(pd.diff_weights_projection_desc(), r);
    }
  }
}

TEST_F(ClientV2, PublicDescriptorFieldsAreRead) {
  const TensorDesc desc({2, 3, 4, 5}, dt::bf16);
  EXPECT_TRUE(desc.IsPlain());
  const memory::desc& base = desc;
  EXPECT_EQ(base.dims(), (memory::dims{2, 3, 4, 5}));
  EXPECT_EQ(base.data_type(), dt::bf16);
  EXPECT_TRUE(desc.data.data_type == dt::bf16);
  memory::desc copied = memory::desc({{2}, dt::f32, tag::x});
  std::memset(&copied.data.extra, 0, sizeof(dnnl_memory_extra_desc_t));
  EXPECT_EQ(memory::desc(copied.data), copied);
}

TEST_F(ClientV2, DataHandlesAreExchanged) {
  std::vector<float> first(T * N * C), second(T * N * C);
  memory held(layer, engine, DNNL_MEMORY_NONE);
  held.set_data_handle(first.data());
  EXPECT_EQ(held.get_data_handle(), first.data());
  held.set_data_handle(second.data(), stream);
  EXPECT_EQ(held.get_data_handle(), second.data());
}

TEST_F(ClientV2, NetworksAreVectorsOfPrimitives) {
  std::vector<dnnl::primitive> network;
  std::vector<std::unordered_map<int, memory>> arguments;
  memory from({{2, 2}, dt::f32, tag::ab}, engine), to({{2, 2}, dt::f32, tag::ba}, engine);
  float* values = static_cast<float*>(from.get_data_handle());
  for (int i = 0; i < 4; ++i) values[i] = static_cast<float>(i);
  network.push_back(dnnl::reorder(from, to));
  arguments.push_back({{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}});
  for (size_t i = 0; i < network.size(); ++i) network.at(i).execute(stream, arguments.at(i));
  stream.wait();
  EXPECT_EQ(static_cast<float*>(to.get_data_handle())[1], 2.f);
}

TEST_F(ClientV2, ErrorsAreWrappedAndNamed) {
  try {
    dnnl::error::wrap_c_api(dnnl_invalid_arguments, "of the client");
    FAIL() << "nothing was thrown";
  } catch (const dnnl::error& e) {
    EXPECT_STREQ(e.what(), "of the client");
    EXPECT_STREQ(dnnl_status2str(e.status), "invalid_arguments");
  }
  EXPECT_NO_THROW(dnnl::error::wrap_c_api(dnnl_success, "of the client"));
}

TEST_F(ClientV2, ArgumentsAreCaseLabels) {
  const auto name = [](int arg) {
    switch (arg) {
      case DNNL_ARG_SRC_LAYER:
        return "src_layer";
      case DNNL_ARG_DST_LAYER:
        return "dst_layer";
      case DNNL_ARG_ATTR_MULTIPLE_POST_OP(1) | DNNL_ARG_SRC_1:
        return "post op";
    }
    return "other";
  };
  EXPECT_STREQ(name(DNNL_ARG_SRC), "src_layer");
  EXPECT_STREQ(name(DNNL_ARG_TO), "dst_layer");
  EXPECT_STREQ(name(65538), "post op");
}

}  // namespace
