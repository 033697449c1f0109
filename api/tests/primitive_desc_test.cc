// Primitive descriptors: queries, copies, the implementation list, and what creation refuses.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>

#include "api/core/environment_testing.h"
#include "api/tests/expect_error_testing.h"
#include "api/tests/rnn_client_testing.h"

namespace tandem {
namespace testing {
namespace {

using dnnl::algorithm;
using dnnl::memory;
using dnnl::prop_kind;
using dnnl::query;
using tag = memory::format_tag;
using dt = memory::data_type;

constexpr memory::dim T = 2, N = 3, C = 4;

class PrimitiveDesc : public ::testing::Test {
 protected:
  const memory::desc layer_{{T, N, C}, dt::f32, tag::tnc};
  const memory::desc state_{{1, 1, N, C}, dt::f32, tag::ldnc};
  const memory::desc weights_{{1, 1, C, 4, C}, dt::f32, tag::any};
  const memory::desc bias_{{1, 1, 4, C}, dt::f32, tag::ldgo};
  const memory::desc none_;

  dnnl::lstm_forward::primitive_desc Lstm(prop_kind prop, const dnnl::primitive_attr& attr = {},
                                          bool allow_empty = false) const {
    return {Cpu(),    prop,       dnnl::rnn_direction::unidirectional_right2left,
            layer_,   state_,     state_,
            weights_, weights_,   bias_,
            layer_,   state_,     state_,
            attr,     allow_empty};
  }
};

TEST_F(PrimitiveDesc, AnswersEveryTensorByAccessorByIndexAndByArgument) {
  const auto pd = Lstm(prop_kind::forward_inference);
  EXPECT_EQ(pd.src_layer_desc(), layer_);
  EXPECT_EQ(pd.src_desc(1), state_);
  EXPECT_EQ(pd.src_desc(2), pd.src_iter_c_desc());
  EXPECT_EQ(pd.dst_desc(2), pd.dst_iter_c_desc());
  EXPECT_EQ(pd.weights_desc(0), pd.weights_layer_desc());
  EXPECT_EQ(pd.weights_desc(1), pd.weights_iter_desc());
  EXPECT_EQ(pd.weights_desc(2), pd.bias_desc());
  EXPECT_EQ(pd.query_md(query::exec_arg_md, DNNL_ARG_BIAS), bias_);
  EXPECT_NE(pd.weights_layer_desc().get_format_kind(), memory::format_kind::any);
  for (const auto& absent : {pd.weights_peephole_desc(), pd.weights_projection_desc(), pd.augru_attention_desc(),
                             pd.weights_desc(3), pd.src_desc(7), pd.diff_src_desc(), pd.diff_weights_desc(),
                             pd.diff_bias_desc(), pd.workspace_desc(), pd.query_md(query::exec_arg_md, 12345)}) {
    EXPECT_TRUE(absent.is_zero());
  }
  ExpectInvalid({"query"}, [&] { pd.query_md(query::engine); });
}

TEST_F(PrimitiveDesc, AnswersWhatItComputes) {
  const auto pd = Lstm(prop_kind::forward_training);
  EXPECT_EQ(pd.get_kind(), dnnl::primitive::kind::rnn);
  EXPECT_EQ(pd.get_prop_kind(), prop_kind::forward_training);
  EXPECT_EQ(pd.get_cell_kind(), algorithm::vanilla_lstm);
  EXPECT_EQ(pd.get_direction(), dnnl::rnn_direction::unidirectional_right2left);
  EXPECT_EQ(pd.get_activation_kind(), algorithm::undef);
  EXPECT_EQ(pd.get_alpha(), 0.f);
  EXPECT_EQ(pd.get_flags(), 0u);
  EXPECT_EQ(pd.query_s64(query::num_of_inputs_s32), 6);
  EXPECT_EQ(pd.query_s64(query::num_of_outputs_s32), 4);
  EXPECT_EQ(pd.query_s64(query::time_estimate_f64), 0);
  EXPECT_TRUE(pd.get_engine() == Cpu());
  EXPECT_GT(pd.workspace_desc().get_size(), 0u);
  EXPECT_EQ(pd.workspace_desc().get_data_type(), dt::u8);
  EXPECT_EQ(pd.workspace_desc().get_ndims(), 1);
}

TEST_F(PrimitiveDesc, MakesTheRoundTripThroughItsHandle) {
  const auto pd = Lstm(prop_kind::forward_inference);
  const dnnl::lstm_forward::primitive_desc copy(pd.get());
  EXPECT_TRUE(copy == pd);
  ExpectInvalid({"of another primitive"}, [&] { dnnl::gru_forward::primitive_desc(pd.get()); });
  ExpectInvalid({"of another primitive"}, [&] { dnnl::lstm_backward::primitive_desc(pd.get()); });
  ExpectInvalid({"of another primitive"}, [&] { dnnl::reorder::primitive_desc(pd.get()); });
}

TEST_F(PrimitiveDesc, CopiesItsAttributes) {
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  const auto pd = Lstm(prop_kind::forward_inference, attr);
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::library);
  EXPECT_EQ(pd.get_primitive_attr().get_scratchpad_mode(), dnnl::scratchpad_mode::user);
  pd.get_primitive_attr().set_scratchpad_mode(dnnl::scratchpad_mode::library);
  EXPECT_EQ(pd.get_primitive_attr().get_scratchpad_mode(), dnnl::scratchpad_mode::user);
}

// Both live at once, and what one permits the other does not.
TEST_F(PrimitiveDesc, HasAnFpmathModeOfItsOwn) {
  dnnl::primitive_attr attr;
  attr.set_fpmath_mode(dnnl::fpmath_mode::bf16);
  const auto narrow = Lstm(prop_kind::forward_inference, attr);
  attr.set_fpmath_mode(dnnl::fpmath_mode::strict);
  const auto strict = Lstm(prop_kind::forward_inference, attr);
  EXPECT_EQ(narrow.get_primitive_attr().get_fpmath_mode(), dnnl::fpmath_mode::bf16);
  EXPECT_EQ(strict.get_primitive_attr().get_fpmath_mode(), dnnl::fpmath_mode::strict);
  EXPECT_LT(narrow.weights_iter_desc().get_size(), strict.weights_iter_desc().get_size());
}

TEST_F(PrimitiveDesc, WithoutAttributesIsThatOfDefaultOnes) {
  const auto inference = prop_kind::forward_inference;
  const auto direction = dnnl::rnn_direction::unidirectional_right2left;
  const dnnl::lstm_forward::primitive_desc pd(Cpu(), inference, direction, layer_, state_, state_, weights_, weights_,
                                              bias_, layer_, state_, state_);
  const dnnl::lstm_forward::desc op(inference, direction, layer_, state_, state_, weights_, weights_, bias_, layer_,
                                    state_, state_);
  EXPECT_EQ(pd.get_cache_blob_id(), Lstm(inference, dnnl::primitive_attr()).get_cache_blob_id());
  EXPECT_EQ(dnnl::lstm_forward::primitive_desc(op, Cpu()).get_cache_blob_id(), pd.get_cache_blob_id());
  EXPECT_EQ(pd.get_primitive_attr().get_scratchpad_mode(), dnnl::scratchpad_mode::library);
  EXPECT_EQ(dnnl::reorder::primitive_desc(Cpu(), layer_, Cpu(), layer_).get_cache_blob_id(),
            dnnl::reorder::primitive_desc(Cpu(), layer_, Cpu(), layer_, dnnl::primitive_attr()).get_cache_blob_id());
}

// A client may leave a layout in the struct of a tensor that it makes absent.
TEST_F(PrimitiveDesc, TakesAnAbsentTensorWhateverItsLayoutSays) {
  memory::desc no_bias({1, 1, 4, C}, dt::f32, tag::any);
  no_bias.data.ndims = 0;
  const dnnl::lstm_forward::primitive_desc pd(Cpu(), prop_kind::forward_inference,
                                              dnnl::rnn_direction::unidirectional_right2left, layer_, state_, state_,
                                              weights_, weights_, no_bias, layer_, state_, state_);
  EXPECT_TRUE(pd.bias_desc().is_zero());
}

TEST_F(PrimitiveDesc, WalksTheImplementations) {
  auto pd = Lstm(prop_kind::forward_inference);
  EXPECT_EQ(std::string(pd.impl_info_str()).substr(0, 4), "hwy:");
  EXPECT_TRUE(pd.next_impl());
  EXPECT_STREQ(pd.impl_info_str(), "ref:scalar");
  EXPECT_FALSE(pd.next_impl());
  EXPECT_STREQ(pd.impl_info_str(), "ref:scalar");
}

// "Copying is always shallow", spec/introduction.txt; oneDNN does the same.
TEST_F(PrimitiveDesc, WalksWithItsCopiesAndWithoutItsPrimitives) {
  auto pd = Lstm(prop_kind::forward_inference);
  const auto copy = pd;
  const dnnl::lstm_forward lstm(pd);
  EXPECT_TRUE(pd.next_impl());
  EXPECT_STREQ(copy.impl_info_str(), "ref:scalar");
  EXPECT_TRUE(copy == pd);
  EXPECT_EQ(std::string(tandem_primitive_desc_get_impl_info(lstm.get_primitive_desc())).substr(0, 4), "hwy:");
}

TEST_F(PrimitiveDesc, TandemImplForcesOne) {
  {
    const ScopedVariable forced("TANDEM_IMPL", "reference");
    auto pd = Lstm(prop_kind::forward_inference);
    EXPECT_STREQ(pd.impl_info_str(), "ref:scalar");
    EXPECT_FALSE(pd.next_impl());
  }
  {
    const ScopedVariable forced("TANDEM_IMPL", "optimized");
    auto pd = Lstm(prop_kind::forward_inference);
    EXPECT_EQ(std::string(pd.impl_info_str()).substr(0, 4), "hwy:");
    EXPECT_FALSE(pd.next_impl());
    // Conversions are served by whoever can: both implementations' programs need them all.
    const memory::desc bytes({T, N, C}, dt::u8, tag::tnc);
    EXPECT_NO_THROW(dnnl::reorder::primitive_desc(Cpu(), layer_, Cpu(), bytes));
    EXPECT_NO_THROW(
        dnnl::reorder::primitive_desc(Cpu(), {{1, 1, C, 4, C}, dt::f32, tag::ldgoi}, Cpu(), pd.weights_layer_desc()));
  }
  const ScopedVariable forced("TANDEM_IMPL", "fastest");
  ExpectInvalid({"TANDEM_IMPL"}, [&] { dnnl::reorder::primitive_desc(Cpu(), layer_, Cpu(), layer_); });
  ExpectInvalid({"TANDEM_IMPL", "fastest", "optimized", "reference"}, [&] { Lstm(prop_kind::forward_inference); });
}

TEST_F(PrimitiveDesc, BackwardIsServedByTheImplementationOfItsHint) {
  RnnCase rnn;
  rnn.cell = algorithm::vanilla_gru;
  rnn.slc = rnn.dhc = 3;
  for (const auto& forward : AllForward(rnn, prop_kind::forward_training)) {
    auto backward = Backward(rnn, forward, dnnl::rnn_flags::undef);
    EXPECT_STREQ(backward.impl_info_str(), forward.impl_info_str());
    EXPECT_FALSE(backward.next_impl());
    EXPECT_EQ(backward.workspace_desc(), forward.workspace_desc());
  }
  ExpectInvalid({"hint_fwd_pd"}, [&] { Backward(rnn, dnnl::primitive_desc(nullptr), dnnl::rnn_flags::undef); });
}

TEST_F(PrimitiveDesc, AllowEmptyNeverThrows) {
  const memory::desc wrong({T, N, C + 1}, dt::f32, tag::tnc);
  const dnnl::lstm_forward::primitive_desc pd(
      Cpu(), prop_kind::forward_inference, dnnl::rnn_direction::unidirectional_left2right, wrong, none_, none_,
      weights_, weights_, bias_, layer_, none_, none_, dnnl::primitive_attr(), true);
  EXPECT_EQ(pd.get(true), nullptr);
  EXPECT_FALSE(pd);
  ExpectInvalid({"empty"}, [&] { pd.src_desc(); });
  ExpectInvalid({"empty"}, [&] { dnnl::lstm_forward primitive(pd); });
  const dnnl::reorder::primitive_desc reorder(Cpu(), layer_, Cpu(), wrong, dnnl::primitive_attr(), true);
  EXPECT_FALSE(reorder);
  const memory held(layer_, Cpu());
  EXPECT_FALSE(dnnl::reorder::primitive_desc(memory(), held, dnnl::primitive_attr(), true));
  EXPECT_FALSE(dnnl::reorder::primitive_desc(held, memory(), dnnl::primitive_attr(), true));
  ExpectInvalid({"src", "empty"}, [&] { dnnl::reorder::primitive_desc(memory(), held); });
  ExpectInvalid({"dst", "empty"}, [&] { dnnl::reorder::primitive_desc(held, memory()); });
  EXPECT_FALSE(dnnl::lstm_forward::primitive_desc(
      dnnl::engine(), prop_kind::forward_inference, dnnl::rnn_direction::unidirectional_left2right, layer_, none_,
      none_, weights_, weights_, bias_, layer_, none_, none_, dnnl::primitive_attr(), true));
}

TEST_F(PrimitiveDesc, RefusesWrongProblemsInBothGenerations) {
  const memory::desc wrong({T, N, C + 1}, dt::f32, tag::tnc);
  const auto direction = dnnl::rnn_direction::unidirectional_left2right;
  ExpectInvalid({"weights_layer", "5", "4"}, [&] {
    dnnl::lstm_forward::desc(prop_kind::forward_inference, direction, wrong, none_, none_, weights_, weights_, bias_,
                             layer_, none_, none_);
  });
  ExpectInvalid({"weights_layer", "5", "4"}, [&] {
    dnnl::lstm_forward::primitive_desc(Cpu(), prop_kind::forward_inference, direction, wrong, none_, none_, weights_,
                                       weights_, bias_, layer_, none_, none_);
  });
  ExpectInvalid({"propagation kind", "is backward", "forward_training"}, [&] {
    dnnl::lstm_forward::desc(prop_kind::backward, direction, layer_, none_, none_, weights_, weights_, bias_, layer_,
                             none_, none_);
  });
  ExpectInvalid({"propagation kind", "is backward", "forward_inference"}, [&] {
    dnnl::lstm_forward::primitive_desc(Cpu(), prop_kind::backward, direction, layer_, none_, none_, weights_, weights_,
                                       bias_, layer_, none_, none_);
  });
  ExpectInvalid({"propagation kind"}, [&] {
    dnnl::lstm_forward::desc(prop_kind::backward_data, direction, layer_, none_, none_, weights_, weights_, bias_,
                             layer_, none_, none_);
  });
  ExpectInvalid({"src_iter_c", "src_iter"}, [&] {
    dnnl::lstm_forward::desc(prop_kind::forward_inference, direction, layer_, state_, none_, weights_, weights_, bias_,
                             layer_, none_, none_);
  });
  ExpectInvalid({"activation", "eltwise_abs"}, [&] {
    dnnl::vanilla_rnn_forward::desc(prop_kind::forward_inference, algorithm::eltwise_abs, direction, layer_, none_,
                                    weights_, weights_, none_, layer_, none_);
  });
}

TEST_F(PrimitiveDesc, RefusesAttributesThatNobodyServes) {
  dnnl::post_ops ops;
  ops.append_sum();
  dnnl::primitive_attr with_post_ops, with_scales, with_qparams, with_accumulation;
  with_post_ops.set_post_ops(ops);
  with_scales.set_scales_mask(DNNL_ARG_SRC, 0);
  with_qparams.set_rnn_data_qparams(2.f, 1.f);
  with_accumulation.set_accumulation_mode(dnnl::accumulation_mode::f16);
  ExpectUnimplemented({"post_ops"}, [&] { Lstm(prop_kind::forward_inference, with_post_ops); });
  ExpectUnimplemented({"scales"}, [&] { Lstm(prop_kind::forward_inference, with_scales); });
  ExpectUnimplemented({"rnn_data_qparams"}, [&] { Lstm(prop_kind::forward_inference, with_qparams); });
  ExpectUnimplemented({"accumulation mode"}, [&] { Lstm(prop_kind::forward_inference, with_accumulation); });
}

TEST_F(PrimitiveDesc, CacheBlobsBelongToOneDescriptor) {
  const auto pd = Lstm(prop_kind::forward_inference), other = Lstm(prop_kind::forward_training);
  const dnnl::lstm_forward primitive(pd);
  EXPECT_EQ(primitive.get_cache_blob(), pd.get_cache_blob_id());
  EXPECT_EQ(Lstm(prop_kind::forward_inference).get_cache_blob_id(), pd.get_cache_blob_id());
  EXPECT_NE(other.get_cache_blob_id(), pd.get_cache_blob_id());
  EXPECT_NO_THROW(dnnl::lstm_forward(pd, primitive.get_cache_blob()));
  ExpectInvalid({"cache blob", "0 bytes"}, [&] { dnnl::lstm_forward(pd, std::vector<uint8_t>{}); });
  ExpectInvalid({"cache blob"}, [&] { dnnl::lstm_forward(pd, other.get_cache_blob_id()); });
}

TEST_F(PrimitiveDesc, OpDescriptorsMakeTheDescriptorOfAnyPrimitive) {
  const dnnl::lstm_forward::desc op(prop_kind::forward_inference, dnnl::rnn_direction::left2right, layer_, none_, none_,
                                    weights_, weights_, bias_, layer_, none_, none_);
  const dnnl::primitive::primitive_desc pd(op, dnnl::primitive_attr(), Cpu());
  const dnnl::primitive primitive(pd);
  EXPECT_EQ(primitive.get_kind(), dnnl::primitive::kind::rnn);
  EXPECT_EQ(dnnl::primitive_desc(&op.data, nullptr, Cpu(), nullptr).get_cache_blob_id(), pd.get_cache_blob_id());
  dnnl_rnn_desc_t other = op.data;
  other.primitive_kind = dnnl_convolution;
  ExpectUnimplemented({"convolution"}, [&] { dnnl::primitive_desc(&other, nullptr, Cpu(), nullptr); });
  EXPECT_FALSE(dnnl::primitive_desc(&other, nullptr, Cpu(), nullptr, true));
  dnnl_rnn_desc_t no_cell = op.data;
  no_cell.cell_kind = dnnl_eltwise_relu;
  ExpectInvalid({"is eltwise_relu, which is no RNN cell"},
                [&] { dnnl::primitive_desc(&no_cell, nullptr, Cpu(), nullptr); });
}

// A client's header may know another number of tensors than the library: an operation descriptor of another size, lists
// of another length.
TEST_F(PrimitiveDesc, TakesOperationDescriptorsOfClientsThatKnowOtherTensors) {
  struct {
    dnnl_rnn_desc_t known;
    dnnl_memory_desc unknown;
  } later = {};
  const auto weights = memory::desc({1, 1, C, 3, C}, dt::f32, tag::ldigo);
  const auto bias = memory::desc({1, 1, 3, C}, dt::f32, tag::ldgo);
  const dnnl_memory_desc* tensors[13] = {};
  tensors[0] = tensors[9] = layer_.get();
  tensors[4] = tensors[5] = weights.get();
  tensors[8] = bias.get();
  tandem_rnn_kind_t kind = {};
  kind.prop_kind = dnnl_forward_inference;
  kind.cell_kind = dnnl_vanilla_gru;
  kind.direction = dnnl_unidirectional_left2right;
  later.unknown.ndims = 1;
  ASSERT_EQ(tandem_rnn_desc_init(&later.known, sizeof later, &kind, 13, tensors, nullptr), dnnl_success);
  const auto create = [&](size_t size) {
    dnnl_primitive_desc_t pd = nullptr;
    const dnnl_status_t status =
        tandem_rnn_primitive_desc_create_sized(&pd, &later.known, size, nullptr, Cpu().get(), nullptr);
    if (pd != nullptr) tandem_release(reinterpret_cast<tandem_object*>(pd));
    EXPECT_EQ(tandem_rnn_desc_check(&later.known, size), status);
    return status;
  };
  EXPECT_EQ(create(sizeof later.known), dnnl_success);
  EXPECT_EQ(create(sizeof later), dnnl_unimplemented);
  // The entry of the first release takes a descriptor of the first release, whatever is behind it.
  dnnl_status_t (*const first)(dnnl_primitive_desc_t*, const dnnl_rnn_desc_t*, const_dnnl_primitive_attr_t,
                               dnnl_engine_t, const_dnnl_primitive_desc_t) = tandem_rnn_primitive_desc_create;
  dnnl_primitive_desc_t old = nullptr;
  EXPECT_EQ(first(&old, &later.known, nullptr, Cpu().get(), nullptr), dnnl_success);
  if (old != nullptr) tandem_release(reinterpret_cast<tandem_object*>(old));
  later.unknown = {};
  EXPECT_EQ(create(sizeof later), dnnl_success);
  // A descriptor without the last tensors is a forward one: it does not miss the gradients.
  later.known.diff_src_layer_desc.ndims = -1;
  EXPECT_EQ(create(sizeof later), dnnl_invalid_arguments);
  EXPECT_EQ(create(offsetof(dnnl_rnn_desc_t, diff_src_layer_desc)), dnnl_success);
  tensors[12] = layer_.get();
  EXPECT_EQ(tandem_rnn_desc_init(&later.known, sizeof later, &kind, 13, tensors, nullptr), dnnl_unimplemented);
  EXPECT_NE(std::string(tandem_last_error()).find("tensor 12"), std::string::npos) << tandem_last_error();
  EXPECT_EQ(tandem_rnn_desc_init(&later.known, sizeof later, &kind, 9, tensors, nullptr), dnnl_invalid_arguments);
  EXPECT_NE(std::string(tandem_last_error()).find("dst_layer"), std::string::npos) << tandem_last_error();
}

}  // namespace
}  // namespace testing
}  // namespace tandem
