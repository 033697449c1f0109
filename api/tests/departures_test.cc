// Where Tandem does other than the text on purpose (docs/readings.md), as a client sees it.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include "api/tests/rnn_client_testing.h"

namespace tandem {
namespace testing {
namespace {

using dnnl::memory;
using tag = memory::format_tag;
using dt = memory::data_type;

constexpr memory::dim kChannels = 32;

memory::desc WeightsFor(dnnl::fpmath_mode mode) {
  dnnl::primitive_attr attr;
  attr.set_fpmath_mode(mode);
  const memory::desc layer({1, 1, kChannels}, dt::f32, tag::tnc), none;
  const memory::desc weights({1, 1, kChannels, 4, kChannels}, dt::f32, tag::any);
  return dnnl::lstm_forward::primitive_desc(Cpu(), dnnl::prop_kind::forward_inference,
                                            dnnl::rnn_direction::unidirectional_left2right, layer, none, none, weights,
                                            weights, none, layer, none, none, attr)
      .weights_layer_desc();
}

// 1 + 2^-12 has more bits than bf16. Returns what a reorder into `packed` and back leaves of it.
float ThereAndBack(const memory::desc& packed) {
  const memory::desc plain({1, 1, kChannels, 4, kChannels}, dt::f32, tag::ldigo);
  std::vector<float> from(kChannels * 4 * kChannels, 1.f + 0x1p-12f), to(from.size());
  memory source(plain, Cpu(), from.data()), weights(packed, Cpu()), target(plain, Cpu(), to.data());
  dnnl::stream stream(Cpu());
  dnnl::reorder(source, weights).execute(stream, source, weights);
  dnnl::reorder(weights, target).execute(stream, weights, target);
  return to.front();
}

TEST(Departures, WeightsPackedUnderAnFpmathModeAreNarrowAndSmallerAndSayF32) {
  const memory::desc strict = WeightsFor(dnnl::fpmath_mode::strict), bf16 = WeightsFor(dnnl::fpmath_mode::bf16);
  EXPECT_EQ(bf16.get_data_type(), dt::f32);
  EXPECT_EQ(bf16.get_size() * 2, strict.get_size());
  EXPECT_EQ(ThereAndBack(strict), 1.f + 0x1p-12f);
  EXPECT_EQ(ThereAndBack(bf16), 1.f);
}

TEST(Departures, ReluOfMinusInfinityIsAlphaTimesIt) {
  RnnCase problem;
  problem.cell = dnnl::algorithm::vanilla_rnn;
  problem.activation = dnnl::algorithm::eltwise_relu;
  Tensors in;
  for (const int arg : InputsOf(problem)) in[arg] = {0.f};
  in[DNNL_ARG_BIAS] = {-std::numeric_limits<float>::infinity()};
  const auto relu = [&](float alpha) {
    problem.alpha = alpha;
    const dnnl::primitive_desc pd = Forward(problem, dnnl::prop_kind::forward_inference);
    return testing::Run(problem, pd, in).at(DNNL_ARG_DST_LAYER)[0];
  };
  for (const char* implementation : {"reference", "optimized"}) {
    setenv("TANDEM_IMPL", implementation, 1);
    EXPECT_TRUE(std::isnan(relu(0.f))) << implementation;
    EXPECT_EQ(relu(0.5f), -std::numeric_limits<float>::infinity()) << implementation;
  }
  unsetenv("TANDEM_IMPL");
}

}  // namespace
}  // namespace testing
}  // namespace tandem
