// The primitive descriptor says how a memory is read: descriptors made of windows of larger tensors, and the larger
// tensors passed to execute(). Each network runs also on tensors of its own, and the results are equal bit for bit.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "api/tests/generations_testing.h"
#include "api/tests/rnn_client_testing.h"

namespace tandem {
namespace testing {
namespace {

using dnnl::memory;
using dnnl::prop_kind;
using tag = memory::format_tag;
using dt = memory::data_type;
using Arguments = std::unordered_map<int, memory>;

const auto kLeft2Right = dnnl::rnn_direction::unidirectional_left2right;
constexpr memory::dim kLayers = 2, kSteps = 4, kBatch = 3, kChannels = 5;

std::vector<float> Ramp(const memory::desc& md, float scale) {
  size_t count = 1;
  for (const memory::dim dim : md.get_dims()) count *= static_cast<size_t>(dim);
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = scale * (static_cast<float>(i * 7 % 13) - 6.f) / 6.f;
  return values;
}

// A tensor that lies in the buffer of a larger one, two elements behind the begin of each dim.
struct Window {
  memory::desc md;
  memory parent;

  explicit Window(const memory::desc& inner) {
    memory::dims dims = inner.get_dims();
    const memory::dims offsets(dims.size(), 2);
    for (memory::dim& dim : dims) dim += 3;
    const memory::desc whole(dims, inner.get_data_type(), memory::dims());
    parent = memory(whole, Cpu());
    std::memset(parent.get_data_handle(), 0x3c, whole.get_size());
    md = whole.submemory_desc(inner.get_dims(), offsets);
  }
  memory View() const { return memory(md, Cpu(), parent.get_data_handle()); }
  std::vector<char> Bytes() const {
    const char* bytes = static_cast<const char*>(parent.get_data_handle());
    return std::vector<char>(bytes, bytes + parent.get_desc().get_size());
  }
};

void Copy(memory from, memory to, const dnnl::primitive_attr& attr = dnnl::primitive_attr()) {
  dnnl::stream stream(Cpu());
  dnnl::reorder(from, to, attr).execute(stream, from, to);
}

void Fill(const memory& to, float scale, const dnnl::primitive_attr& attr) {
  std::vector<float> values = Ramp(to.get_desc(), scale);
  Copy(memory({to.get_desc().get_dims(), dt::f32, memory::dims()}, Cpu(), values.data()), to, attr);
}

std::vector<char> DenseBytes(const memory& view) {
  const memory::desc dense(view.get_desc().get_dims(), view.get_desc().get_data_type(), memory::dims());
  const memory copy(dense, Cpu());
  Copy(view, copy);
  const char* bytes = static_cast<const char*>(copy.get_data_handle());
  return std::vector<char>(bytes, bytes + dense.get_size());
}

// The tensors of a two-layer LSTM in f32 or, with states in u8, in int8.
struct Lstm {
  dt type;
  dnnl::primitive_attr attr;
  memory::desc layer, state, cell, weights, bias;

  explicit Lstm(dt data_type, memory::dim steps = kSteps)
      : type(data_type),
        layer({steps, kBatch, kChannels}, data_type, tag::tnc),
        state({kLayers, 1, kBatch, kChannels}, data_type, tag::ldnc),
        cell({kLayers, 1, kBatch, kChannels}, dt::f32, tag::ldnc),
        weights({kLayers, 1, kChannels, 4, kChannels}, data_type == dt::f32 ? dt::f32 : dt::s8, tag::any),
        bias({kLayers, 1, 4, kChannels}, dt::f32, tag::ldgo) {
    if (data_type == dt::f32) return;
    attr.set_rnn_data_qparams(64.f, 1.f);
    attr.set_rnn_weights_qparams(0, {32.f});
  }

