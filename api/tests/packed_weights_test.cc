// Weights in the layout that a primitive descriptor has chosen: who takes them, and what cannot be made of them.
#include <gtest/gtest.h>

#include "api/tests/expect_error_testing.h"
#include "api/tests/rnn_client_testing.h"

namespace tandem {
namespace testing {
namespace {

using dnnl::memory;
using tag = memory::format_tag;
using dt = memory::data_type;

constexpr memory::dim T = 2, N = 3, C = 20;

// The problems have neither states nor bias. The tests are about the weights' layouts.
class PackedWeights : public ::testing::Test {
 protected:
  const memory::dims dims_{1, 1, C, 3, C};
  const memory::desc none_;
  const memory::desc open_{dims_, dt::f32, tag::any};
  const dnnl::gru_forward::primitive_desc forward_ = Forward(dt::f32, open_);

  dnnl::gru_forward::primitive_desc Forward(dt type, const memory::desc& weights) const {
    dnnl::primitive_attr attr;
    if (type == dt::u8) attr.set_rnn_data_qparams(100.f, 0.5f);
    const memory::desc layer({T, N, C}, type, tag::tnc);
    return {Cpu(),      type == dt::u8 ? dnnl::prop_kind::forward_inference : dnnl::prop_kind::forward_training,
            kDirection, layer,
            none_,      weights,
            weights,    none_,
            layer,      none_,
            attr};
  }
  dnnl::gru_backward::primitive_desc Backward(const memory::desc& weights) const {
    const memory::desc layer({T, N, C}, dt::f32, tag::tnc), gradient(dims_, dt::f32, tag::ldigo);
    return {Cpu(),      dnnl::prop_kind::backward,
            kDirection, layer,
            none_,      weights,
            weights,    none_,
            layer,      none_,
            layer,      none_,
            gradient,   gradient,
            none_,      layer,
            none_,      forward_};
  }

