// Trains an LSTM to say, at every step, half of the input of the step before. Prints the first and the last mean squared error.
#include <cstdio>
#include <random>
#include <vector>

#include "dnnl.hpp"

using dnnl::memory;
using tag = memory::format_tag;
using Arguments = std::unordered_map<int, memory>;

namespace {

constexpr memory::dim kSteps = 12, kBatch = 8, kInputs = 1, kChannels = 8;
constexpr int kEpochs = 1000;
constexpr float kRate = 1.f;
const auto kF32 = memory::data_type::f32;
const auto kDirection = dnnl::rnn_direction::unidirectional_left2right;

// This is a tensor in a layout that this program works on, and the vector behind it.
struct Tensor {
  Tensor(const memory::desc& md, const dnnl::engine& engine)
      : values(md.get_size() / sizeof(float)), data(md, engine, values.data()) {}
  std::vector<float> values;
  memory data;
};

// Moves `tensor` into the layout that a primitive wants, if that is another one.
memory InLayout(const memory& tensor, const memory::desc& wanted, dnnl::stream& stream) {
  if (tensor.get_desc() == wanted) return tensor;
  memory source = tensor, target(wanted, tensor.get_engine());
  dnnl::reorder(source, target).execute(stream, source, target);
  return target;
}

void Descend(Tensor* weights, const Tensor& gradient) {
  for (size_t i = 0; i < weights->values.size(); ++i) {
    weights->values[i] -= kRate * gradient.values[i];
  }
}

}  // namespace

int main() {
  const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(cpu);
  const memory::desc none;
  const memory::desc src_md({kSteps, kBatch, kInputs}, kF32, tag::tnc);
  const memory::desc dst_md({kSteps, kBatch, kChannels}, kF32, tag::tnc);
  const memory::desc layer_md({1, 1, kInputs, 4, kChannels}, kF32, tag::ldigo);
  const memory::desc iter_md({1, 1, kChannels, 4, kChannels}, kF32, tag::ldigo);
  const memory::desc layer_any({1, 1, kInputs, 4, kChannels}, kF32, tag::any);
  const memory::desc iter_any({1, 1, kChannels, 4, kChannels}, kF32, tag::any);
  const memory::desc bias_md({1, 1, 4, kChannels}, kF32, tag::ldgo);

  // Weights are in the implementation's own layout, gradients in ours.
  const dnnl::lstm_forward::primitive_desc forward(cpu, dnnl::prop_kind::forward_training, kDirection, src_md, none,
                                                   none, layer_any, iter_any, bias_md, dst_md, none, none);
  const dnnl::lstm_backward::primitive_desc backward(cpu, dnnl::prop_kind::backward, kDirection, src_md, none, none,
                                                     layer_any, iter_any, bias_md, dst_md, none, none, src_md, none,
                                                     none, layer_md, iter_md, bias_md, dst_md, none, none, forward);

  Tensor src(src_md, cpu), dst(dst_md, cpu), diff_src(src_md, cpu), diff_dst(dst_md, cpu);
  Tensor layer(layer_md, cpu), iter(iter_md, cpu), bias(bias_md, cpu);
  Tensor diff_layer(layer_md, cpu), diff_iter(iter_md, cpu), diff_bias(bias_md, cpu);
  const memory workspace(forward.workspace_desc(), cpu);

  std::mt19937 random(1);
  const auto draw = [&random] { return static_cast<float>(random() % 2001) / 1000.f - 1.f; };
  for (float& value : src.values) value = draw();
  for (Tensor* weights : {&layer, &iter}) {
    for (float& value : weights->values) value = 0.3f * draw();
  }

  const dnnl::lstm_forward run_forward(forward);
  const dnnl::lstm_backward run_backward(backward);
  double first_loss = 0, loss = 0;
  for (int epoch = 0; epoch < kEpochs; ++epoch) {
    Arguments arguments = {{DNNL_ARG_SRC_LAYER, src.data},
                           {DNNL_ARG_BIAS, bias.data},
                           {DNNL_ARG_DST_LAYER, dst.data},
                           {DNNL_ARG_WORKSPACE, workspace}};
    Arguments others = arguments;
    arguments[DNNL_ARG_WEIGHTS_LAYER] = InLayout(layer.data, forward.weights_layer_desc(), stream);
    arguments[DNNL_ARG_WEIGHTS_ITER] = InLayout(iter.data, forward.weights_iter_desc(), stream);
    run_forward.execute(stream, arguments);

    // The answer is the first channel of h_t; it should be half of x_{t-1}.
    loss = 0;
    const float count = (kSteps - 1) * kBatch;
    for (memory::dim i = kBatch; i < kSteps * kBatch; ++i) {
      const float error = dst.values[i * kChannels] - 0.5f * src.values[i - kBatch];
      diff_dst.values[i * kChannels] = 2 * error / count;
      loss += error * error / count;
    }
    if (epoch == 0) first_loss = loss;

    // Gradients of weights are added to what the buffers hold.
    for (Tensor* gradient : {&diff_layer, &diff_iter, &diff_bias}) {
      gradient->values.assign(gradient->values.size(), 0.f);
    }
    others[DNNL_ARG_WEIGHTS_LAYER] = InLayout(layer.data, backward.weights_layer_desc(), stream);
    others[DNNL_ARG_WEIGHTS_ITER] = InLayout(iter.data, backward.weights_iter_desc(), stream);
    others[DNNL_ARG_DIFF_SRC_LAYER] = diff_src.data;
    others[DNNL_ARG_DIFF_WEIGHTS_LAYER] = diff_layer.data;
    others[DNNL_ARG_DIFF_WEIGHTS_ITER] = diff_iter.data;
    others[DNNL_ARG_DIFF_BIAS] = diff_bias.data;
    others[DNNL_ARG_DIFF_DST_LAYER] = diff_dst.data;
    run_backward.execute(stream, others);
    Descend(&layer, diff_layer);
    Descend(&iter, diff_iter);
    Descend(&bias, diff_bias);
  }
  std::printf("%s: loss %.6f, after %d epochs %.6f\n", forward.impl_info_str(), first_loss, kEpochs, loss);
  return loss < first_loss / 10 ? 0 : 1;
}
