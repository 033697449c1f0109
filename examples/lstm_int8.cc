// One step of an LSTM runs in u8 and s8, beside the same step in f32. The inputs and weights are exact in 8 bits, so the one
// difference is the storing of h as a byte: at most half of a quantization step, which the program checks. Then one step runs
// with the same bytes as weights of f32 data. Their scale is a power of two, so that the result is that of f32.
#include <cmath>
#include <cstdio>
#include <vector>

#include "dnnl.hpp"

using dnnl::memory;
using tag = memory::format_tag;
using type = memory::data_type;
using Arguments = std::unordered_map<int, memory>;

namespace {

constexpr memory::dim kBatch = 4, kChannels = 16;
// A byte holds q = 64 * (x + 1): x in [-1, 3) in steps of 1/64. A weight byte holds 32 * w.
constexpr float kScale = 64.f, kShift = 1.f, kWeightsScale = 32.f;

memory::desc Layer(type data_type) { return {{1, kBatch, kChannels}, data_type, tag::tnc}; }
memory::desc Weights(type data_type, tag layout) { return {{1, 1, kChannels, 4, kChannels}, data_type, layout}; }

// Runs the LSTM with activations in `data_type`, weights in `weights_type`, results in f32.
std::vector<float> Run(type data_type, type weights_type, const dnnl::primitive_attr& attr, std::vector<float> x,
                       std::vector<float> w) {
  const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(cpu);
  const memory::desc none;
  const dnnl::lstm_forward::primitive_desc pd(
      cpu, dnnl::prop_kind::forward_inference, dnnl::rnn_direction::unidirectional_left2right, Layer(data_type), none,
      none, Weights(weights_type, tag::any), Weights(weights_type, tag::any), none, Layer(type::f32), none, none, attr);

  memory plain_x(Layer(type::f32), cpu, x.data()), src(pd.src_layer_desc(), cpu);
  memory plain_w(Weights(type::f32, tag::ldigo), cpu, w.data());
  memory w_layer(pd.weights_layer_desc(), cpu), w_iter(pd.weights_iter_desc(), cpu);
  // The reorders quantize, because they have the same attributes as the LSTM.
  dnnl::reorder(plain_x, src, attr).execute(stream, plain_x, src);
  dnnl::reorder(plain_w, w_layer, attr).execute(stream, plain_w, w_layer);
  dnnl::reorder(plain_w, w_iter, attr).execute(stream, plain_w, w_iter);

  std::vector<float> y(kBatch * kChannels);
  const memory dst(pd.dst_layer_desc(), cpu, y.data());
  dnnl::lstm_forward(pd).execute(stream, {{DNNL_ARG_SRC_LAYER, src},
                                          {DNNL_ARG_WEIGHTS_LAYER, w_layer},
                                          {DNNL_ARG_WEIGHTS_ITER, w_iter},
                                          {DNNL_ARG_DST_LAYER, dst}});
  std::printf("%s\n", pd.impl_info_str());
  return y;
}

}  // namespace

int main() {
  std::vector<float> x(kBatch * kChannels), w(kChannels * 4 * kChannels);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * 29 % 128) / kScale - 1.f;
  for (size_t i = 0; i < w.size(); ++i) {
    w[i] = (static_cast<float>(i * 37 % 64) - 32.f) / kWeightsScale;
  }
  dnnl::primitive_attr attr;
  attr.set_rnn_data_qparams(kScale, kShift);
  attr.set_rnn_weights_qparams(0, {kWeightsScale});
  const std::vector<float> exact = Run(type::f32, type::f32, dnnl::primitive_attr(), x, w);
  const std::vector<float> quantized = Run(type::u8, type::s8, attr, x, w);

  float worst = 0.f;
  for (size_t i = 0; i < exact.size(); ++i) {
    worst = std::fmax(worst, std::fabs(exact[i] - quantized[i]));
  }
  // The difference is at most half a step, and the rounding of f32 near it.
  const float half_step = 0.5f / kScale;
  std::printf("largest difference %.6f, half a step is %.6f\n", worst, half_step);
  dnnl::primitive_attr weights_only;
  weights_only.set_rnn_weights_qparams(0, {kWeightsScale});
  const bool same = Run(type::f32, type::s8, weights_only, x, w) == exact;
  std::printf("weights alone in 8 bits: %s\n", same ? "the result of f32" : "another result");
  return worst > 0.f && worst <= half_step * 1.0001f && same ? 0 : 1;
}
