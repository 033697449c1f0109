// Dropout and zoneout by masks of the client (docs/rnn_masks.md), in both generations of the API.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "api/tests/expect_error_testing.h"
#include "api/tests/generations_testing.h"

namespace tandem {
namespace testing {
namespace {

using dnnl::memory;
using dnnl::prop_kind;
using dnnl::rnn_masks;
using tag = memory::format_tag;
using dt = memory::data_type;

constexpr memory::dim kLayers = 2, kSteps = 3, kRows = 2, kChannels = 2;
constexpr rnn_masks kAll = static_cast<rnn_masks>(15);
const std::vector<int> kMaskArguments = {TANDEM_ARG_MASK_LAYER, TANDEM_ARG_MASK_ITER, TANDEM_ARG_ZONEOUT_ITER,
                                         TANDEM_ARG_ZONEOUT_ITER_C};

dnnl::engine Cpu() { return dnnl::engine(dnnl::engine::kind::cpu, 0); }

memory Filled(const memory::desc& md, float value) {
  memory result(md, Cpu());
  auto* values = static_cast<float*>(result.get_data_handle());
  std::fill_n(values, md.get_size() / sizeof(float), value);
  return result;
}
memory Ramp(const memory::desc& md, float scale) {
  memory result(md, Cpu());
  auto* values = static_cast<float*>(result.get_data_handle());
  for (size_t i = 0; i < md.get_size() / sizeof(float); ++i) values[i] = scale * (static_cast<float>(i * 7 % 13) - 6.f);
  return result;
}
std::vector<float> ValuesOf(const memory& tensor) {
  const auto* values = static_cast<const float*>(tensor.get_data_handle());
  return {values, values + tensor.get_desc().get_size() / sizeof(float)};
}

// An LSTM of two layers in both directions, forward and backward.
template <class Generation>
struct Lstm {
  explicit Lstm(rnn_masks masks) {
    attr.set_rnn_masks(masks);
    forward = Generation::template Make<dnnl::lstm_forward>(Cpu(), attr, prop_kind::forward_training, kDirection, layer,
                                                            state, state, weights, weights, bias, layer, state, state);
    backward = Generation::template MakeBackward<dnnl::lstm_backward>(
        Cpu(), attr, forward, prop_kind::backward, kDirection, layer, state, state, weights, weights, bias, layer,
        state, state, layer, state, state, weights, weights, bias, layer, state, state);
    arguments = {{DNNL_ARG_SRC_LAYER, Ramp(layer, 0.1f)},
                 {DNNL_ARG_SRC_ITER, Ramp(state, 0.08f)},
                 {DNNL_ARG_SRC_ITER_C, Ramp(state, 0.06f)},
                 {DNNL_ARG_WEIGHTS_LAYER, Ramp(weights, 0.05f)},
                 {DNNL_ARG_WEIGHTS_ITER, Ramp(weights, 0.04f)},
                 {DNNL_ARG_BIAS, Ramp(bias, 0.03f)},
                 {DNNL_ARG_DST_LAYER, Filled(layer, 0.f)},
                 {DNNL_ARG_DST_ITER, Filled(state, 0.f)},
                 {DNNL_ARG_DST_ITER_C, Filled(state, 0.f)},
                 {DNNL_ARG_WORKSPACE, memory(forward.workspace_desc(), Cpu())},
                 {DNNL_ARG_DIFF_SRC_LAYER, Filled(layer, 0.f)},
                 {DNNL_ARG_DIFF_SRC_ITER, Filled(state, 0.f)},
                 {DNNL_ARG_DIFF_SRC_ITER_C, Filled(state, 0.f)},
                 {DNNL_ARG_DIFF_WEIGHTS_LAYER, Filled(weights, 0.f)},
                 {DNNL_ARG_DIFF_WEIGHTS_ITER, Filled(weights, 0.f)},
                 {DNNL_ARG_DIFF_BIAS, Filled(bias, 0.f)},
                 {DNNL_ARG_DIFF_DST_LAYER, Ramp(layer, 0.07f)},
                 {DNNL_ARG_DIFF_DST_ITER, Ramp(state, 0.02f)},
                 {DNNL_ARG_DIFF_DST_ITER_C, Ramp(state, 0.01f)}};
  }

  // Masks of ones and zoneout of zeros: they change nothing.
  void GiveNeutralMasks() {
    arguments[TANDEM_ARG_MASK_LAYER] = Filled(forward.mask_layer_desc(), 1.f);
    arguments[TANDEM_ARG_MASK_ITER] = Filled(forward.mask_iter_desc(), 1.f);
    arguments[TANDEM_ARG_ZONEOUT_ITER] = Filled(forward.zoneout_iter_desc(), 0.f);
    arguments[TANDEM_ARG_ZONEOUT_ITER_C] = Filled(forward.zoneout_iter_c_desc(), 0.f);
  }
  void Forward() {
    dnnl::stream stream(Cpu());
    dnnl::lstm_forward(forward).execute(stream, arguments);
    stream.wait();
  }
  void Backward() {
    dnnl::stream stream(Cpu());
    dnnl::lstm_backward(backward).execute(stream, arguments);
    stream.wait();
  }
  std::vector<float> Values(int arg) const { return ValuesOf(arguments.at(arg)); }

