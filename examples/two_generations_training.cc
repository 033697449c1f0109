// This training step of an LSTM is written for operation descriptors, as clients of oneDNN 2 have it. The same source is
// compiled against Tandem and, if it is installed, against the system's oneDNN 2.6. A test compares the gradients.
#include <cstdio>
#include <unordered_map>
#include <vector>

#include "oneapi/dnnl/dnnl.hpp"

using dnnl::memory;
using tag = memory::format_tag;

namespace {

const memory::dim kSteps = 4, kBatch = 3, kChannels = 5;
const auto kF32 = memory::data_type::f32;

// Returns a plain tensor with made-up values.
memory Ramp(const memory::dims& dims, tag layout, const dnnl::engine& engine, float scale) {
  memory tensor({dims, kF32, layout}, engine);
  const size_t count = tensor.get_desc().get_size() / sizeof(float);
  float* values = static_cast<float*>(tensor.get_data_handle());
  for (size_t i = 0; i < count; ++i) values[i] = scale * (static_cast<float>(i * 7 % 13) - 6.f) / 6.f;
  return tensor;
}

memory InLayout(memory tensor, const memory::desc& wanted, dnnl::stream& stream) {
  if (tensor.get_desc() == wanted) return tensor;
  memory target(wanted, tensor.get_engine());
  dnnl::reorder(tensor, target).execute(stream, tensor, target);
  stream.wait();
  return target;
}

void Print(const memory& tensor) {
  const float* values = static_cast<const float*>(tensor.get_data_handle());
  for (size_t i = 0; i < tensor.get_desc().get_size() / sizeof(float); ++i) std::printf("%.5f\n", values[i]);
}

}  // namespace

int main() {
  dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const memory::dims layer = {kSteps, kBatch, kChannels}, state = {1, 1, kBatch, kChannels};
  const memory::dims weights = {1, 1, kChannels, 4, kChannels}, bias = {1, 1, 4, kChannels};
  const memory::desc layer_md(layer, kF32, tag::tnc), state_md(state, kF32, tag::ldnc);
  const memory::desc any_md(weights, kF32, tag::any), bias_md(bias, kF32, tag::ldgo);
  const auto direction = dnnl::rnn_direction::unidirectional_right2left;

  dnnl::lstm_forward::desc forward_op(dnnl::prop_kind::forward_training, direction, layer_md, state_md, state_md,
                                      any_md, any_md, bias_md, layer_md, state_md, state_md);
  dnnl::lstm_forward::primitive_desc forward(forward_op, engine);
  dnnl::lstm_backward::desc backward_op(dnnl::prop_kind::backward, direction, layer_md, state_md, state_md, any_md,
                                        any_md, bias_md, layer_md, state_md, state_md, layer_md, state_md, state_md,
                                        any_md, any_md, bias_md, layer_md, state_md, state_md);
  dnnl::lstm_backward::primitive_desc backward(backward_op, engine, forward);

  memory user_layer = Ramp(weights, tag::ldgoi, engine, 0.4f), user_iter = Ramp(weights, tag::ldigo, engine, 0.3f);
  std::unordered_map<int, memory> arguments = {{DNNL_ARG_SRC_LAYER, Ramp(layer, tag::tnc, engine, 1.f)},
                                               {DNNL_ARG_SRC_ITER, Ramp(state, tag::ldnc, engine, 0.5f)},
                                               {DNNL_ARG_SRC_ITER_C, Ramp(state, tag::ldnc, engine, 0.8f)},
                                               {DNNL_ARG_BIAS, Ramp(bias, tag::ldgo, engine, 0.2f)},
                                               {DNNL_ARG_DST_LAYER, memory(layer_md, engine)},
                                               {DNNL_ARG_DST_ITER, memory(state_md, engine)},
                                               {DNNL_ARG_DST_ITER_C, memory(state_md, engine)},
                                               {DNNL_ARG_WORKSPACE, memory(forward.workspace_desc(), engine)}};
  arguments[DNNL_ARG_WEIGHTS_LAYER] = InLayout(user_layer, forward.weights_layer_desc(), stream);
  arguments[DNNL_ARG_WEIGHTS_ITER] = InLayout(user_iter, forward.weights_iter_desc(), stream);
  dnnl::lstm_forward(forward).execute(stream, arguments);
  stream.wait();
  Print(arguments[DNNL_ARG_DST_LAYER]);

  // Gradients of weights are added to the contents of their buffers, so these begin with zeros.
  const memory zeros = Ramp(weights, tag::ldigo, engine, 0.f);
  memory diff_layer = InLayout(zeros, backward.diff_weights_layer_desc(), stream);
  memory diff_iter(backward.diff_weights_iter_desc(), engine);
  dnnl::reorder(zeros, diff_iter).execute(stream, const_cast<memory&>(zeros), diff_iter);
  arguments[DNNL_ARG_WEIGHTS_LAYER] = InLayout(user_layer, backward.weights_layer_desc(), stream);
  arguments[DNNL_ARG_WEIGHTS_ITER] = InLayout(user_iter, backward.weights_iter_desc(), stream);
  arguments[DNNL_ARG_DIFF_SRC_LAYER] = memory(layer_md, engine);
  arguments[DNNL_ARG_DIFF_SRC_ITER] = memory(state_md, engine);
  arguments[DNNL_ARG_DIFF_SRC_ITER_C] = memory(state_md, engine);
  arguments[DNNL_ARG_DIFF_WEIGHTS_LAYER] = diff_layer;
  arguments[DNNL_ARG_DIFF_WEIGHTS_ITER] = diff_iter;
  arguments[DNNL_ARG_DIFF_BIAS] = Ramp(bias, tag::ldgo, engine, 0.f);
  arguments[DNNL_ARG_DIFF_DST_LAYER] = Ramp(layer, tag::tnc, engine, 0.7f);
  arguments[DNNL_ARG_DIFF_DST_ITER] = Ramp(state, tag::ldnc, engine, 0.6f);
  arguments[DNNL_ARG_DIFF_DST_ITER_C] = Ramp(state, tag::ldnc, engine, 0.5f);
  dnnl::lstm_backward(backward).execute(stream, arguments);
  stream.wait();
  const memory::desc plain_md(weights, kF32, tag::ldigo);
  Print(InLayout(diff_layer, plain_md, stream));
  Print(InLayout(diff_iter, plain_md, stream));
  for (const int arg :
       {DNNL_ARG_DIFF_BIAS, DNNL_ARG_DIFF_SRC_LAYER, DNNL_ARG_DIFF_SRC_ITER, DNNL_ARG_DIFF_SRC_ITER_C}) {
    Print(arguments[arg]);
  }
  return 0;
}
