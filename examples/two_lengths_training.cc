// A training step over sequences of two lengths. All sequences of the batch share the first steps, which one LSTM
// primitive computes; those that go on are the first rows of the batch, and a second primitive continues them from the
// first one's states. Sequences, states and gradients are windows of common tensors, and execute() is given the tensors.
//
// One source for both generations of the API; a test compiles it against Tandem for either, and against the system's
// oneDNN 2.6, and holds results and gradients against each other.
#include <cstdio>
#include <cstring>
#include <unordered_map>
#include <vector>

#include "oneapi/dnnl/dnnl.hpp"

using dnnl::memory;
using tag = memory::format_tag;
using Arguments = std::unordered_map<int, memory>;

namespace {

const memory::dim kLayers = 2, kChannels = 4;
const memory::dim kShort = 3, kLong = 5;    // steps
const memory::dim kBatch = 4, kLonger = 2;  // sequences, and how many of them are long
const auto kF32 = memory::data_type::f32;
const auto kDirection = dnnl::rnn_direction::unidirectional_left2right;

struct Tensors {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  const memory::desc layer{{kLong, kBatch, kChannels}, kF32, tag::tnc};
  const memory::desc state{{kLayers, 1, kBatch, kChannels}, kF32, tag::ldnc};
  const memory::dims weights{kLayers, 1, kChannels, 4, kChannels};
  const memory::desc any{weights, kF32, tag::any}, plain{weights, kF32, tag::ldigo};
  const memory::desc bias{{kLayers, 1, 4, kChannels}, kF32, tag::ldgo};

  memory Ramp(const memory::desc& md, float scale) {
    memory tensor(md, engine);
    float* values = static_cast<float*>(tensor.get_data_handle());
    for (size_t i = 0; i < md.get_size() / sizeof(float); ++i) {
      values[i] = scale * (static_cast<float>(i * 7 % 13) - 6.f) / 6.f;
    }
    return tensor;
  }
  memory InLayout(memory tensor, const memory::desc& wanted) {
    memory target(wanted, engine);
    dnnl::reorder(tensor, target).execute(stream, tensor, target);
    stream.wait();
    return target;
  }
};

// h and c, or their gradients.
struct States {
  memory h, c;
};

// One of the two parts: its descriptors (a zero descriptor where no state is asked for), and the states that it begins
// with. The first part is given zeros: without any, oneDNN 2.6.3 computes other diff_weights_iter than the equations
// (absent-src-iter in docs/verdicts/findings.md).
struct Part {
  memory::desc layer, src_state, dst_state;
  States src, diff_src;
};

struct Primitives {
  dnnl::lstm_forward::primitive_desc forward;
  dnnl::lstm_backward::primitive_desc backward;
};

Primitives Make(const Tensors& all, const Part& p) {
  const auto training = dnnl::prop_kind::forward_training, backward = dnnl::prop_kind::backward;
  Primitives made;
#if DNNL_VERSION_MAJOR >= 3
  made.forward = {all.engine, training, kDirection, p.layer, p.src_state, p.src_state,
                  all.any,    all.any,  all.bias,   p.layer, p.dst_state, p.dst_state};
  made.backward = {all.engine, backward, kDirection,  p.layer,     p.src_state, p.src_state, all.any,     all.any,
                   all.bias,   p.layer,  p.dst_state, p.dst_state, p.layer,     p.src_state, p.src_state, all.plain,
                   all.plain,  all.bias, p.layer,     p.dst_state, p.dst_state, made.forward};
#else
  made.forward = {{training, kDirection, p.layer, p.src_state, p.src_state, all.any, all.any, all.bias, p.layer,
                   p.dst_state, p.dst_state},
                  all.engine};
  made.backward = {{backward,  kDirection, p.layer,     p.src_state, p.src_state, all.any,     all.any,
                    all.bias,  p.layer,    p.dst_state, p.dst_state, p.layer,     p.src_state, p.src_state,
                    all.plain, all.plain,  all.bias,    p.layer,     p.dst_state, p.dst_state},
                   all.engine,
                   made.forward};
#endif
  return made;
}

void Print(const memory& tensor) {
  const float* values = static_cast<const float*>(tensor.get_data_handle());
  for (size_t i = 0; i < tensor.get_desc().get_size() / sizeof(float); ++i) {
    std::printf("%.9g\n", static_cast<double>(values[i]));
  }
}

}  // namespace