  const dnnl::rnn_direction kDirection = dnnl::rnn_direction::bidirectional_sum;
  memory::desc layer{{kSteps, kRows, kChannels}, dt::f32, tag::tnc};
  memory::desc state{{kLayers, 2, kRows, kChannels}, dt::f32, tag::ldnc};
  memory::desc weights{{kLayers, 2, kChannels, 4, kChannels}, dt::f32, tag::ldigo};
  memory::desc bias{{kLayers, 2, 4, kChannels}, dt::f32, tag::ldgo};
  dnnl::primitive_attr attr;
  dnnl::lstm_forward::primitive_desc forward;
  dnnl::lstm_backward::primitive_desc backward;
  std::unordered_map<int, memory> arguments;
};

template <class Generation>
class RnnMasks : public ::testing::Test {
 protected:
  using Net = Lstm<Generation>;
};
TYPED_TEST_SUITE(RnnMasks, Generations);

TYPED_TEST(RnnMasks, AreArgumentsOfTheDescriptor) {
  const typename TestFixture::Net all(kAll), none(rnn_masks::none), one(rnn_masks::iter);
  const memory::desc steps({kLayers, 2, kSteps, kRows, kChannels}, dt::f32, tag::abcde);
  EXPECT_EQ(all.forward.mask_layer_desc(), steps);
  EXPECT_EQ(all.forward.mask_iter_desc(), memory::desc({kLayers, 2, kRows, kChannels}, dt::f32, tag::abcd));
  EXPECT_EQ(all.forward.zoneout_iter_desc(), steps);
  EXPECT_EQ(all.backward.zoneout_iter_c_desc(), steps);
  EXPECT_EQ(one.forward.mask_iter_desc(), all.forward.mask_iter_desc());
  EXPECT_EQ(one.forward.mask_layer_desc(), memory::desc());
  EXPECT_EQ(none.forward.mask_iter_desc(), memory::desc());
  EXPECT_EQ(all.forward.get_primitive_attr().get_rnn_masks(), kAll);
  EXPECT_EQ(none.forward.get_primitive_attr().get_rnn_masks(), rnn_masks::none);
}

TYPED_TEST(RnnMasks, ThatAreNeutralGiveTheResultsOfAProblemWithoutThem) {
  typename TestFixture::Net masked(kAll), plain(rnn_masks::none);
  masked.GiveNeutralMasks();
  for (auto* net : {&masked, &plain}) {
    net->Forward();
    net->Backward();
  }
  for (const int arg : {DNNL_ARG_DST_LAYER, DNNL_ARG_DST_ITER, DNNL_ARG_DST_ITER_C, DNNL_ARG_DIFF_SRC_LAYER,
                        DNNL_ARG_DIFF_WEIGHTS_ITER}) {
    const std::vector<float> got = masked.Values(arg), want = plain.Values(arg);
    // Two implementations within 32 roundings of terms below 1.
    for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], want[i], 32 * 0x1p-24) << "argument " << arg;
  }
}

TYPED_TEST(RnnMasks, OfZeroesEndTheirGradients) {
  typename TestFixture::Net net(rnn_masks::layer | rnn_masks::iter);
  net.arguments[TANDEM_ARG_MASK_LAYER] = Filled(net.forward.mask_layer_desc(), 0.f);
  net.arguments[TANDEM_ARG_MASK_ITER] = Filled(net.forward.mask_iter_desc(), 0.f);
  net.Forward();
  net.Backward();
  for (const int arg :
       {DNNL_ARG_DIFF_SRC_LAYER, DNNL_ARG_DIFF_SRC_ITER, DNNL_ARG_DIFF_WEIGHTS_LAYER, DNNL_ARG_DIFF_WEIGHTS_ITER}) {
    for (const float value : net.Values(arg)) EXPECT_EQ(value, 0.f) << "argument " << arg;
  }
  const std::vector<float> bias = net.Values(DNNL_ARG_DIFF_BIAS);
  EXPECT_TRUE(std::any_of(bias.begin(), bias.end(), [](float value) { return value != 0.f; }));
}

TYPED_TEST(RnnMasks, OfAnotherKindOrAbsentAreRefused) {
  typename TestFixture::Net net(kAll);
  for (const int arg : kMaskArguments) {
    const std::string argument = "(argument " + std::to_string(arg) + ")";
    net.GiveNeutralMasks();
    net.arguments.erase(arg);
    ExpectInvalid({argument.c_str()}, [&] { net.Forward(); });
    net.arguments[arg] = Filled({{1}, dt::f32, tag::a}, 1.f);
    ExpectInvalid({argument.c_str()}, [&] { net.Forward(); });
  }
}

TYPED_TEST(RnnMasks, AWorkspaceOfOtherMasksIsRefused) {
  for (const int arg : kMaskArguments) {
    typename TestFixture::Net net(kAll);
    net.GiveNeutralMasks();
    net.Forward();
    static_cast<float*>(net.arguments[arg].get_data_handle())[0] += 1.f;
    ExpectInvalid({"workspace: was filled for another problem: masks was given"}, [&] { net.Backward(); });
  }
}

TYPED_TEST(RnnMasks, AreServedByTheOptimizedImplementation) {
  const typename TestFixture::Net net(kAll);
  EXPECT_EQ(std::string(net.forward.impl_info_str()).rfind("hwy:", 0), 0u) << net.forward.impl_info_str();
  EXPECT_EQ(std::string(net.backward.impl_info_str()).rfind("hwy:", 0), 0u) << net.backward.impl_info_str();
}

TYPED_TEST(RnnMasks, StandInTheVerboseLine) {
  ::testing::internal::CaptureStdout();
  dnnl::set_verbose(2);
  const typename TestFixture::Net net(rnn_masks::layer | rnn_masks::zoneout_iter);
  dnnl::lstm_forward primitive(net.forward);
  dnnl::set_verbose(0);
  const std::string lines = ::testing::internal::GetCapturedStdout();
  EXPECT_NE(lines.find("attr-rnn-masks:mask_layer+zoneout_iter,"), std::string::npos) << lines;
}

TEST(RnnMasksOfAttributes, AreBitsAndCopied) {
  dnnl::primitive_attr attr;
  EXPECT_EQ(attr.get_rnn_masks(), rnn_masks::none);
  attr.set_rnn_masks(rnn_masks::layer | rnn_masks::zoneout_iter_c);
  dnnl_primitive_attr_t copy = nullptr;
  ASSERT_EQ(dnnl_primitive_attr_clone(&copy, attr.get()), dnnl_success);
  EXPECT_EQ(dnnl::primitive_attr(copy).get_rnn_masks(), rnn_masks::layer | rnn_masks::zoneout_iter_c);
  ExpectInvalid({"rnn_masks: is 16"}, [&] { attr.set_rnn_masks(static_cast<rnn_masks>(16)); });
  ExpectInvalid({"rnn_masks: is -1"}, [&] { attr.set_rnn_masks(static_cast<rnn_masks>(-1)); });
}

dnnl::vanilla_rnn_forward::primitive_desc VanillaRnn(rnn_masks masks, memory::dim sic, dt data, dt type) {
  dnnl::primitive_attr attr;
  attr.set_rnn_masks(masks);
  const memory::desc layer({1, 1, 2}, data, tag::tnc), dst({1, 1, 3}, data, tag::tnc), none;
  const memory::desc weights({1, 1, 2, 1, 3}, type, tag::ldigo), iter({1, 1, sic, 1, 3}, type, tag::ldigo);
  return dnnl::vanilla_rnn_forward::primitive_desc(Cpu(), prop_kind::forward_inference, dnnl::algorithm::eltwise_tanh,
                                                   dnnl::rnn_direction::unidirectional_left2right, layer, none, weights,
                                                   iter, none, dst, none, attr);
}

TEST(RnnMasksOfAttributes, AreRefusedWhereTheyMeanNothing) {
  ExpectInvalid({"rnn_masks: ask for zoneout_iter_c, but a vanilla_rnn has no such tensor"},
                [] { VanillaRnn(rnn_masks::zoneout_iter_c, 3, dt::f32, dt::f32); });
  ExpectInvalid({"weights_iter: dim 2 (sic) is 4, but dic is 3; with zoneout_iter"},
                [] { VanillaRnn(rnn_masks::zoneout_iter, 4, dt::f32, dt::f32); });
  EXPECT_EQ(VanillaRnn(rnn_masks::iter, 4, dt::f32, dt::f32).mask_iter_desc().get_dims(), memory::dims({1, 1, 1, 4}));
}

TEST(RnnMasksOfAttributes, AreNotForBytes) {
  ExpectUnimplemented(
      {"rnn_masks: ask for mask_iter, but weights_layer is s8, and masks are for f32, bf16 and f16 only"},
      [] { VanillaRnn(rnn_masks::iter, 3, dt::f32, dt::s8); });
  dnnl::primitive_attr attr;
  attr.set_rnn_masks(rnn_masks::layer);
  attr.set_rnn_data_qparams(64.f, 1.f);
  const memory::desc layer({1, 1, 2}, dt::u8, tag::tnc), none, weights({1, 1, 2, 4, 2}, dt::s8, tag::ldigo);
  const memory::desc bias({1, 1, 4, 2}, dt::f32, tag::ldgo);
  ExpectUnimplemented({"rnn_masks: ask for mask_layer, but src_layer is u8"}, [&] {
    dnnl::lstm_forward::primitive_desc(Cpu(), prop_kind::forward_inference,
                                       dnnl::rnn_direction::unidirectional_left2right, layer, none, none, weights,
                                       weights, bias, layer, none, none, attr);
  });
}

}  // namespace
}  // namespace testing
}  // namespace tandem
