// Rows of a minibatch with lengths of their own (docs/sequence_lengths.md), in both generations of the API.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "api/tests/expect_error_testing.h"
#include "api/tests/generations_testing.h"

namespace tandem {
namespace testing {
namespace {

using dnnl::memory;
using dnnl::prop_kind;
using tag = memory::format_tag;
using dt = memory::data_type;
using Arguments = std::unordered_map<int, memory>;

constexpr memory::dim kSteps = 3, kChannels = 2;
const auto kDirection = dnnl::rnn_direction::bidirectional_concat;
constexpr float kUntouched = -7.f;

dnnl::engine Cpu() { return dnnl::engine(dnnl::engine::kind::cpu, 0); }

memory Ramp(const memory::desc& md, float scale) {
  memory result(md, Cpu());
  auto* values = static_cast<float*>(result.get_data_handle());
  for (size_t i = 0; i < md.get_size() / sizeof(float); ++i) values[i] = scale * (static_cast<float>(i * 7 % 13) - 6.f);
  return result;
}
memory Filled(const memory::desc& md, float value) {
  memory result(md, Cpu());
  auto* values = static_cast<float*>(result.get_data_handle());
  std::fill_n(values, md.get_size() / sizeof(float), value);
  return result;
}
const float* ValuesOf(const memory& tensor) { return static_cast<const float*>(tensor.get_data_handle()); }
void ExpectUntouched(const memory& tensor) {
  for (size_t i = 0; i < tensor.get_desc().get_size() / sizeof(float); ++i) EXPECT_EQ(ValuesOf(tensor)[i], kUntouched);
}

memory Lengths(const std::vector<int32_t>& lengths) {
  memory result({{static_cast<memory::dim>(lengths.size())}, dt::s32, tag::a}, Cpu());
  std::memcpy(result.get_data_handle(), lengths.data(), lengths.size() * sizeof(int32_t));
  return result;
}

// An LSTM in both directions, forward and backward, over `rows` rows of `steps` steps.
template <class Generation>
struct Lstm {
  Lstm(memory::dim steps, memory::dim rows, bool with_lengths)
      : layer({steps, rows, kChannels}, dt::f32, tag::tnc),
        dst_layer({steps, rows, 2 * kChannels}, dt::f32, tag::tnc),
        state({1, 2, rows, kChannels}, dt::f32, tag::ldnc) {
    attr.set_rnn_sequence_lengths(with_lengths);
    forward =
        Generation::template Make<dnnl::lstm_forward>(Cpu(), attr, prop_kind::forward_training, kDirection, layer,
                                                      state, state, weights, weights, bias, dst_layer, state, state);
    backward = Generation::template MakeBackward<dnnl::lstm_backward>(
        Cpu(), attr, forward, prop_kind::backward, kDirection, layer, state, state, weights, weights, bias, dst_layer,
        state, state, layer, state, state, weights, weights, bias, dst_layer, state, state);
    arguments = {{DNNL_ARG_SRC_LAYER, Ramp(layer, 0.1f)},
                 {DNNL_ARG_SRC_ITER, Ramp(state, 0.08f)},
                 {DNNL_ARG_SRC_ITER_C, Ramp(state, 0.06f)},
                 {DNNL_ARG_WEIGHTS_LAYER, Ramp(weights, 0.05f)},
                 {DNNL_ARG_WEIGHTS_ITER, Ramp(weights, 0.04f)},
                 {DNNL_ARG_BIAS, Ramp(bias, 0.03f)},
                 {DNNL_ARG_DST_LAYER, Filled(dst_layer, kUntouched)},
                 {DNNL_ARG_DST_ITER, Filled(state, kUntouched)},
                 {DNNL_ARG_DST_ITER_C, Filled(state, kUntouched)},
                 {DNNL_ARG_WORKSPACE, memory(forward.workspace_desc(), Cpu())},
                 {DNNL_ARG_DIFF_SRC_LAYER, Filled(layer, kUntouched)},
                 {DNNL_ARG_DIFF_SRC_ITER, Filled(state, kUntouched)},
                 {DNNL_ARG_DIFF_SRC_ITER_C, Filled(state, kUntouched)},
                 {DNNL_ARG_DIFF_WEIGHTS_LAYER, Filled(weights, 0.f)},
                 {DNNL_ARG_DIFF_WEIGHTS_ITER, Filled(weights, 0.f)},
                 {DNNL_ARG_DIFF_BIAS, Filled(bias, 0.f)},
                 {DNNL_ARG_DIFF_DST_LAYER, Ramp(dst_layer, 0.07f)},
                 {DNNL_ARG_DIFF_DST_ITER, Ramp(state, 0.02f)},
                 {DNNL_ARG_DIFF_DST_ITER_C, Ramp(state, 0.01f)}};
  }

