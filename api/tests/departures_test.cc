// Tandem departs from the text on purpose here (docs/readings.md), as a client sees it.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <unordered_map>
#include <vector>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include "api/core/environment_testing.h"
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
    SetVariable("TANDEM_IMPL", implementation);
    EXPECT_TRUE(std::isnan(relu(0.f))) << implementation;
    EXPECT_EQ(relu(0.5f), -std::numeric_limits<float>::infinity()) << implementation;
  }
  UnsetVariable("TANDEM_IMPL");
}

#if defined(__SSE2__)
constexpr unsigned kNoTraps = _MM_MASK_MASK, kFlushes = _MM_FLUSH_ZERO_ON | 0x40;

// Bits of all outputs and gradients, in an environment of the client's, and whether that is the same afterwards.
std::vector<Tensors> TrainIn(unsigned environment, const std::vector<RnnCase>& cases, bool* same) {
  std::vector<Tensors> all;
  const unsigned saved = _mm_getcsr();
  for (const RnnCase& rnn : cases) {
    Tensors in;
    for (const int arg : InputsOf(rnn)) in[arg];
    for (const int arg : OutputsOf(rnn)) in[arg + (DNNL_ARG_DIFF_SRC_0 - DNNL_ARG_SRC_0)];
    for (const int arg : InputsOf(rnn)) in[arg + (DNNL_ARG_DIFF_SRC_0 - DNNL_ARG_SRC_0)];
    for (auto& [arg, values] : in) {
      size_t count = 1;
      for (const memory::dim dim : rnn.Dims(arg)) count *= static_cast<size_t>(dim);
      // A third is subnormal, and the products of two others are.
      for (size_t k = 0; k < count; ++k) values.push_back(k % 3 == 0 ? 1e-39f : k % 3 == 1 ? 0.3f : -2e-20f);
    }
    const auto forward = AllForward(rnn, dnnl::prop_kind::forward_training);
    for (const dnnl::primitive_desc& pd : forward) {
      _mm_setcsr(environment);
      all.push_back(Train(rnn, pd, in));
      *same = *same && _mm_getcsr() == environment;
      _mm_setcsr(saved);
    }
  }
  return all;
}

// -ffast-math in one file of a program sets FTZ and DAZ for all of it; traps are for programs that look for NaN.
TEST(Departures, TheCallersFloatingPointEnvironmentChangesNoBitAndIsKept) {
  std::vector<RnnCase> cases(3);
  cases[1].cell = dnnl::algorithm::vanilla_gru;
  cases[2].cell = dnnl::algorithm::vanilla_rnn;
  cases[2].activation = dnnl::algorithm::eltwise_relu;
  for (RnnCase& rnn : cases) rnn.steps = 3, rnn.batch = 2, rnn.slc = rnn.dhc = 5;
  bool same = true;
  const std::vector<Tensors> want = TrainIn(kNoTraps, cases, &same);
  for (const unsigned flushes : {0u, kFlushes}) {
    for (const unsigned rounding : {_MM_ROUND_NEAREST, _MM_ROUND_DOWN, _MM_ROUND_TOWARD_ZERO}) {
      for (const unsigned traps : {kNoTraps, 0u}) {
        EXPECT_EQ(TrainIn(flushes | rounding | traps, cases, &same), want)
            << flushes << " " << rounding << " " << traps;
        EXPECT_TRUE(same) << flushes << " " << rounding << " " << traps;
      }
    }
  }
}

// Nothing has written the workspace, which backward finds when the environment is set already.
TEST(Departures, TheCallersFloatingPointEnvironmentIsKeptWhereExecutionFails) {
  RnnCase rnn;
  const unsigned saved = _mm_getcsr(), environment = kFlushes | _MM_ROUND_DOWN;
  for (const dnnl::primitive_desc& forward : AllForward(rnn, dnnl::prop_kind::forward_training)) {
    const dnnl::primitive_desc pd = Backward(rnn, forward, dnnl::rnn_flags::undef);
    std::unordered_map<int, memory> arguments = ZeroArguments(rnn, pd);
    const memory workspace(forward.query_md(dnnl::query::workspace_md), Cpu());
    std::memset(workspace.get_data_handle(), 0, workspace.get_desc().get_size());
    arguments.emplace(DNNL_ARG_WORKSPACE, workspace);
    const dnnl::primitive primitive(pd);
    dnnl::stream stream(Cpu());
    _mm_setcsr(environment);
    EXPECT_THROW(primitive.execute(stream, arguments), dnnl::error);
    const unsigned after = _mm_getcsr();
    _mm_setcsr(saved);
    EXPECT_EQ(after, environment) << pd.impl_info_str();
  }
}
#endif

}  // namespace
}  // namespace testing
}  // namespace tandem
