// This is an LSTM over eight steps. It prints the last h and c of the first channel.
#include <cstdio>
#include <vector>

#include "dnnl.hpp"

using dnnl::memory;
using tag = memory::format_tag;

int main() {
  const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(cpu);
  const auto f32 = memory::data_type::f32;
  const memory::desc layer({8, 1, 4}, f32, tag::tnc);      // steps, batch, channels
  const memory::desc state({1, 1, 1, 4}, f32, tag::ldnc);  // layers, directions, batch, channels
  const memory::desc plain({1, 1, 4, 4, 4}, f32, tag::ldigo), any({1, 1, 4, 4, 4}, f32, tag::any);
  const memory::desc none;  // an absent tensor: zeros
  const dnnl::lstm_forward::primitive_desc lstm(cpu, dnnl::prop_kind::forward_inference,
                                                dnnl::rnn_direction::unidirectional_left2right, layer, none, none, any,
                                                any, none, layer, state, state);

  std::vector<float> x(8 * 4, 1.f), w(4 * 4 * 4, 0.1f);
  memory plain_w(plain, cpu, w.data()), fast_w(lstm.weights_layer_desc(), cpu);
  dnnl::reorder(plain_w, fast_w).execute(stream, plain_w, fast_w);  // once for many executions
  const memory src(layer, cpu, x.data()), dst(layer, cpu), h(state, cpu), c(state, cpu);
  dnnl::lstm_forward(lstm).execute(stream, {{DNNL_ARG_SRC_LAYER, src},
                                            {DNNL_ARG_WEIGHTS_LAYER, fast_w},
                                            {DNNL_ARG_WEIGHTS_ITER, fast_w},
                                            {DNNL_ARG_DST_LAYER, dst},
                                            {DNNL_ARG_DST_ITER, h},
                                            {DNNL_ARG_DST_ITER_C, c}});
  std::printf("%s: h = %.5f, c = %.5f\n", lstm.impl_info_str(), *h.map_data<float>(), *c.map_data<float>());
}
