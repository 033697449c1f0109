// Programs written for oneDNN 3 do this, with attributes in every spelling of both generations. Compiled as C++11 by GCC and
// clang (headers_test.sh), built and run here.
#include <gtest/gtest.h>

#include <memory>
#include <type_traits>

#include "oneapi/dnnl/dnnl.hpp"

namespace {

namespace alias = oneapi::dnnl;
using dnnl::memory;
using tag = memory::format_tag;
using dt = memory::data_type;

#if DNNL_VERSION_MAJOR < 3
#error "the default generation is 3"
#endif
#if DNNL_GPU_RUNTIME == DNNL_RUNTIME_OCL
#error "there is no GPU"
#endif

const memory::dim T = 3, N = 2, C = 4;

// A member that is filled later, and a result that is returned as its base.
struct Layer {
  dnnl::gru_forward::primitive_desc pd;
  std::shared_ptr<dnnl::primitive> primitive;
};
dnnl::primitive_desc AsBase(const dnnl::gru_forward::primitive_desc& pd) { return pd; }

// An object that becomes a memory inside execute()'s braces.
struct Holder {
  memory held;
  operator memory() const { return held; }
};

class ClientV3 : public ::testing::Test {
 protected:
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  memory::desc layer{{T, N, C}, dt::f32, tag::tnc};
  memory::desc weights{{1, 1, C, 3, C}, dt::f32, tag::any};
  memory::desc bias{{1, 1, 3, C}, dt::f32, tag::any};
  memory::desc none;
  dnnl::rnn_direction left2right = dnnl::rnn_direction::unidirectional_left2right;

  dnnl::gru_forward::primitive_desc Gru() {
    return dnnl::gru_forward::primitive_desc(engine, dnnl::prop_kind::forward_inference, left2right, layer, none,
                                             weights, weights, bias, layer, none);
  }
};

TEST_F(ClientV3, DescriptorsAreMembersFilledLater) {
  Layer gru;
  EXPECT_EQ(gru.pd.get(true), nullptr);
  EXPECT_FALSE(gru.pd);
  gru.pd = Gru();
  EXPECT_TRUE(static_cast<bool>(gru.pd));
  gru.primitive = std::make_shared<dnnl::gru_forward>(gru.pd);
  const dnnl::primitive_desc base = AsBase(gru.pd);
  EXPECT_EQ(base.dnnl::primitive_desc_base::weights_desc(2), gru.pd.bias_desc());
  const auto of_primitive = const_cast<dnnl_primitive_desc_t>(gru.primitive->get_primitive_desc());
  EXPECT_EQ(dnnl::primitive_desc(of_primitive, true).get_cache_blob_id(), base.get_cache_blob_id());
}

TEST_F(ClientV3, EverythingAnyIsComparedAndReordered) {
  const memory::desc any_layer(layer.get_dims(), dt::f32, tag::any);
  const dnnl::lstm_forward::primitive_desc pd(engine, dnnl::prop_kind::forward_training, left2right, any_layer, none,
                                              none, {{1, 1, C, 4, C}, dt::f32, tag::any},
                                              {{1, 1, C, 4, C}, dt::f32, tag::any}, {{1, 1, 4, C}, dt::f32, tag::any},
                                              any_layer, none, none);
  for (const auto& md : {pd.src_layer_desc(), pd.dst_layer_desc(), pd.weights_layer_desc(), pd.bias_desc()}) {
    EXPECT_NE(md.get_format_kind(), memory::format_kind::any);
  }
  memory user({layer.get_dims(), dt::f32, tag::ntc}, engine), wanted = user;
  if (pd.src_layer_desc() != user.get_desc()) {
    wanted = memory(pd.src_layer_desc(), engine);
    dnnl::reorder(user, wanted).execute(stream, user, wanted);
  }
  EXPECT_TRUE(wanted != user);
  EXPECT_EQ(wanted.get_desc().get_strides().size(), 3u);
}

TEST_F(ClientV3, ActivationsAndSlopesArePassed) {
  const dnnl::vanilla_rnn_forward::primitive_desc plain(
      engine, dnnl::prop_kind::forward_inference, dnnl::algorithm::eltwise_tanh, left2right, layer, none,
      {{1, 1, C, 1, C}, dt::f32, tag::any}, {{1, 1, C, 1, C}, dt::f32, tag::any}, none, layer, none);
  const dnnl::vanilla_rnn_forward::primitive_desc sloped(
      engine, dnnl::prop_kind::forward_inference, dnnl::algorithm::eltwise_relu, left2right, layer, none,
      {{1, 1, C, 1, C}, dt::f32, tag::any}, {{1, 1, C, 1, C}, dt::f32, tag::any}, none, layer, none, 0.25f,
      dnnl::primitive_attr());
  EXPECT_EQ(plain.get_activation_kind(), dnnl::algorithm::eltwise_tanh);
  EXPECT_EQ(sloped.get_alpha(), 0.25f);
  const dnnl::vanilla_rnn_forward::primitive_desc line(
      engine, dnnl::prop_kind::forward_inference, dnnl::algorithm::eltwise_linear, left2right, layer, none,
      {{1, 1, C, 1, C}, dt::f32, tag::any}, {{1, 1, C, 1, C}, dt::f32, tag::any}, none, layer, none, 0.25f, 0.5f);
  EXPECT_EQ(line.get_beta(), 0.5f);
  EXPECT_EQ(Gru().get_activation_kind(), dnnl::algorithm::undef);
}

TEST_F(ClientV3, ObjectsConvertToMemoryInsideTheArguments) {
  memory from({{2}, dt::f32, tag::x}, engine), to({{2}, dt::f32, tag::x}, engine);
  static_cast<float*>(from.get_data_handle())[1] = 5.f;
  const Holder holder{to};
  dnnl::reorder(from, to).execute(stream, {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, holder}});
  EXPECT_EQ(to.map_data<float>()[1], 5.f);
}