  memory Filled(const memory::desc& md, float scale) const {
    const memory result(md, Cpu());
    Fill(result, scale, attr);
    return result;
  }
  Arguments Weights(const dnnl::primitive_desc& pd) const {
    const auto md = [&](int arg) { return pd.query_md(dnnl::query::exec_arg_md, arg); };
    return {{DNNL_ARG_WEIGHTS_LAYER, Filled(md(DNNL_ARG_WEIGHTS_LAYER), 0.4f)},
            {DNNL_ARG_WEIGHTS_ITER, Filled(md(DNNL_ARG_WEIGHTS_ITER), 0.3f)},
            {DNNL_ARG_BIAS, Filled(bias, 0.2f)}};
  }
  Arguments States() const {
    return {{DNNL_ARG_SRC_ITER, Filled(state, 0.5f)}, {DNNL_ARG_SRC_ITER_C, Filled(cell, 0.6f)}};
  }
};

void Execute(const dnnl::primitive_desc& pd, const Arguments& arguments) {
  dnnl::stream stream(Cpu());
  dnnl::primitive(pd).execute(stream, arguments);
}

template <class Generation>
class Windows : public ::testing::Test {
 protected:
  static dnnl::lstm_forward::primitive_desc Forward(prop_kind prop, const Lstm& lstm, const memory::desc& src_layer,
                                                    const memory::desc& src_iter, const memory::desc& src_iter_c,
                                                    const memory::desc& dst_layer, const memory::desc& dst_iter,
                                                    const memory::desc& dst_iter_c) {
    return Generation::template Make<dnnl::lstm_forward>(Cpu(), lstm.attr, prop, kLeft2Right, src_layer, src_iter,
                                                         src_iter_c, lstm.weights, lstm.weights, lstm.bias, dst_layer,
                                                         dst_iter, dst_iter_c);
  }
  static dnnl::lstm_forward::primitive_desc Forward(prop_kind prop, const Lstm& lstm) {
    return Forward(prop, lstm, lstm.layer, lstm.state, lstm.cell, lstm.layer, lstm.state, lstm.cell);
  }
};
TYPED_TEST_SUITE(Windows, Generations);

constexpr int kInputs[] = {DNNL_ARG_SRC_LAYER, DNNL_ARG_SRC_ITER, DNNL_ARG_SRC_ITER_C};
constexpr int kOutputs[] = {DNNL_ARG_DST_LAYER, DNNL_ARG_DST_ITER, DNNL_ARG_DST_ITER_C};

// Every state and sequence is the window of a tensor that is larger in each dim.
TYPED_TEST(Windows, ParentsOfWindowsAreReadAndWrittenWhereTheDescriptorSays) {
  for (const dt type : {dt::f32, dt::u8}) {
    const Lstm lstm(type);
    auto own = this->Forward(prop_kind::forward_inference, lstm);
    std::map<int, Window> windows;
    for (const int arg : {DNNL_ARG_SRC_LAYER, DNNL_ARG_DST_LAYER}) windows.emplace(arg, lstm.layer);
    for (const int arg : {DNNL_ARG_SRC_ITER, DNNL_ARG_DST_ITER}) windows.emplace(arg, lstm.state);
    for (const int arg : {DNNL_ARG_SRC_ITER_C, DNNL_ARG_DST_ITER_C}) windows.emplace(arg, lstm.cell);
    const auto md = [&](int arg) { return windows.at(arg).md; };
    auto pd =
        this->Forward(prop_kind::forward_inference, lstm, md(DNNL_ARG_SRC_LAYER), md(DNNL_ARG_SRC_ITER),
                      md(DNNL_ARG_SRC_ITER_C), md(DNNL_ARG_DST_LAYER), md(DNNL_ARG_DST_ITER), md(DNNL_ARG_DST_ITER_C));
    do {
      Arguments expected = lstm.Weights(own), arguments = lstm.Weights(pd);
      for (const int arg : kInputs) {
        expected[arg] = lstm.Filled(own.query_md(dnnl::query::exec_arg_md, arg), 0.7f);
        Fill(windows.at(arg).View(), 0.7f, lstm.attr);
      }
      for (const int arg : kOutputs) expected[arg] = memory(own.query_md(dnnl::query::exec_arg_md, arg), Cpu());
      for (const auto& window : windows) arguments[window.first] = window.second.parent;
      Execute(own, expected);
      Execute(pd, arguments);
      for (const int arg : kOutputs) {
        const Window& window = windows.at(arg);
        EXPECT_EQ(DenseBytes(window.View()), DenseBytes(expected.at(arg))) << pd.impl_info_str() << ", " << arg;
        std::memset(expected.at(arg).get_data_handle(), 0x3c, expected.at(arg).get_desc().get_size());
        Copy(expected.at(arg), window.View());
        EXPECT_EQ(window.Bytes(), Window(expected.at(arg).get_desc()).Bytes()) << "written outside, " << arg;
      }
    } while (pd.next_impl() && own.next_impl());
  }
}

// One step at a time: handles are moved through one sequence, states are updated in place in rows twice as long.
TYPED_TEST(Windows, ADecoderStepsThroughSlicesOfOneTensor) {
  for (const dt type : {dt::f32, dt::u8}) {
    const Lstm whole(type), one(type, 1);
    auto own = this->Forward(prop_kind::forward_inference, whole);
    const memory::desc wide({kLayers, 1, kBatch, 2 * kChannels}, type, tag::ldnc);
    const memory::desc half = wide.submemory_desc({kLayers, 1, kBatch, kChannels}, {0, 0, 0, kChannels, 0, 0});
    auto step = this->Forward(prop_kind::forward_inference, one, one.layer, half, one.cell, one.layer, half, one.cell);
    do {
      Arguments expected = whole.Weights(own), arguments = one.Weights(step);
      for (const auto& state : whole.States()) expected[state.first] = state.second;
      expected[DNNL_ARG_SRC_LAYER] = whole.Filled(whole.layer, 0.7f);
      expected[DNNL_ARG_DST_LAYER] = memory(whole.layer, Cpu());
      expected[DNNL_ARG_DST_ITER] = memory(whole.state, Cpu());
      expected[DNNL_ARG_DST_ITER_C] = memory(whole.cell, Cpu());
      Execute(own, expected);

      const memory src = whole.Filled(whole.layer, 0.7f), dst(whole.layer, Cpu()), states(wide, Cpu());
      std::memset(states.get_data_handle(), 0, wide.get_size());
      const memory view(half, Cpu(), states.get_data_handle()), cell = whole.States().at(DNNL_ARG_SRC_ITER_C);
      Copy(whole.States().at(DNNL_ARG_SRC_ITER), view);
      arguments[DNNL_ARG_SRC_ITER] = arguments[DNNL_ARG_DST_ITER] = states;
      arguments[DNNL_ARG_SRC_ITER_C] = arguments[DNNL_ARG_DST_ITER_C] = cell;
      memory src_step(one.layer, Cpu(), DNNL_MEMORY_NONE), dst_step(one.layer, Cpu(), DNNL_MEMORY_NONE);
      arguments[DNNL_ARG_SRC_LAYER] = src_step;
      arguments[DNNL_ARG_DST_LAYER] = dst_step;
      for (memory::dim t = 0; t < kSteps; ++t) {
        const size_t bytes = static_cast<size_t>(t) * one.layer.get_size();
        src_step.set_data_handle(static_cast<char*>(src.get_data_handle()) + bytes);
        dst_step.set_data_handle(static_cast<char*>(dst.get_data_handle()) + bytes);
        Execute(step, arguments);
      }
      EXPECT_EQ(DenseBytes(dst), DenseBytes(expected.at(DNNL_ARG_DST_LAYER))) << step.impl_info_str();
      EXPECT_EQ(DenseBytes(view), DenseBytes(expected.at(DNNL_ARG_DST_ITER)));
      EXPECT_EQ(DenseBytes(cell), DenseBytes(expected.at(DNNL_ARG_DST_ITER_C)));
    } while (step.next_impl() && own.next_impl());
  }
}

// A descriptor for each slice, and the whole sequence passed each time.
TYPED_TEST(Windows, DescriptorsOfSlicesTakeTheWholeSequence) {
  const Lstm whole(dt::f32), one(dt::f32, 1);
  const auto own = this->Forward(prop_kind::forward_inference, whole);
  Arguments expected = whole.Weights(own);
  for (const auto& state : whole.States()) expected[state.first] = state.second;
  expected[DNNL_ARG_SRC_LAYER] = whole.Filled(whole.layer, 0.7f);
  expected[DNNL_ARG_DST_LAYER] = memory(whole.layer, Cpu());
  expected[DNNL_ARG_DST_ITER] = memory(whole.state, Cpu());
  expected[DNNL_ARG_DST_ITER_C] = memory(whole.cell, Cpu());
  Execute(own, expected);

  Arguments states = whole.States();
  const memory dst(whole.layer, Cpu());
  for (memory::dim t = 0; t < kSteps; ++t) {
    const memory::desc slice = whole.layer.submemory_desc({1, kBatch, kChannels}, {t, 0, 0});
    const auto step = this->Forward(prop_kind::forward_inference, one, slice, whole.state, whole.cell, slice,
                                    whole.state, whole.cell);
    Arguments arguments = one.Weights(step);
    arguments[DNNL_ARG_SRC_LAYER] = expected.at(DNNL_ARG_SRC_LAYER);
    arguments[DNNL_ARG_DST_LAYER] = dst;
    arguments[DNNL_ARG_SRC_ITER] = arguments[DNNL_ARG_DST_ITER] = states.at(DNNL_ARG_SRC_ITER);
    arguments[DNNL_ARG_SRC_ITER_C] = arguments[DNNL_ARG_DST_ITER_C] = states.at(DNNL_ARG_SRC_ITER_C);
    Execute(step, arguments);
  }
  EXPECT_EQ(DenseBytes(dst), DenseBytes(expected.at(DNNL_ARG_DST_LAYER)));
}

// Gradients of a window: forward_training and backward, the larger tensors passed to both.
TYPED_TEST(Windows, TrainingReadsAndWritesParents) {
  const Lstm lstm(dt::f32);
  const auto direction = kLeft2Right;
  const auto train = [&](const std::function<memory(int, const memory::desc&, float)>& tensor,
                         const std::function<memory::desc(const memory::desc&)>& md) {
    const memory::desc layer = md(lstm.layer), state = md(lstm.state), cell = md(lstm.cell);
    const auto forward = this->Forward(prop_kind::forward_training, lstm, layer, state, cell, layer, state, cell);
    const auto backward = TypeParam::template MakeBackward<dnnl::lstm_backward>(
        Cpu(), lstm.attr, forward, prop_kind::backward, direction, layer, state, cell, lstm.weights, lstm.weights,
        lstm.bias, layer, state, cell, layer, state, cell, lstm.weights, lstm.weights, lstm.bias, layer, state, cell);
    Arguments arguments = lstm.Weights(forward);
    const int difference = DNNL_ARG_DIFF_SRC - DNNL_ARG_SRC;
    for (const int arg : {DNNL_ARG_SRC_LAYER, DNNL_ARG_DST_LAYER}) {
      arguments[arg] = tensor(arg, lstm.layer, 0.7f);
      arguments[arg + difference] = tensor(arg + difference, lstm.layer, 0.5f);
    }
    for (const int arg : {DNNL_ARG_SRC_ITER, DNNL_ARG_DST_ITER, DNNL_ARG_SRC_ITER_C, DNNL_ARG_DST_ITER_C}) {
      arguments[arg] = tensor(arg, lstm.state, 0.6f);
      arguments[arg + difference] = tensor(arg + difference, lstm.state, 0.4f);
    }
    arguments[DNNL_ARG_WORKSPACE] = memory(forward.workspace_desc(), Cpu());
    Execute(forward, arguments);
    for (const auto& weights : lstm.Weights(backward)) arguments[weights.first] = weights.second;
    arguments[DNNL_ARG_DIFF_WEIGHTS_LAYER] = lstm.Filled(backward.diff_weights_layer_desc(), 0.f);
    arguments[DNNL_ARG_DIFF_WEIGHTS_ITER] = lstm.Filled(backward.diff_weights_iter_desc(), 0.f);
    arguments[DNNL_ARG_DIFF_BIAS] = lstm.Filled(backward.diff_bias_desc(), 0.f);
    Execute(backward, arguments);
    return arguments;
  };
  const Arguments expected = train([&](int, const memory::desc& md, float scale) { return lstm.Filled(md, scale); },
                                   [](const memory::desc& md) { return md; });
  std::map<int, Window> windows;
  const Arguments got = train(
      [&](int arg, const memory::desc& md, float scale) {
        const Window& window = windows.emplace(arg, md).first->second;
        Fill(window.View(), scale, lstm.attr);
        return window.parent;
      },
      [](const memory::desc& md) { return Window(md).md; });
  EXPECT_EQ(windows.size(), 12u);
  for (const auto& window : windows) {
    EXPECT_EQ(DenseBytes(window.second.View()), DenseBytes(expected.at(window.first))) << window.first;
  }
  for (const int arg : {DNNL_ARG_DIFF_WEIGHTS_LAYER, DNNL_ARG_DIFF_WEIGHTS_ITER, DNNL_ARG_DIFF_BIAS}) {
    EXPECT_EQ(DenseBytes(got.at(arg)), DenseBytes(expected.at(arg))) << arg;
  }
}

// A reorder, too, reads the buffer as its descriptor says.
TEST(WindowsOfReorder, ParentsArePassed) {
  std::vector<float> from = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, to(12, -1.f);
  const memory::desc whole({3, 4}, dt::f32, tag::ab);
  const memory::desc left = whole.submemory_desc({2, 2}, {1, 0}), right = whole.submemory_desc({2, 2}, {0, 2});
  dnnl::stream stream(Cpu());
  memory source(whole, Cpu(), from.data()), target(whole, Cpu(), to.data());
  dnnl::reorder(dnnl::reorder::primitive_desc(Cpu(), left, Cpu(), right)).execute(stream, source, target);
  EXPECT_EQ(to, (std::vector<float>{-1, -1, 4, 5, -1, -1, 8, 9, -1, -1, -1, -1}));
}

}  // namespace
}  // namespace testing
}  // namespace tandem