  void Forward() {
    dnnl::stream stream(Cpu());
    dnnl::lstm_forward(forward).execute(stream, arguments);
    stream.wait();
  }
  void Backward() {
    dnnl::stream stream(Cpu());
    dnnl::lstm_backward(backward).execute(stream, arguments);
    stream.wait();
  }
  const float* Values(int arg) const { return ValuesOf(arguments.at(arg)); }
  float* Mutable(int arg) { return static_cast<float*>(arguments.at(arg).get_data_handle()); }
  // None of the outputs of forward, with `backward` none of the gradients that are not added to.
  void ExpectNothingWritten(bool of_backward) const {
    for (const int arg : {DNNL_ARG_DST_LAYER, DNNL_ARG_DST_ITER, DNNL_ARG_DST_ITER_C}) {
      if (!of_backward) ExpectUntouched(arguments.at(arg));
    }
    for (const int arg : {DNNL_ARG_DIFF_SRC_LAYER, DNNL_ARG_DIFF_SRC_ITER, DNNL_ARG_DIFF_SRC_ITER_C}) {
      ExpectUntouched(arguments.at(arg));
    }
  }

  memory::desc layer, dst_layer, state;
  memory::desc weights{{1, 2, kChannels, 4, kChannels}, dt::f32, tag::ldigo},
      bias{{1, 2, 4, kChannels}, dt::f32, tag::ldgo};
  dnnl::primitive_attr attr;
  dnnl::lstm_forward::primitive_desc forward;
  dnnl::lstm_backward::primitive_desc backward;
  Arguments arguments;
};

template <class Generation>
class SequenceLengths : public ::testing::Test {
 protected:
  using Net = Lstm<Generation>;
};
TYPED_TEST_SUITE(SequenceLengths, Generations);

// Copies row `row` of a tensor whose rows have `width` values and are `rows` in number in each of `outer` blocks.
void CopyRow(const float* from, memory::dim outer, memory::dim rows, memory::dim row, memory::dim width, float* to) {
  for (memory::dim o = 0; o < outer; ++o) std::copy_n(from + (o * rows + row) * width, width, to + o * width);
}
void ExpectRow(const float* got, memory::dim outer, memory::dim rows, memory::dim row, memory::dim width,
               const float* want) {
  for (memory::dim o = 0; o < outer; ++o) {
    for (memory::dim c = 0; c < width; ++c) {
      EXPECT_EQ(got[(o * rows + row) * width + c], want[o * width + c]) << "row " << row << ", " << o << ", " << c;
    }
  }
}

TYPED_TEST(SequenceLengths, EachRowIsWhatItIsAlone) {
  const std::vector<int32_t> lengths = {1, 3, 2};
  const memory::dim rows = 3, width = 2 * kChannels;
  typename TestFixture::Net net(kSteps, rows, true);
  net.arguments[TANDEM_ARG_SEQUENCE_LENGTHS] = Lengths(lengths);
  for (memory::dim t = 0; t < kSteps; ++t) {
    for (memory::dim n = 0; n < rows; ++n) {
      if (t < lengths[n]) continue;
      std::fill_n(net.Mutable(DNNL_ARG_SRC_LAYER) + (t * rows + n) * kChannels, kChannels, std::nanf(""));
      std::fill_n(net.Mutable(DNNL_ARG_DIFF_DST_LAYER) + (t * rows + n) * width, width, std::nanf(""));
    }
  }
  net.Forward();
  net.Backward();
  for (memory::dim n = 0; n < rows; ++n) {
    const memory::dim steps = lengths[n];
    // With lengths, too, so that the same implementation serves it.
    typename TestFixture::Net alone(steps, 1, true);
    alone.arguments[TANDEM_ARG_SEQUENCE_LENGTHS] = Lengths({lengths[n]});
    const auto give = [&](int arg, memory::dim outer, memory::dim channels) {
      CopyRow(net.Values(arg), outer, rows, n, channels, alone.Mutable(arg));
    };
    give(DNNL_ARG_SRC_LAYER, steps, kChannels);
    give(DNNL_ARG_DIFF_DST_LAYER, steps, width);
    for (const int arg : {DNNL_ARG_SRC_ITER, DNNL_ARG_SRC_ITER_C, DNNL_ARG_DIFF_DST_ITER, DNNL_ARG_DIFF_DST_ITER_C}) {
      give(arg, 2, kChannels);
    }
    alone.Forward();
    alone.Backward();
    ExpectRow(net.Values(DNNL_ARG_DST_LAYER), steps, rows, n, width, alone.Values(DNNL_ARG_DST_LAYER));
    ExpectRow(net.Values(DNNL_ARG_DIFF_SRC_LAYER), steps, rows, n, kChannels, alone.Values(DNNL_ARG_DIFF_SRC_LAYER));
    for (const int arg : {DNNL_ARG_DST_ITER, DNNL_ARG_DST_ITER_C, DNNL_ARG_DIFF_SRC_ITER, DNNL_ARG_DIFF_SRC_ITER_C}) {
      ExpectRow(net.Values(arg), 2, rows, n, kChannels, alone.Values(arg));
    }
    const std::vector<float> zeros(width, 0.f);
    for (memory::dim t = steps; t < kSteps; ++t) {
      ExpectRow(net.Values(DNNL_ARG_DST_LAYER) + t * rows * width, 1, rows, n, width, zeros.data());
      ExpectRow(net.Values(DNNL_ARG_DIFF_SRC_LAYER) + t * rows * kChannels, 1, rows, n, kChannels, zeros.data());
    }
  }
}

TYPED_TEST(SequenceLengths, ARowWithoutStepsKeepsItsState) {
  typename TestFixture::Net net(kSteps, 2, true);
  net.arguments[TANDEM_ARG_SEQUENCE_LENGTHS] = Lengths({0, 3});
  net.Forward();
  std::vector<float> state(2 * kChannels);
  for (const auto& [src, dst] :
       {std::pair{DNNL_ARG_SRC_ITER, DNNL_ARG_DST_ITER}, std::pair{DNNL_ARG_SRC_ITER_C, DNNL_ARG_DST_ITER_C}}) {
    CopyRow(net.Values(src), 2, 2, 0, kChannels, state.data());
    ExpectRow(net.Values(dst), 2, 2, 0, kChannels, state.data());
  }
}

TYPED_TEST(SequenceLengths, AreAnArgumentOfTheDescriptor) {
  const typename TestFixture::Net with(kSteps, 2, true), without(kSteps, 2, false);
  EXPECT_EQ(with.forward.sequence_lengths_desc(), memory::desc({2}, dt::s32, tag::a));
  EXPECT_EQ(with.backward.sequence_lengths_desc(), memory::desc({2}, dt::s32, tag::a));
  EXPECT_EQ(without.forward.sequence_lengths_desc(), memory::desc());
  EXPECT_TRUE(with.forward.get_primitive_attr().get_rnn_sequence_lengths());
  EXPECT_FALSE(without.forward.get_primitive_attr().get_rnn_sequence_lengths());
}

TYPED_TEST(SequenceLengths, OutsideOfTheStepsAreRefused) {
  typename TestFixture::Net net(kSteps, 2, true);
  net.arguments[TANDEM_ARG_SEQUENCE_LENGTHS] = Lengths({3, 4});
  ExpectInvalid({"sequence_lengths: row 1 has length 4, but must have 0 to 3 (n_iter)"}, [&] { net.Forward(); });
  net.ExpectNothingWritten(false);
  net.arguments[TANDEM_ARG_SEQUENCE_LENGTHS] = Lengths({-1, 3});
  ExpectInvalid({"sequence_lengths: row 0 has length -1, but must have 0 to 3 (n_iter)"}, [&] { net.Forward(); });
  net.ExpectNothingWritten(false);
}

TYPED_TEST(SequenceLengths, OfAnotherKindOrAbsentAreRefused) {
  typename TestFixture::Net net(kSteps, 2, true);
  ExpectInvalid({"sequence_lengths", "(argument 224)"}, [&] { net.Forward(); });
  net.arguments[TANDEM_ARG_SEQUENCE_LENGTHS] = Lengths({3});
  ExpectInvalid({"sequence_lengths", "{1}", "{2}"}, [&] { net.Forward(); });
  net.arguments[TANDEM_ARG_SEQUENCE_LENGTHS] = Filled({{2}, dt::f32, tag::a}, 3.f);
  ExpectInvalid({"sequence_lengths", "f32", "s32"}, [&] { net.Forward(); });
  net.arguments[TANDEM_ARG_SEQUENCE_LENGTHS] = memory({{2}, dt::s32, tag::a}, Cpu(), nullptr);
  ExpectInvalid({"sequence_lengths", "data handle is null"}, [&] { net.Forward(); });
  net.ExpectNothingWritten(false);
}

TYPED_TEST(SequenceLengths, AWorkspaceOfOtherLengthsIsRefused) {
  typename TestFixture::Net net(kSteps, 2, true);
  net.arguments[TANDEM_ARG_SEQUENCE_LENGTHS] = Lengths({3, 2});
  net.Forward();
  net.arguments[TANDEM_ARG_SEQUENCE_LENGTHS] = Lengths({2, 3});
  ExpectInvalid({"workspace: was filled for another problem", "sequence_lengths"}, [&] { net.Backward(); });
  net.ExpectNothingWritten(true);
  typename TestFixture::Net without(kSteps, 2, false);
  without.arguments[DNNL_ARG_WORKSPACE] = net.arguments[DNNL_ARG_WORKSPACE];
  ExpectInvalid({"workspace"}, [&] { without.Backward(); });
  without.ExpectNothingWritten(true);
}

TYPED_TEST(SequenceLengths, StandInTheVerboseLine) {
  ::testing::internal::CaptureStdout();
  dnnl::set_verbose(2);
  const typename TestFixture::Net with(kSteps, 5, true);
  dnnl::lstm_forward primitive(with.forward);
  dnnl::set_verbose(0);
  const std::string lines = ::testing::internal::GetCapturedStdout();
  EXPECT_NE(lines.find("attr-rnn-sequence-lengths:true"), std::string::npos) << lines;
}

TEST(SequenceLengthsOfAttributes, AreFalseByDefaultAndCopied) {
  dnnl::primitive_attr attr;
  EXPECT_FALSE(attr.get_rnn_sequence_lengths());
  attr.set_rnn_sequence_lengths(true);
  dnnl_primitive_attr_t copy = nullptr;
  ASSERT_EQ(dnnl_primitive_attr_clone(&copy, attr.get()), dnnl_success);
  EXPECT_TRUE(dnnl::primitive_attr(copy).get_rnn_sequence_lengths());
}

TEST(SequenceLengthsOfAttributes, NeedAStateThatCanStay) {
  dnnl::primitive_attr attr;
  attr.set_rnn_sequence_lengths(true);
  const memory::desc layer({1, 1, 2}, dt::f32, tag::tnc), dst({1, 1, 3}, dt::f32, tag::tnc);
  const memory::desc wide({1, 1, 1, 3}, dt::f32, tag::ldnc), weights({1, 1, 2, 1, 3}, dt::f32, tag::ldigo);
  const memory::desc iter({1, 1, 4, 1, 3}, dt::f32, tag::ldigo), narrow({1, 1, 1, 4}, dt::f32, tag::ldnc);
  ExpectInvalid({"row without steps leaves src_iter in dst_iter"}, [&] {
    dnnl::vanilla_rnn_forward::primitive_desc(Cpu(), prop_kind::forward_inference, dnnl::algorithm::eltwise_tanh,
                                              dnnl::rnn_direction::unidirectional_left2right, layer, narrow, weights,
                                              iter, memory::desc(), dst, wide, attr);
  });
}

}  // namespace
}  // namespace testing
}  // namespace tandem