TEST_F(ClientV3, EverySpellingOfABufferIsTaken) {
  float buffer[2];
  const memory::desc md({2}, dt::f32, tag::x);
  void* const pointer = buffer;
  EXPECT_EQ(memory(md, engine, buffer).get_data_handle(), pointer);
  EXPECT_EQ(memory(md, engine, std::vector<void*>{buffer}).get_data_handle(), pointer);
  EXPECT_EQ(memory(md, engine, nullptr).get_data_handle(), nullptr);
  EXPECT_EQ(memory(md, engine, NULL).get_data_handle(), nullptr);
  EXPECT_EQ(memory(md, engine, 0).get_data_handle(), nullptr);
  EXPECT_EQ(memory(md, engine, DNNL_MEMORY_NONE).get_data_handle(), nullptr);
  EXPECT_NE(memory(md, engine, DNNL_MEMORY_ALLOCATE).get_data_handle(), nullptr);
  EXPECT_EQ(memory({}, engine).get_data_handle(), nullptr);
}

TEST_F(ClientV3, ScalesOfBothGenerationsAreTold) {
  dnnl::primitive_attr attr;
  int mask = -1;
  std::vector<float> values;
  attr.set_scales(DNNL_ARG_SRC, 0, {2.f});
  attr.get_scales(DNNL_ARG_SRC, mask, values);
  EXPECT_EQ(values, std::vector<float>{2.f});
  attr.set_scales(DNNL_ARG_SRC, 1, {1., 2., 3.});
  attr.get_scales(DNNL_ARG_SRC, mask, values);
  EXPECT_EQ(values, (std::vector<float>{1.f, 2.f, 3.f}));
  attr.set_scales(DNNL_ARG_SRC, 0, {2});
  attr.get_scales(DNNL_ARG_SRC, mask, values);
  EXPECT_EQ(values, std::vector<float>{2.f});
  const std::vector<float> list = {4.f, 5.f};
  attr.set_scales(DNNL_ARG_DST, 1, list);
  attr.get_scales(DNNL_ARG_DST, mask, values);
  EXPECT_EQ(values, list);
  // No values: they come with execute().
  attr.set_scales(DNNL_ARG_DST, 2, {});
  EXPECT_EQ(attr.get_scales_mask(DNNL_ARG_DST), 2);
  // Two integers for two dims are group sizes.
  attr.set_scales(DNNL_ARG_WEIGHTS, 3, {4, 1});
  EXPECT_EQ(attr.get_scales_mask(DNNL_ARG_WEIGHTS), 3);
}

