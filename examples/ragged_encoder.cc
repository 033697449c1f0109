// This is a training step of an encoder, an LSTM in both directions, over a batch whose rows have different lengths. With
// Tandem it is one execution that computes the live cells only: the attribute asks for lengths, and execute() is given them.
// Any other oneDNN executes each row by itself, on windows of the same tensors.
//
// The one source serves both generations of the API. A test compiles it against Tandem for either, and against the system's
// oneDNN 2.6, and compares results and gradients.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <unordered_map>
#include <vector>

#include "oneapi/dnnl/dnnl.hpp"

using dnnl::memory;
using tag = memory::format_tag;
using Arguments = std::unordered_map<int, memory>;

namespace {

const memory::dim kSteps = 5, kChannels = 4;
const std::vector<int32_t> kLengths = {5, 2, 4, 1};  // rows in any order; a length may be 0, too
const memory::dim kRows = static_cast<memory::dim>(kLengths.size());
const auto kF32 = memory::data_type::f32;
const auto kDirection = dnnl::rnn_direction::bidirectional_concat;

struct Tensors {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  const memory::desc src_layer{{kSteps, kRows, kChannels}, kF32, tag::tnc};
  const memory::desc dst_layer{{kSteps, kRows, 2 * kChannels}, kF32, tag::tnc};
  const memory::desc state{{1, 2, kRows, kChannels}, kF32, tag::ldnc};
  const memory::dims weights{1, 2, kChannels, 4, kChannels};
  const memory::desc any{weights, kF32, tag::any}, plain{weights, kF32, tag::ldigo};
  const memory::desc bias{{1, 2, 4, kChannels}, kF32, tag::ldgo};

