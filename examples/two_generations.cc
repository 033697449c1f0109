// This bidirectional GRU is written for operation descriptors, as clients of oneDNN 2 have it. The same source is compiled
// against Tandem and, if it is installed, against the system's oneDNN 2.6. A test compares the numbers.
#include <cstdio>
#include <unordered_map>
#include <vector>

#include "oneapi/dnnl/dnnl.hpp"

using dnnl::memory;
using tag = memory::format_tag;

namespace {

const memory::dim kSteps = 3, kBatch = 2, kChannels = 4;

std::vector<float> Ramp(size_t count, float scale) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i) {
    values[i] = scale * (static_cast<float>(i * 7 % 13) - 6.f) / 6.f;
  }
  return values;
}

}  // namespace

int main() {
  dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const auto f32 = memory::data_type::f32;
  memory::desc src_md({kSteps, kBatch, kChannels}, f32, tag::tnc);
  memory::desc iter_md({1, 2, kBatch, kChannels}, f32, tag::ldnc);
  memory::desc weights_md({1, 2, kChannels, 3, kChannels}, f32, tag::any);
  memory::desc bias_md({1, 2, 3, kChannels}, f32, tag::ldgo);
  memory::desc dst_md({kSteps, kBatch, 2 * kChannels}, f32, tag::tnc);

  dnnl::gru_forward::desc op(dnnl::prop_kind::forward_inference, dnnl::rnn_direction::bidirectional_concat, src_md,
                             iter_md, weights_md, weights_md, bias_md, dst_md, iter_md);
  dnnl::gru_forward::primitive_desc pd(op, engine);

  std::vector<float> src = Ramp(kSteps * kBatch * kChannels, 1.f);
  std::vector<float> iter = Ramp(2 * kBatch * kChannels, 0.5f);
  std::vector<float> weights = Ramp(2 * kChannels * 3 * kChannels, 0.4f);
  std::vector<float> bias = Ramp(2 * 3 * kChannels, 0.2f);
  memory user_weights({{1, 2, kChannels, 3, kChannels}, f32, tag::ldgoi}, engine, weights.data());
  memory weights_layer = memory(pd.weights_layer_desc(), engine);
  memory weights_iter = memory(pd.weights_iter_desc(), engine);
  dnnl::reorder(user_weights, weights_layer).execute(stream, user_weights, weights_layer);
  dnnl::reorder(user_weights, weights_iter).execute(stream, user_weights, weights_iter);

  std::vector<float> dst(kSteps * kBatch * 2 * kChannels), dst_iter(2 * kBatch * kChannels);
  dnnl::primitive gru = dnnl::gru_forward(pd);
  gru.execute(stream, {{DNNL_ARG_SRC_LAYER, memory(src_md, engine, src.data())},
                       {DNNL_ARG_SRC_ITER, memory(iter_md, engine, iter.data())},
                       {DNNL_ARG_WEIGHTS_LAYER, weights_layer},
                       {DNNL_ARG_WEIGHTS_ITER, weights_iter},
                       {DNNL_ARG_BIAS, memory(bias_md, engine, bias.data())},
                       {DNNL_ARG_DST_LAYER, memory(dst_md, engine, dst.data())},
                       {DNNL_ARG_DST_ITER, memory(iter_md, engine, dst_iter.data())}});
  stream.wait();
  for (const float value : dst) std::printf("%.5f\n", value);
  for (const float value : dst_iter) std::printf("%.5f\n", value);
  return 0;
}
