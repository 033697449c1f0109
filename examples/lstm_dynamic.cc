// One step of an f32 LSTM has weights in 8 bits, in two ways. With weights alone, products and sums are in f32. With dynamic
// quantization, each row of x and h becomes bytes by its own range, and products are exact integers; no calibration is needed.
// The program holds both to the f32 LSTM by a bound that follows from the sizes of the steps, and prints how far they are.
//
// f32 data beside s8 weights is Tandem's own: oneDNN has neither.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <unordered_map>
#include <vector>

#include "dnnl.hpp"

using dnnl::memory;
using tag = memory::format_tag;
using type = memory::data_type;

namespace {

enum class Products { kF32, kBytes };

constexpr memory::dim kBatch = 3, kChannels = 96, kGates = 4;

std::vector<float> Numbers(size_t count, float scale, unsigned seed) {
  std::vector<float> values(count);
  for (float& x : values) {
    seed = seed * 1664525u + 1013904223u;
    x = scale * (static_cast<float>(seed >> 8) / 8388608.f - 1.f);
  }
  return values;
}

// This is a network in f32 as training leaves it, {1, 1, channels, gates, channels}, with inputs of any range.
struct Network {
  std::vector<float> w = Numbers(kChannels * kGates * kChannels, 0.3f, 1);
  std::vector<float> u = Numbers(kChannels * kGates * kChannels, 0.2f, 2);
  std::vector<float> x = Numbers(kBatch * kChannels, 5.f, 3);
  std::vector<float> h = Numbers(kBatch * kChannels, 1.f, 4);
  std::vector<float> c = Numbers(kBatch * kChannels, 2.f, 5);
};

// Returns the greatest weight of each gate and unit. layer and iter share their scales.
std::vector<float> Largest(const Network& net) {
  std::vector<float> largest(kGates * kChannels);
  for (size_t i = 0; i < net.w.size(); ++i) {
    float& m = largest[i % largest.size()];
    m = std::max(m, std::max(std::fabs(net.w[i]), std::fabs(net.u[i])));
  }
  return largest;
}

std::vector<float> Run(Network net, type weights_type, const dnnl::primitive_attr& attr) {
  const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(cpu);
  const memory::dims weights{1, 1, kChannels, kGates, kChannels};
  const memory::desc layer({1, kBatch, kChannels}, type::f32, tag::tnc), any(weights, weights_type, tag::any);
  const memory::desc state({1, 1, kBatch, kChannels}, type::f32, tag::ldnc), none;
  const dnnl::lstm_forward::primitive_desc pd(cpu, dnnl::prop_kind::forward_inference,
                                              dnnl::rnn_direction::unidirectional_left2right, layer, state, state, any,
                                              any, none, layer, none, none, attr);
  const auto packed = [&](std::vector<float>* values, const memory::desc& wanted) {
    memory plain({weights, type::f32, tag::ldigo}, cpu, values->data()), target(wanted, cpu);
    // The reorder quantizes with the attributes of the LSTM, whose weights are in 8 bits.
    dnnl::reorder(plain, target, attr).execute(stream, plain, target);
    return target;
  };
  std::vector<float> y(kBatch * kChannels);
  dnnl::lstm_forward(pd).execute(stream, {{DNNL_ARG_SRC_LAYER, memory(layer, cpu, net.x.data())},
                                          {DNNL_ARG_SRC_ITER, memory(state, cpu, net.h.data())},
                                          {DNNL_ARG_SRC_ITER_C, memory(state, cpu, net.c.data())},
                                          {DNNL_ARG_WEIGHTS_LAYER, packed(&net.w, pd.weights_layer_desc())},
                                          {DNNL_ARG_WEIGHTS_ITER, packed(&net.u, pd.weights_iter_desc())},
                                          {DNNL_ARG_DST_LAYER, memory(layer, cpu, y.data())}});
  stream.wait();
  return y;
}

// Returns the step between a row's bytes: 0 is always in the range, and a value is at most one step from its byte.
float RowStep(const float* row) {
  const auto ends = std::minmax_element(row, row + kChannels);
  return (std::max(*ends.second, 0.f) - std::min(*ends.first, 0.f)) / 255.f;
}

// Returns how far h of a row and unit may be from that in f32. A weight is off by half a step, a value of x and h by at most
// one; the sigmoid's slope is at most 1/4, tanh's 1.
float Bound(const Network& net, const std::vector<float>& largest, size_t row, size_t unit, Products products) {
  float off[kGates];
  const float* x = &net.x[row * kChannels];
  const float* h = &net.h[row * kChannels];
  const bool bytes = products == Products::kBytes;
  const float x_step = bytes ? RowStep(x) : 0.f, h_step = bytes ? RowStep(h) : 0.f;
  for (size_t g = 0; g < kGates; ++g) {
    const float half = 0.5f * largest[g * kChannels + unit] / 127.f;
    off[g] = 1e-5f;  // for the sums' own rounding in f32
    for (size_t i = 0; i < kChannels; ++i) {
      const size_t w = (i * kGates + g) * kChannels + unit;
      off[g] += (std::fabs(x[i]) + x_step) * half + std::fabs(net.w[w]) * x_step;
      off[g] += (std::fabs(h[i]) + h_step) * half + std::fabs(net.u[w]) * h_step;
    }
  }
  const float c = off[1] / 4 * std::fabs(net.c[row * kChannels + unit]) + off[0] / 4 + off[2];  // gates i, f, c~, o
  return off[3] / 4 + c;
}

// Prints how far `y` is from `exact`. Returns false if an element is beyond its bound.
bool Holds(const char* what, const Network& net, const std::vector<float>& y, const std::vector<float>& exact,
           Products products) {
  const std::vector<float> largest = Largest(net);
  float worst = 0.f;
  bool holds = true;
  for (size_t i = 0; i < y.size(); ++i) {
    const float off = std::fabs(y[i] - exact[i]);
    worst = std::max(worst, off);
    holds = holds && off <= Bound(net, largest, i / kChannels, i % kChannels, products);
  }
  std::printf("%s: largest difference from f32 %.4f, %s its bound\n", what, worst, holds ? "within" : "BEYOND");
  return holds && worst > 0.f;
}

}  // namespace

int main() {
  const Network net;
  std::vector<float> scales = Largest(net);
  for (float& s : scales) s = 127.f / s;

  const int per_output_channel = (1 << 3) + (1 << 4);  // dimensions g and o of ldigo
  dnnl::primitive_attr weights_only, dynamic;
  weights_only.set_rnn_weights_qparams(per_output_channel, scales);
  dynamic.set_rnn_weights_qparams(per_output_channel, scales);
  dynamic.set_rnn_dynamic_quantization(true);

  const std::vector<float> exact = Run(net, type::f32, dnnl::primitive_attr());
  const bool first = Holds("weights in 8 bits", net, Run(net, type::s8, weights_only), exact, Products::kF32);
  const bool second =
      Holds("weights and products in 8 bits", net, Run(net, type::s8, dynamic), exact, Products::kBytes);
  return first && second ? 0 : 1;
}