  static constexpr auto kDirection = dnnl::rnn_direction::unidirectional_left2right;
};

TEST_F(PackedWeights, AreTakenByThePropagationThatChoseThem) {
  const memory::desc for_forward = forward_.weights_iter_desc();
  const memory::desc for_backward = Backward(open_).weights_iter_desc();
  ASSERT_EQ(for_forward.get_format_kind(), memory::format_kind::opaque);
  ASSERT_EQ(for_backward.get_format_kind(), memory::format_kind::opaque);
  EXPECT_EQ(Forward(dt::f32, for_forward).weights_iter_desc(), for_forward);
  EXPECT_EQ(Backward(for_backward).weights_iter_desc(), for_backward);
  ExpectUnimplemented({"weights_layer was packed, but not for this cell's forward"},
                      [&] { Forward(dt::f32, for_backward); });
  ExpectUnimplemented({"weights_layer was packed, but not for this cell's backward"}, [&] { Backward(for_forward); });
}

TEST_F(PackedWeights, ComeFromAnyOnly) {
  EXPECT_EQ(memory::desc(dims_, dt::f32, memory::dims{1200, 1200, 60, 20, 1}).get_format_kind(),
            memory::format_kind::blocked);
  for (int number = 0; number < dnnl_format_tag_last; ++number) {
    const memory::desc md(dims_, dt::f32, static_cast<tag>(number), true);
    EXPECT_NE(md.get_format_kind(), memory::format_kind::opaque) << "tag " << number;
  }
  const memory::desc plain(dims_, dt::f32, tag::ldigo);
  EXPECT_EQ(Forward(dt::f32, plain).weights_layer_desc(), plain);
  EXPECT_EQ(Forward(dt::f32, open_).weights_layer_desc().get_format_kind(), memory::format_kind::opaque);
}

// One packed tensor serves a primitive for each number of steps and rows, in place of runtime dims.
TEST_F(PackedWeights, AreTheSameForEveryNumberOfStepsAndRows) {
  for (const dnnl::algorithm cell : {dnnl::algorithm::vanilla_lstm, dnnl::algorithm::vanilla_gru,
                                     dnnl::algorithm::lbr_gru, dnnl::algorithm::vanilla_rnn}) {
    for (const dt type : {dt::f32, dt::bf16}) {
      RnnCase rnn;
      rnn.cell = cell;
      rnn.type = type;
      rnn.slc = 40;
      rnn.dhc = 300;
      rnn.steps = rnn.batch = 1;
      const auto weights = [](const dnnl::primitive_desc& pd) {
        return std::vector<memory::desc>{pd.query_md(dnnl::query::exec_arg_md, DNNL_ARG_WEIGHTS_LAYER),
                                         pd.query_md(dnnl::query::exec_arg_md, DNNL_ARG_WEIGHTS_ITER)};
      };
      const std::vector<memory::desc> of_one = weights(testing::Forward(rnn, dnnl::prop_kind::forward_inference));
      EXPECT_EQ(of_one[0].get_format_kind(), memory::format_kind::opaque);
      for (const memory::dim steps : {1, 2, 100}) {
        for (const memory::dim rows : {1, 3, 64, 1000}) {
          rnn.steps = steps;
          rnn.batch = rows;
          EXPECT_EQ(weights(testing::Forward(rnn, dnnl::prop_kind::forward_inference)), of_one) << rnn.ToString();
        }
      }
    }
  }
}

// The last block of units is padded.
TEST_F(PackedWeights, HaveMoreBytesThanTheirDimsTell) {
  EXPECT_GT(forward_.weights_layer_desc().get_size(), sizeof(float) * C * 3 * C);
}

TEST_F(PackedWeights, GoFromOneLayoutToAnotherThroughTheClientsScratchpad) {
  std::vector<float> values(C * 3 * C);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  const memory from = ToMemory(values, dims_, forward_.weights_iter_desc());
  const memory to(Backward(open_).weights_iter_desc(), Cpu());
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  const dnnl::reorder::primitive_desc pd(Cpu(), from.get_desc(), Cpu(), to.get_desc(), attr);
  EXPECT_STREQ(pd.impl_info_str(), "hwy:packed_weights");
  ASSERT_FALSE(pd.scratchpad_desc().is_zero());
  dnnl::stream stream(Cpu());
  dnnl::reorder(pd).execute(
      stream, {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}, {DNNL_ARG_SCRATCHPAD, memory(pd.scratchpad_desc(), Cpu())}});
  EXPECT_EQ(ToValues(to), values);
}

TEST_F(PackedWeights, OfEightBitsGoToNoOtherLayout) {
  const memory::desc bytes = Forward(dt::u8, memory::desc(dims_, dt::s8, tag::any)).weights_layer_desc();
  ASSERT_EQ(bytes.get_format_kind(), memory::format_kind::opaque);
  ExpectUnimplemented({"packed s8 weights go to no other layout"},
                      [&] { dnnl::reorder::primitive_desc(Cpu(), bytes, Cpu(), forward_.weights_layer_desc()); });
}

TEST_F(PackedWeights, HaveNeitherPartsNorOtherShapes) {
  const memory::desc packed = forward_.weights_layer_desc();
  ExpectUnimplemented({"opaque"}, [&] { packed.submemory_desc({1, 1, 1, 3, C}, {0, 0, 0, 0, 0}); });
  ExpectInvalid({"opaque"}, [&] { packed.reshape({1, C, 3, C}); });
  ExpectInvalid({"opaque"}, [&] { packed.permute_axes({1, 0, 2, 3, 4}); });
}

TEST_F(PackedWeights, OfAnotherSizeThanTheirDimsNeedAreRefused) {
  memory::desc packed = forward_.weights_layer_desc();
  packed.data.format_desc.packed.size += 64;
  ExpectInvalid({"packed descriptor says"}, [&] { Forward(dt::f32, packed); });
}

}  // namespace
}  // namespace testing
}  // namespace tandem