TEST_F(ClientV3, ZeroPointsOfBothGenerationsAreTold) {
  dnnl::primitive_attr attr;
  int mask = -1;
  std::vector<int32_t> values;
  attr.set_zero_points(DNNL_ARG_SRC, 0, {7});
  attr.get_zero_points(DNNL_ARG_SRC, mask, values);
  EXPECT_EQ(values, std::vector<int32_t>{7});
  const std::vector<int32_t> list = {1, 2, 3};
  attr.set_zero_points(DNNL_ARG_SRC, 1, list);
  attr.get_zero_points(DNNL_ARG_SRC, mask, values);
  EXPECT_EQ(values, list);
  attr.set_zero_points(DNNL_ARG_DST, 2, {});
  attr.get_zero_points(DNNL_ARG_DST, mask, values);
  EXPECT_EQ(values, std::vector<int32_t>{0});
}

TEST_F(ClientV3, PostOpsOfBothGenerationsAreReadBack) {
  dnnl::post_ops ops;
  ops.append_sum();
  ops.append_sum(2.f, dt::f32);
  ops.append_sum(3.f, 4, dt::s32);
  ops.append_eltwise(dnnl::algorithm::eltwise_relu, 0.5f, 0.f);
  ops.append_eltwise(0.25f, dnnl::algorithm::eltwise_linear, 1.f, 2.f);
  ops.append_binary(dnnl::algorithm::binary_add, layer);
  ops.append_prelu(3);
  float scale = 0, alpha = 0, beta = 0;
  int32_t zero_point = 0;
  dt type = dt::undef;
  dnnl::algorithm kind = dnnl::algorithm::undef;
  memory::desc md;
  ops.get_params_sum(2, scale, zero_point, type);
  EXPECT_EQ(scale, 3.f);
  EXPECT_EQ(zero_point, 4);
  ops.get_params_eltwise(4, scale, kind, alpha, beta);
  EXPECT_EQ(scale, 0.25f);
  ops.get_params_eltwise(3, kind, alpha, beta);
  EXPECT_EQ(kind, dnnl::algorithm::eltwise_relu);
  ops.get_params_binary(5, kind, md);
  EXPECT_EQ(md, layer);
  EXPECT_EQ(ops.kind(6), dnnl::primitive::kind::prelu);
  EXPECT_EQ(ops.len(), 7);
}

TEST_F(ClientV3, NamesOfTheTextExist) {
  using namespace dnnl::sycl_interop;
  using namespace alias::sycl_interop;
  static_assert(std::is_same<alias::memory, dnnl::memory>::value, "one namespace, two names");
  static_assert(std::is_same<dnnl::primitive::primitive_desc, dnnl::primitive_desc>::value, "spec/attributes.txt");
  static_assert(DNNL_WORKSPACE == DNNL_ARG_WORKSPACE, "spec/rnn.txt");
  static_assert(dnnl::rnn_direction::left2right == dnnl::rnn_direction::unidirectional_left2right, "spec/rnn.txt");
  static_assert(static_cast<int>(tag::giodhw) == static_cast<int>(tag::acbdef), "its letters");
  const memory::desc from({2, 3}, dt::f32, tag::ab), to({2, 3}, dt::f32, tag::ba);
  const dnnl::reorder::primitive_desc reorder_pd(from, engine, to, engine);
  EXPECT_EQ(reorder_pd.dst_desc(), to);
}

// Tensors of frameworks read descriptors at the C level.
TEST_F(ClientV3, DescriptorsAreQueriedAtTheCLevel) {
  const dnnl_dims_t* strides = nullptr;
  int ndims = 0;
  ASSERT_EQ(dnnl_memory_desc_query(layer.get(), dnnl_query_strides, &strides), dnnl_success);
  ASSERT_EQ(dnnl_memory_desc_query(layer.get(), dnnl_query_ndims_s32, &ndims), dnnl_success);
  EXPECT_EQ(ndims, 3);
  EXPECT_EQ((*strides)[0], N * C);
  EXPECT_EQ(dnnl_memory_desc_query(weights.get(), dnnl_query_strides, &strides), dnnl_invalid_arguments);
}

}  // namespace
