// Layer normalization (docs/layer_normalization.md) as clients ask for it.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <unordered_map>
#include <vector>

#include "api/tests/expect_error_testing.h"
#include "api/tests/generations_testing.h"

namespace tandem {
namespace testing {
namespace {

using dnnl::cell_normalization;
using dnnl::memory;
using dnnl::normalization;
using dnnl::normalization_scope;
using dnnl::prop_kind;
using tag = memory::format_tag;
using dt = memory::data_type;

constexpr memory::dim kSteps = 3, kRows = 2, kChannels = 4, kGates = 4;
constexpr float kEpsilon = 1e-5f;

dnnl::engine Cpu() { return dnnl::engine(dnnl::engine::kind::cpu, 0); }

float* ValuesOf(const memory& tensor) { return static_cast<float*>(tensor.get_data_handle()); }
memory Ramp(const memory::desc& md, float scale, float shift = 0) {
  memory result(md, Cpu());
  for (size_t i = 0; i < md.get_size() / sizeof(float); ++i) {
    ValuesOf(result)[i] = scale * (static_cast<float>(i * 7 % 13) - 6.f) + shift;
  }
  return result;
}

// The LSTM with layer normalization of TorchScript's example: LayerNorm(4 hidden) of W x and of U h', LayerNorm(hidden) of c.
dnnl::primitive_attr ScriptedNorms() {
  dnnl::primitive_attr attr;
  attr.set_rnn_layer_normalization(normalization::parts, normalization_scope::row, cell_normalization::state, kEpsilon);
  return attr;
}

template <class Generation>
struct Lstm {
  explicit Lstm(const dnnl::primitive_attr& attr) {
    const auto direction = dnnl::rnn_direction::unidirectional_left2right;
    forward = Generation::template Make<dnnl::lstm_forward>(Cpu(), attr, prop_kind::forward_training, direction, layer,
                                                            state, state, weights, weights, bias, layer, state, state);
    backward = Generation::template MakeBackward<dnnl::lstm_backward>(
        Cpu(), attr, forward, prop_kind::backward, direction, layer, state, state, weights, weights, bias, layer, state,
        state, layer, state, state, weights, weights, bias, layer, state, state);
    const memory::desc norms = forward.norm_gain_desc();
    arguments = {
        {DNNL_ARG_SRC_LAYER, Ramp(layer, 0.1f)},        {DNNL_ARG_SRC_ITER, Ramp(state, 0.08f)},
        {DNNL_ARG_SRC_ITER_C, Ramp(state, 0.06f)},      {DNNL_ARG_WEIGHTS_LAYER, Ramp(weights, 0.05f)},
        {DNNL_ARG_WEIGHTS_ITER, Ramp(weights, 0.04f)},  {DNNL_ARG_BIAS, Ramp(bias, 0.03f)},
        {TANDEM_ARG_NORM_GAIN, Ramp(norms, 0.05f, 1)},  {TANDEM_ARG_NORM_OFFSET, Ramp(norms, 0.02f)},
        {DNNL_ARG_DST_LAYER, Ramp(layer, 0)},           {DNNL_ARG_DST_ITER, Ramp(state, 0)},
        {DNNL_ARG_DST_ITER_C, Ramp(state, 0)},          {DNNL_ARG_WORKSPACE, memory(forward.workspace_desc(), Cpu())},
        {DNNL_ARG_DIFF_SRC_LAYER, Ramp(layer, 0)},      {DNNL_ARG_DIFF_SRC_ITER, Ramp(state, 0)},
        {DNNL_ARG_DIFF_SRC_ITER_C, Ramp(state, 0)},     {DNNL_ARG_DIFF_WEIGHTS_LAYER, Ramp(weights, 0)},
        {DNNL_ARG_DIFF_WEIGHTS_ITER, Ramp(weights, 0)}, {DNNL_ARG_DIFF_BIAS, Ramp(bias, 0)},
        {TANDEM_ARG_DIFF_NORM_GAIN, Ramp(norms, 0)},    {TANDEM_ARG_DIFF_NORM_OFFSET, Ramp(norms, 0)},
        {DNNL_ARG_DIFF_DST_LAYER, Ramp(layer, 0.07f)},  {DNNL_ARG_DIFF_DST_ITER, Ramp(state, 0.02f)},
        {DNNL_ARG_DIFF_DST_ITER_C, Ramp(state, 0.01f)}};
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
  float* Values(int arg) const { return ValuesOf(arguments.at(arg)); }
  // What diff_dst_* weigh the outputs with: their gradient is what backward computes.
  double Loss() {
    Forward();
    double loss = 0;
    const auto add = [&](int output, int diff, memory::dim count) {
      for (memory::dim i = 0; i < count; ++i) loss += double{Values(output)[i]} * Values(diff)[i];
    };
    add(DNNL_ARG_DST_LAYER, DNNL_ARG_DIFF_DST_LAYER, kSteps * kRows * kChannels);
    add(DNNL_ARG_DST_ITER, DNNL_ARG_DIFF_DST_ITER, kRows * kChannels);
    add(DNNL_ARG_DST_ITER_C, DNNL_ARG_DIFF_DST_ITER_C, kRows * kChannels);
    return loss;
  }

  memory::desc layer{{kSteps, kRows, kChannels}, dt::f32, tag::tnc},
      state{{1, 1, kRows, kChannels}, dt::f32, tag::ldnc};
  memory::desc weights{{1, 1, kChannels, kGates, kChannels}, dt::f32, tag::ldigo};
  memory::desc bias{{1, 1, kGates, kChannels}, dt::f32, tag::ldgo};
  dnnl::lstm_forward::primitive_desc forward;
  dnnl::lstm_backward::primitive_desc backward;
  std::unordered_map<int, memory> arguments;
};

template <class Generation>
class LayerNorm : public ::testing::Test {};
TYPED_TEST_SUITE(LayerNorm, Generations);

// y = gain (v - mean) / sqrt(variance + epsilon) + offset.
std::vector<double> Norm(const std::vector<double>& v, const float* gain, const float* offset) {
  double mean = 0, variance = 0;
  for (const double x : v) mean += x / static_cast<double>(v.size());
  for (const double x : v) variance += (x - mean) * (x - mean) / static_cast<double>(v.size());
  std::vector<double> y;
  for (size_t i = 0; i < v.size(); ++i)
    y.push_back((v[i] - mean) / std::sqrt(variance + kEpsilon) * gain[i] + offset[i]);
  return y;
}

double Sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// One row of the batch in plain double; h and c are the state before and after.
template <class Net>
void StepByHand(const Net& net, const float* x, std::vector<double>* h, std::vector<double>* c) {
  constexpr size_t kWide = kGates * kChannels;
  std::vector<double> of_x(kWide, 0), of_h(kWide, 0);
  for (size_t i = 0; i < kWide; ++i) {
    for (size_t k = 0; k < kChannels; ++k) {
      of_x[i] += double{net.Values(DNNL_ARG_WEIGHTS_LAYER)[k * kWide + i]} * x[k];
      of_h[i] += net.Values(DNNL_ARG_WEIGHTS_ITER)[k * kWide + i] * (*h)[k];
    }
  }
  const float *gain = net.Values(TANDEM_ARG_NORM_GAIN), *offset = net.Values(TANDEM_ARG_NORM_OFFSET);
  of_x = Norm(of_x, gain, offset);
  of_h = Norm(of_h, gain + kWide, offset + kWide);
  const auto a = [&](size_t gate, size_t o) {
    const size_t i = gate * kChannels + o;
    return of_x[i] + of_h[i] + net.Values(DNNL_ARG_BIAS)[i];
  };
  for (size_t o = 0; o < kChannels; ++o) {
    (*c)[o] = Sigmoid(a(1, o)) * (*c)[o] + Sigmoid(a(0, o)) * std::tanh(a(2, o));
  }
  *c = Norm(*c, gain + 2 * kWide, offset + 2 * kWide);
  for (size_t o = 0; o < kChannels; ++o) (*h)[o] = Sigmoid(a(3, o)) * std::tanh((*c)[o]);
}

TYPED_TEST(LayerNorm, IsThatOfTheScriptedLstm) {
  Lstm<TypeParam> net(ScriptedNorms());
  EXPECT_EQ(net.forward.norm_gain_desc(), memory::desc({1, 1, 9, kChannels}, dt::f32, tag::ldgo));
  EXPECT_EQ(net.backward.diff_norm_offset_desc(), net.forward.norm_offset_desc());
  net.Forward();
  for (size_t n = 0; n < kRows; ++n) {
    const float* src_iter = net.Values(DNNL_ARG_SRC_ITER) + n * kChannels;
    const float* src_iter_c = net.Values(DNNL_ARG_SRC_ITER_C) + n * kChannels;
    std::vector<double> h(src_iter, src_iter + kChannels), c(src_iter_c, src_iter_c + kChannels);
    for (size_t t = 0; t < kSteps; ++t) {
      StepByHand(net, net.Values(DNNL_ARG_SRC_LAYER) + (t * kRows + n) * kChannels, &h, &c);
      for (size_t o = 0; o < kChannels; ++o) {
        EXPECT_NEAR(net.Values(DNNL_ARG_DST_LAYER)[(t * kRows + n) * kChannels + o], h[o], 2e-6);
      }
    }
    for (size_t o = 0; o < kChannels; ++o) {
      EXPECT_NEAR(net.Values(DNNL_ARG_DST_ITER_C)[n * kChannels + o], c[o], 2e-6);
    }
  }
}

// A difference of f32 losses: their error of 1e-7 over the step of 2^-6, beside the third derivative.
TYPED_TEST(LayerNorm, BackwardHasTheGradientsOfGainsAndOffsets) {
  Lstm<TypeParam> net(ScriptedNorms());
  net.Forward();
  net.Backward();
  constexpr float kStep = 0x1p-6f;
  for (const auto& [arg, diff] : {std::pair(TANDEM_ARG_NORM_GAIN, TANDEM_ARG_DIFF_NORM_GAIN),
                                  std::pair(TANDEM_ARG_NORM_OFFSET, TANDEM_ARG_DIFF_NORM_OFFSET)}) {
    for (const size_t i : {size_t{1}, size_t{13}, size_t{22}, size_t{34}}) {
      float& value = net.Values(arg)[i];
      const float before = value;
      value = before + kStep;
      const double above = net.Loss();
      value = before - kStep;
      const double below = net.Loss();
      value = before;
      EXPECT_NEAR(net.Values(diff)[i], (above - below) / (2 * kStep), 2e-4) << arg << " " << i;
    }
  }
}

TYPED_TEST(LayerNorm, TheOptimizedImplementationServesIt) {
  for (const normalization kind : {normalization::sum, normalization::parts}) {
    dnnl::primitive_attr attr;
    attr.set_rnn_layer_normalization(kind);
    Lstm<TypeParam> net(attr);
    EXPECT_EQ(std::string(net.forward.impl_info_str()).rfind("hwy:", 0), 0u) << net.forward.impl_info_str();
    EXPECT_EQ(std::string(net.backward.impl_info_str()).rfind("hwy:", 0), 0u) << net.backward.impl_info_str();
  }
}

TYPED_TEST(LayerNorm, GainsAreAnArgument) {
  Lstm<TypeParam> net(ScriptedNorms());
  net.arguments.erase(TANDEM_ARG_NORM_GAIN);
  ExpectError(dnnl_invalid_arguments, {"execute: norm_gain (argument 232)"}, [&] { net.Forward(); });
}

TEST(LayerNormAttribute, IsKeptAndCloned) {
  const dnnl::primitive_attr attr = ScriptedNorms();
  const Lstm<Generation3> net(attr);
  for (const dnnl::primitive_attr& its : {attr, net.forward.get_primitive_attr()}) {
    normalization kind = normalization::none;
    normalization_scope scope = normalization_scope::gate;
    cell_normalization cell = cell_normalization::none;
    float epsilon = 0;
    its.get_rnn_layer_normalization(kind, scope, cell, epsilon);
    EXPECT_EQ(kind, normalization::parts);
    EXPECT_EQ(scope, normalization_scope::row);
    EXPECT_EQ(cell, cell_normalization::state);
    EXPECT_EQ(epsilon, kEpsilon);
  }
}

TEST(LayerNormAttribute, OtherValuesAreRefused) {
  dnnl::primitive_attr attr;
  ExpectError(dnnl_invalid_arguments, {"layer normalization: is 3, which is no normalization"},
              [&] { attr.set_rnn_layer_normalization(static_cast<normalization>(3)); });
  ExpectError(dnnl_invalid_arguments, {"which is no normalization_scope"},
              [&] { attr.set_rnn_layer_normalization(normalization::sum, static_cast<normalization_scope>(2)); });
  ExpectError(dnnl_invalid_arguments, {"which is no cell_normalization"}, [&] {
    attr.set_rnn_layer_normalization(normalization::sum, normalization_scope::gate, static_cast<cell_normalization>(3));
  });
}

}  // namespace
}  // namespace testing
}  // namespace tandem