int main() {
  Tensors all;
  const memory::desc none, longer = all.state.submemory_desc({kLayers, 1, kLonger, kChannels}, {0, 0, 0, 0});
  const memory::dims first = {kShort, kBatch, kChannels}, second = {kLong - kShort, kLonger, kChannels};
  const memory weights_layer = all.Ramp(all.plain, 0.8f), weights_iter = all.Ramp(all.plain, 0.6f);
  const auto zeros = [&] { return States{all.Ramp(all.state, 0.f), all.Ramp(all.state, 0.f)}; };
  // The states that the second part reads are the first rows of those that the first part wrote; the gradients go the
  // opposite way.
  const States between = zeros(), diff_between = zeros();
  const Part parts[] = {{all.layer.submemory_desc(first, {0, 0, 0}), all.state, all.state, zeros(), zeros()},
                        {all.layer.submemory_desc(second, {kShort, 0, 0}), longer, none, between, diff_between}};

  // Every argument that any of the four primitives has: each takes what it needs.
  Arguments arguments = {{DNNL_ARG_SRC_LAYER, all.Ramp(all.layer, 1.f)},
                         {DNNL_ARG_DST_LAYER, all.Ramp(all.layer, 0.f)},
                         {DNNL_ARG_BIAS, all.Ramp(all.bias, 0.4f)},
                         {DNNL_ARG_DST_ITER, between.h},
                         {DNNL_ARG_DST_ITER_C, between.c},
                         {DNNL_ARG_DIFF_SRC_LAYER, all.Ramp(all.layer, 0.f)},
                         {DNNL_ARG_DIFF_DST_LAYER, all.Ramp(all.layer, 0.5f)},
                         {DNNL_ARG_DIFF_DST_ITER, diff_between.h},
                         {DNNL_ARG_DIFF_DST_ITER_C, diff_between.c},
                         // Both parts add to these.
                         {DNNL_ARG_DIFF_WEIGHTS_LAYER, all.Ramp(all.plain, 0.f)},
                         {DNNL_ARG_DIFF_WEIGHTS_ITER, all.Ramp(all.plain, 0.f)},
                         {DNNL_ARG_DIFF_BIAS, all.Ramp(all.bias, 0.f)}};

  std::vector<Primitives> made;
  std::vector<memory> workspaces;
  for (const Part& part : parts) {
    made.push_back(Make(all, part));
    const auto& forward = made.back().forward;
    workspaces.push_back(memory(forward.workspace_desc(), all.engine));
    arguments[DNNL_ARG_WORKSPACE] = workspaces.back();
    arguments[DNNL_ARG_SRC_ITER] = part.src.h;
    arguments[DNNL_ARG_SRC_ITER_C] = part.src.c;
    arguments[DNNL_ARG_WEIGHTS_LAYER] = all.InLayout(weights_layer, forward.weights_layer_desc());
    arguments[DNNL_ARG_WEIGHTS_ITER] = all.InLayout(weights_iter, forward.weights_iter_desc());
    dnnl::lstm_forward(forward).execute(all.stream, arguments);
  }
  for (const size_t i : {size_t{1}, size_t{0}}) {
    const auto& backward = made[i].backward;
    arguments[DNNL_ARG_WORKSPACE] = workspaces[i];
    arguments[DNNL_ARG_SRC_ITER] = parts[i].src.h;
    arguments[DNNL_ARG_SRC_ITER_C] = parts[i].src.c;
    arguments[DNNL_ARG_DIFF_SRC_ITER] = parts[i].diff_src.h;
    arguments[DNNL_ARG_DIFF_SRC_ITER_C] = parts[i].diff_src.c;
    arguments[DNNL_ARG_WEIGHTS_LAYER] = all.InLayout(weights_layer, backward.weights_layer_desc());
    arguments[DNNL_ARG_WEIGHTS_ITER] = all.InLayout(weights_iter, backward.weights_iter_desc());
    dnnl::lstm_backward(backward).execute(all.stream, arguments);
  }
  all.stream.wait();
  for (const int arg : {DNNL_ARG_DST_LAYER, DNNL_ARG_DIFF_SRC_LAYER, DNNL_ARG_DIFF_WEIGHTS_LAYER,
                        DNNL_ARG_DIFF_WEIGHTS_ITER, DNNL_ARG_DIFF_BIAS}) {
    Print(arguments[arg]);
  }
}