  memory Ramp(const memory::desc& md, float scale) {
    memory tensor(md, engine);
    float* values = static_cast<float*>(tensor.get_data_handle());
    for (size_t i = 0; i < md.get_size() / sizeof(float); ++i) {
      values[i] = scale * (static_cast<float>(i * 7 % 13) - 6.f) / 6.f;
    }
    return tensor;
  }
  // Returns a tensor of tnc whose steps behind the end of a row are NaN: nothing reads them.
  memory Padded(const memory::desc& md, memory::dim channels, float scale) {
    memory tensor = Ramp(md, scale);
    float* values = static_cast<float*>(tensor.get_data_handle());
    for (memory::dim i = 0; i < kSteps * kRows * channels; ++i) {
      if (i / channels / kRows >= kLengths[static_cast<size_t>(i / channels % kRows)]) values[i] = NAN;
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

// One execution covers the whole batch, or a window of each tensor.
struct Part {
  memory::desc src_layer, dst_layer, state;
  dnnl::primitive_attr attr;
};

struct Primitives {
  dnnl::lstm_forward::primitive_desc forward;
  dnnl::lstm_backward::primitive_desc backward;
};

Primitives Make(const Tensors& all, const Part& p) {
  const auto training = dnnl::prop_kind::forward_training, backward = dnnl::prop_kind::backward;
  const memory::desc &src = p.src_layer, &dst = p.dst_layer, &state = p.state, &any = all.any, &plain = all.plain;
  Primitives made;
#if DNNL_VERSION_MAJOR >= 3
  made.forward = {all.engine, training, kDirection, src, state, state, any, any, all.bias, dst, state, state, p.attr};
  made.backward = {all.engine, backward, kDirection, src,   state, state,        any,   any,
                   all.bias,   dst,      state,      state, src,   state,        state, plain,
                   plain,      all.bias, dst,        state, state, made.forward, p.attr};
#else
  made.forward = {{training, kDirection, src, state, state, any, any, all.bias, dst, state, state}, p.attr, all.engine};
  made.backward = {{backward, kDirection, src,   state, state, any,   any,      all.bias, dst,   state,
                    state,    src,        state, state, plain, plain, all.bias, dst,      state, state},
                   p.attr,
                   all.engine,
                   made.forward};
#endif
  return made;
}

// Runs forward and backward of a part. `arguments` has all but the workspace and the weights in the layouts of each.
void Train(Tensors* all, const Part& part, const memory& weights_layer, const memory& weights_iter,
           Arguments arguments) {
  const Primitives made = Make(*all, part);
  arguments[DNNL_ARG_WORKSPACE] = memory(made.forward.workspace_desc(), all->engine);
  arguments[DNNL_ARG_WEIGHTS_LAYER] = all->InLayout(weights_layer, made.forward.weights_layer_desc());
  arguments[DNNL_ARG_WEIGHTS_ITER] = all->InLayout(weights_iter, made.forward.weights_iter_desc());
  dnnl::lstm_forward(made.forward).execute(all->stream, arguments);
  arguments[DNNL_ARG_WEIGHTS_LAYER] = all->InLayout(weights_layer, made.backward.weights_layer_desc());
  arguments[DNNL_ARG_WEIGHTS_ITER] = all->InLayout(weights_iter, made.backward.weights_iter_desc());
  dnnl::lstm_backward(made.backward).execute(all->stream, arguments);
  all->stream.wait();
}

// Returns one part, or one for each row. A client that shall compile with any oneDNN asks with #ifdef.
std::vector<Part> PartsOf(Tensors* all, Arguments* arguments) {
  std::vector<Part> parts;
#ifdef TANDEM_ARG_SEQUENCE_LENGTHS
  memory lengths({{kRows}, memory::data_type::s32, tag::a}, all->engine);
  std::memcpy(lengths.get_data_handle(), kLengths.data(), kLengths.size() * sizeof(int32_t));
  (*arguments)[TANDEM_ARG_SEQUENCE_LENGTHS] = lengths;
  parts.push_back({all->src_layer, all->dst_layer, all->state, dnnl::primitive_attr()});
  parts.back().attr.set_rnn_sequence_lengths(true);
#else
  (void)arguments;
  for (memory::dim n = 0; n < kRows; ++n) {
    const memory::dim steps = kLengths[static_cast<size_t>(n)];
    parts.push_back({all->src_layer.submemory_desc({steps, 1, kChannels}, {0, n, 0}),
                     all->dst_layer.submemory_desc({steps, 1, 2 * kChannels}, {0, n, 0}),
                     all->state.submemory_desc({1, 2, 1, kChannels}, {0, 0, n, 0}), dnnl::primitive_attr()});
  }
#endif
  return parts;
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
  const memory weights_layer = all.Ramp(all.plain, 0.8f), weights_iter = all.Ramp(all.plain, 0.6f);
  // dst_layer and diff_src_layer are 0 behind a row's end: Tandem writes it, rows by themselves leave it.
  Arguments arguments = {{DNNL_ARG_SRC_LAYER, all.Padded(all.src_layer, kChannels, 1.f)},
                         {DNNL_ARG_SRC_ITER, all.Ramp(all.state, 0.3f)},
                         {DNNL_ARG_SRC_ITER_C, all.Ramp(all.state, 0.2f)},
                         {DNNL_ARG_BIAS, all.Ramp(all.bias, 0.4f)},
                         {DNNL_ARG_DST_LAYER, all.Ramp(all.dst_layer, 0.f)},
                         {DNNL_ARG_DST_ITER, all.Ramp(all.state, 0.f)},
                         {DNNL_ARG_DST_ITER_C, all.Ramp(all.state, 0.f)},
                         {DNNL_ARG_DIFF_SRC_LAYER, all.Ramp(all.src_layer, 0.f)},
                         {DNNL_ARG_DIFF_SRC_ITER, all.Ramp(all.state, 0.f)},
                         {DNNL_ARG_DIFF_SRC_ITER_C, all.Ramp(all.state, 0.f)},
                         // Each part adds to these.
                         {DNNL_ARG_DIFF_WEIGHTS_LAYER, all.Ramp(all.plain, 0.f)},
                         {DNNL_ARG_DIFF_WEIGHTS_ITER, all.Ramp(all.plain, 0.f)},
                         {DNNL_ARG_DIFF_BIAS, all.Ramp(all.bias, 0.f)},
                         {DNNL_ARG_DIFF_DST_LAYER, all.Padded(all.dst_layer, 2 * kChannels, 0.5f)},
                         {DNNL_ARG_DIFF_DST_ITER, all.Ramp(all.state, 0.2f)},
                         {DNNL_ARG_DIFF_DST_ITER_C, all.Ramp(all.state, 0.1f)}};
  for (const Part& part : PartsOf(&all, &arguments)) Train(&all, part, weights_layer, weights_iter, arguments);
  for (const int arg :
       {DNNL_ARG_DST_LAYER, DNNL_ARG_DST_ITER, DNNL_ARG_DST_ITER_C, DNNL_ARG_DIFF_SRC_LAYER, DNNL_ARG_DIFF_SRC_ITER,
        DNNL_ARG_DIFF_SRC_ITER_C, DNNL_ARG_DIFF_WEIGHTS_LAYER, DNNL_ARG_DIFF_WEIGHTS_ITER, DNNL_ARG_DIFF_BIAS}) {
    Print(arguments[arg]);
  }
  return 0;
}
