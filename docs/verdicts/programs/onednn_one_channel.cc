// GRU of one channel and two rows that are alike. oneDNN 3.7.2 with AVX-512 prints two different numbers;
// with ONEDNN_MAX_CPU_ISA=AVX2 it prints 0.2937082 twice.
//
//   c++ -std=c++11 onednn_one_channel.cc -ldnnl
#include <cstdio>
#include <vector>

#include "oneapi/dnnl/dnnl.hpp"

using dnnl::memory;
using tag = memory::format_tag;

int main() {
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const auto desc = [](const memory::dims& dims, tag t) { return memory::desc(dims, memory::data_type::f32, t); };
  const memory::desc layer = desc({1, 2, 1}, tag::tnc), iter = desc({1, 1, 2, 1}, tag::ldnc);
  const memory::desc weights = desc({1, 1, 1, 3, 1}, tag::ldigo), any = desc({1, 1, 1, 3, 1}, tag::any);
  const memory::desc bias = desc({1, 1, 3, 1}, tag::ldgo);
  const dnnl::gru_forward::primitive_desc gru(engine, dnnl::prop_kind::forward_inference,
                                              dnnl::rnn_direction::unidirectional_left2right, layer, iter, any, any,
                                              bias, layer, iter);
  std::vector<float> x{0.5f, 0.5f}, h_prev{0.25f, 0.25f}, w{0.3f, 0.4f, 0.5f}, u{0.6f, 0.7f, 0.8f}, b(3), h(2), last(2);
  memory plain_w(weights, engine, w.data()), plain_u(weights, engine, u.data());
  memory packed_w(gru.weights_layer_desc(), engine), packed_u(gru.weights_iter_desc(), engine);
  dnnl::reorder(plain_w, packed_w).execute(stream, plain_w, packed_w);
  dnnl::reorder(plain_u, packed_u).execute(stream, plain_u, packed_u);
  dnnl::gru_forward(gru).execute(stream, {{DNNL_ARG_SRC_LAYER, memory(layer, engine, x.data())},
                                          {DNNL_ARG_SRC_ITER, memory(iter, engine, h_prev.data())},
                                          {DNNL_ARG_WEIGHTS_LAYER, packed_w},
                                          {DNNL_ARG_WEIGHTS_ITER, packed_u},
                                          {DNNL_ARG_BIAS, memory(bias, engine, b.data())},
                                          {DNNL_ARG_DST_LAYER, memory(layer, engine, h.data())},
                                          {DNNL_ARG_DST_ITER, memory(iter, engine, last.data())}});
  stream.wait();
  std::printf("%.7f %.7f\n", h[0], h[1]);
}
