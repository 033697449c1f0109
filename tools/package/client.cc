// This is a program outside the project. It runs one LSTM step whose result is known in closed form.
#include <cmath>
#include <cstdio>
#include <unordered_map>
#include <vector>

#include "dnnl.hpp"

// With zero weights and biases every gate is sigmoid(0) = 1/2, the candidate tanh(0) = 0: c' = c/2 and h' = tanh(c/2)/2.
int main() {
  using dnnl::memory;
  using tag = memory::format_tag;
  const memory::dim channels = 20;
  const auto f32 = memory::data_type::f32;
  try {
    dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    dnnl::stream stream(engine);
    const memory::desc layer({1, 1, channels}, f32, tag::tnc);
    const memory::desc iter({1, 1, 1, channels}, f32, tag::ldnc);
    const memory::desc weights({1, 1, channels, 4, channels}, f32, tag::ldigo);
    const memory::desc bias({1, 1, 4, channels}, f32, tag::ldgo);
    const dnnl::lstm_forward::primitive_desc pd(engine, dnnl::prop_kind::forward_inference,
                                                dnnl::rnn_direction::unidirectional_left2right, layer, iter, iter,
                                                weights, weights, bias, layer, iter, iter);
    std::vector<float> x(channels, 0.25f), h(channels, -0.5f), c(channels, 1.5f);
    std::vector<float> zero_weights(channels * 4 * channels, 0.0f), zero_bias(4 * channels, 0.0f);
    std::vector<float> y(channels), h_next(channels), c_next(channels);
    std::unordered_map<int, memory> arguments = {
        {DNNL_ARG_SRC_LAYER, memory(layer, engine, x.data())},
        {DNNL_ARG_SRC_ITER, memory(iter, engine, h.data())},
        {DNNL_ARG_SRC_ITER_C, memory(iter, engine, c.data())},
        {DNNL_ARG_WEIGHTS_LAYER, memory(weights, engine, zero_weights.data())},
        {DNNL_ARG_WEIGHTS_ITER, memory(weights, engine, zero_weights.data())},
        {DNNL_ARG_BIAS, memory(bias, engine, zero_bias.data())},
        {DNNL_ARG_DST_LAYER, memory(layer, engine, y.data())},
        {DNNL_ARG_DST_ITER, memory(iter, engine, h_next.data())},
        {DNNL_ARG_DST_ITER_C, memory(iter, engine, c_next.data())},
    };
    dnnl::lstm_forward(pd).execute(stream, arguments);
    stream.wait();
    // The error is four ulp of activation and one of each product: far below 1e-6 of values below one.
    const float expected = std::tanh(0.75f) / 2;
    for (memory::dim i = 0; i < channels; ++i) {
      if (!(std::fabs(y[i] - expected) < 1e-6f) || !(c_next[i] == 0.75f)) {
        std::printf("unit %d: h = %.9g, want %.9g; c = %.9g, want 0.75\n", static_cast<int>(i), y[i], expected,
                    c_next[i]);
        return 1;
      }
    }
    std::printf("%s: h = %.9g\n", pd.impl_info_str(), y[0]);
    return 0;
  } catch (const dnnl::error& e) {
    std::printf("dnnl::error %d: %s\n", static_cast<int>(e.status), e.message);
    return 1;
  }
}
