// Attributes and whole primitives (spec/attributes.txt): both scratchpad modes for each of them, and those that ignore the
// floating-point math mode.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

#include "api/tests/rnn_client_testing.h"

namespace tandem {
namespace testing {
namespace {

using dnnl::algorithm;
using dnnl::memory;
using dnnl::prop_kind;
using dt = memory::data_type;

dnnl::primitive_attr InMode(dnnl::scratchpad_mode mode) {
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(mode);
  return attr;
}

// Executes it as a client of its mode does: in user mode with the buffer that it asks for, which is null where that is
// 0 bytes.
void ExpectMode(const dnnl::primitive_desc_base& pd, dnnl::scratchpad_mode mode,
                std::unordered_map<int, memory> arguments) {
  const bool user = mode == dnnl::scratchpad_mode::user;
  EXPECT_EQ(pd.get_primitive_attr().get_scratchpad_mode(), mode);
  if (user) {
    EXPECT_EQ(pd.query_s64(dnnl::query::memory_consumption_s64), 0);
    std::vector<char> buffer(pd.scratchpad_desc().get_size());
    const memory scratchpad(pd.scratchpad_desc(), Cpu(), buffer.empty() ? nullptr : buffer.data());
    arguments[DNNL_ARG_SCRATCHPAD] = scratchpad;
    dnnl::stream stream(Cpu());
    EXPECT_NO_THROW(dnnl::primitive(pd).execute(stream, arguments));
  } else {
    EXPECT_TRUE(pd.scratchpad_desc().is_zero());
    dnnl::stream stream(Cpu());
    EXPECT_NO_THROW(dnnl::primitive(pd).execute(stream, arguments));
  }
}

TEST(ScratchpadModes, AreServedByEveryCellAndPropagation) {
  for (const auto mode : {dnnl::scratchpad_mode::library, dnnl::scratchpad_mode::user}) {
    const dnnl::primitive_attr attr = InMode(mode);
    for (const algorithm cell : {algorithm::vanilla_rnn, algorithm::vanilla_lstm, algorithm::vanilla_gru,
                                 algorithm::lbr_gru, algorithm::vanilla_augru, algorithm::lbr_augru}) {
      RnnCase rnn;
      rnn.cell = cell;
      rnn.steps = 2, rnn.batch = 3, rnn.slc = 4, rnn.dhc = 5;
      SCOPED_TRACE(rnn.ToString() + (mode == dnnl::scratchpad_mode::user ? " user" : " library"));
      dnnl::primitive_desc inference = Forward(rnn, prop_kind::forward_inference, attr.get());
      do {
        ExpectMode(inference, mode, ZeroArguments(rnn, inference));
      } while (inference.next_impl());
      dnnl::primitive_desc training = Forward(rnn, prop_kind::forward_training, attr.get());
      do {
        const memory workspace(training.workspace_desc(), Cpu());
        auto arguments = ZeroArguments(rnn, training);
        arguments[DNNL_ARG_WORKSPACE] = workspace;
        ExpectMode(training, mode, arguments);
        const auto backward = Backward(rnn, training, dnnl::rnn_flags::undef, attr.get());
        arguments = ZeroArguments(rnn, backward);
        arguments[DNNL_ARG_WORKSPACE] = workspace;
        ExpectMode(backward, mode, arguments);
      } while (training.next_impl());
    }
  }
}

TEST(ScratchpadModes, AreServedByReorders) {
  const memory from({{2, 3}, dt::f32, memory::format_tag::ab}, Cpu()),
      to({{2, 3}, dt::f32, memory::format_tag::ba}, Cpu());
  for (const auto mode : {dnnl::scratchpad_mode::library, dnnl::scratchpad_mode::user}) {
    const dnnl::reorder::primitive_desc pd(from, to, InMode(mode));
    EXPECT_EQ(pd.scratchpad_desc().get_size(), 0u);
    ExpectMode(pd, mode, {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}});
  }
}

// u8 data, s8 weights, f32 bias and output.
RnnCase EightBits(algorithm cell) {
  RnnCase rnn;
  rnn.cell = cell;
  rnn.type = dt::u8;
  rnn.steps = 3, rnn.batch = 2, rnn.slc = 20, rnn.dhc = 20;
  for (const int arg : {DNNL_ARG_WEIGHTS_LAYER, DNNL_ARG_WEIGHTS_ITER}) {
    rnn.layouts[arg] = memory::desc(rnn.Dims(arg), dt::s8, memory::format_tag::any);
  }
  rnn.layouts[DNNL_ARG_DST_LAYER] = memory::desc(rnn.Dims(DNNL_ARG_DST_LAYER), dt::f32, memory::format_tag::tnc);
  return rnn;
}

// Small integers, which every type holds; of states and layers not negative.
Tensors Integers(const RnnCase& rnn) {
  Tensors inputs;
  for (const int arg : InputsOf(rnn)) {
    size_t count = 1;
    for (const memory::dim dim : rnn.Dims(arg)) count *= static_cast<size_t>(dim);
    const bool is_signed = arg == DNNL_ARG_WEIGHTS_LAYER || arg == DNNL_ARG_WEIGHTS_ITER;
    for (size_t i = 0; i < count; ++i) {
      inputs[arg].push_back(static_cast<float>(i * 7 % 11) - (is_signed ? 5.f : 0.f));
    }
  }
  return inputs;
}

TEST(FpmathMode, IsIgnoredByIntegralComputation) {
  for (const algorithm cell : {algorithm::vanilla_lstm, algorithm::vanilla_gru}) {
    const RnnCase rnn = EightBits(cell);
    const Tensors inputs = Integers(rnn);
    dnnl::primitive_attr strict;
    strict.set_rnn_data_qparams(20.f, 0.f);
    strict.set_rnn_weights_qparams(0, {100.f});
    for (const auto mode : {dnnl::fpmath_mode::bf16, dnnl::fpmath_mode::f16, dnnl::fpmath_mode::any}) {
      for (const bool apply_to_int : {false, true}) {
        dnnl::primitive_attr attr;
        attr.set_rnn_data_qparams(20.f, 0.f);
        attr.set_rnn_weights_qparams(0, {100.f});
        attr.set_fpmath_mode(mode, apply_to_int);
        dnnl::primitive_desc pd = Forward(rnn, prop_kind::forward_inference, attr.get());
        dnnl::primitive_desc want = Forward(rnn, prop_kind::forward_inference, strict.get());
        do {
          SCOPED_TRACE(rnn.ToString() + " " + pd.impl_info_str());
          EXPECT_STREQ(pd.impl_info_str(), want.impl_info_str());
          EXPECT_EQ(pd.weights_desc(0), want.weights_desc(0));
          EXPECT_EQ(testing::Run(rnn, pd, inputs), testing::Run(rnn, want, inputs));
        } while (pd.next_impl() && want.next_impl());
      }
    }
  }
}

// The mask of the scales is one of dims: plain weights in two layouts become the same packed bytes.
TEST(WeightsScales, AreOfGatesAndChannelsWhateverTheLayout) {
  const RnnCase rnn = EightBits(algorithm::vanilla_lstm);
  const memory::dims dims = rnn.Dims(DNNL_ARG_WEIGHTS_LAYER);
  dnnl::primitive_attr attr;
  std::vector<float> scales;
  for (int i = 0; i < 4 * 20; ++i) scales.push_back(1.f + static_cast<float>(i));
  attr.set_rnn_data_qparams(20.f, 0.f);
  attr.set_rnn_weights_qparams(1 << 3 | 1 << 4, scales);
  const std::vector<float> ones(20 * 4 * 20, 1.f);
  dnnl::primitive_desc pd = Forward(rnn, prop_kind::forward_inference, attr.get());
  dnnl::stream stream(Cpu());
  do {
    SCOPED_TRACE(pd.impl_info_str());
    std::vector<std::vector<char>> results;
    for (const auto tag : {memory::format_tag::ldigo, memory::format_tag::ldgoi}) {
      const memory::desc plain(dims, dt::f32, tag);
      memory from = ToMemory(ones, dims, plain), to(pd.weights_desc(0), Cpu());
      std::memset(to.get_data_handle(), 0, to.get_desc().get_size());
      dnnl::reorder(dnnl::reorder::primitive_desc(from, to, attr)).execute(stream, from, to);
      const char* bytes = static_cast<const char*>(to.get_data_handle());
      results.emplace_back(bytes, bytes + to.get_desc().get_size());
    }
    EXPECT_EQ(results[0], results[1]);
  } while (pd.next_impl());
}

}  // namespace
}  // namespace testing
}  // namespace tandem
