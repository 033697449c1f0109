// The coverage table of README.md, row by row: who serves what, through the public API.
#include <gtest/gtest.h>

#include "api/tests/rnn_client_testing.h"

namespace tandem {
namespace testing {
namespace {

using dnnl::algorithm;
using dnnl::memory;
using dnnl::prop_kind;
using dnnl::rnn_direction;
using type = memory::data_type;

const std::vector<algorithm> kCells = {algorithm::vanilla_rnn, algorithm::vanilla_lstm,  algorithm::vanilla_gru,
                                       algorithm::lbr_gru,     algorithm::vanilla_augru, algorithm::lbr_augru};

// Every direction of `cell` with and without its optional tensors.
std::vector<RnnCase> Variants(algorithm cell, type data_type) {
  std::vector<RnnCase> cases;
  for (const auto direction : {rnn_direction::unidirectional_left2right, rnn_direction::unidirectional_right2left,
                               rnn_direction::bidirectional_concat, rnn_direction::bidirectional_sum}) {
    RnnCase rnn;
    rnn.cell = cell;
    rnn.type = data_type;
    rnn.steps = 2;
    rnn.batch = 3;
    rnn.slc = rnn.dhc = 5;
    if (rnn.HasAttention() && direction != rnn_direction::unidirectional_left2right) break;
    rnn.direction = direction;
    rnn.layers = rnn.HasAttention() ? 1 : 2;
    cases.push_back(rnn);
    rnn.bias = rnn.iter = false;
    cases.push_back(rnn);
    if (!rnn.IsLstm()) continue;
    rnn.peephole = true;
    cases.push_back(rnn);
    rnn.dic = rnn.slc = 4;
    cases.push_back(rnn);
  }
  return cases;
}

// "optimized" and "reference" in the order in which they are offered.
std::vector<std::string> Implementations(const RnnCase& rnn, prop_kind prop) {
  std::vector<std::string> names;
  for (const auto& pd : AllForward(rnn, prop)) {
    names.push_back(std::string(pd.impl_info_str()).compare(0, 4, "hwy:") == 0 ? "optimized" : "reference");
  }
  return names;
}

const std::vector<std::string> kBoth = {"optimized", "reference"};

TEST(Coverage, InferenceOfEveryCellAndFloatingTypeIsServedByBoth) {
  for (const algorithm cell : kCells) {
    for (const type data_type : {type::f32, type::bf16, type::f16}) {
      for (const RnnCase& rnn : Variants(cell, data_type)) {
        EXPECT_EQ(Implementations(rnn, prop_kind::forward_inference), kBoth) << rnn.ToString();
      }
    }
  }
}

TEST(Coverage, TrainingOfEveryCellAndFloatingTypeIsServedByBoth) {
  for (const algorithm cell : kCells) {
    for (const type data_type : {type::f32, type::bf16, type::f16}) {
      for (const RnnCase& rnn : Variants(cell, data_type)) {
        EXPECT_EQ(Implementations(rnn, prop_kind::forward_training), kBoth) << rnn.ToString();
        for (const auto& forward : AllForward(rnn, prop_kind::forward_training)) {
          EXPECT_STREQ(Backward(rnn, forward, dnnl::rnn_flags::undef).impl_info_str(), forward.impl_info_str())
              << rnn.ToString();
        }
      }
    }
  }
}

// Weights in s8.
std::vector<std::string> ImplementationsOfInt8(algorithm cell, type data, type result, bool projection) {
  RnnCase rnn;
  rnn.cell = cell;
  rnn.type = data;
  rnn.steps = 2;
  rnn.slc = rnn.dhc = 4;
  rnn.dic = projection ? 4 : 0;
  for (const int arg : {DNNL_ARG_WEIGHTS_LAYER, DNNL_ARG_WEIGHTS_ITER, DNNL_ARG_WEIGHTS_PROJECTION}) {
    if (rnn.Dims(arg).empty()) continue;
    rnn.layouts[arg] = memory::desc(rnn.Dims(arg), type::s8, memory::format_tag::any);
  }
  rnn.layouts[DNNL_ARG_DST_LAYER] = memory::desc(rnn.Dims(DNNL_ARG_DST_LAYER), result, memory::format_tag::tnc);
  return Implementations(rnn, prop_kind::forward_inference);
}

TEST(Coverage, EightBitInferenceIsServedByBoth) {
  for (const type result : {type::u8, type::f32}) {
    EXPECT_EQ(ImplementationsOfInt8(algorithm::vanilla_lstm, type::u8, result, false), kBoth);
    EXPECT_EQ(ImplementationsOfInt8(algorithm::vanilla_lstm, type::u8, result, true), kBoth);
    EXPECT_EQ(ImplementationsOfInt8(algorithm::vanilla_gru, type::u8, result, false), kBoth);
    EXPECT_EQ(ImplementationsOfInt8(algorithm::lbr_gru, type::u8, result, false), kBoth);
  }
  for (const type result : {type::s8, type::f32}) {
    EXPECT_EQ(ImplementationsOfInt8(algorithm::vanilla_lstm, type::s8, result, false), kBoth);
    EXPECT_EQ(ImplementationsOfInt8(algorithm::vanilla_lstm, type::s8, result, true), kBoth);
    EXPECT_EQ(ImplementationsOfInt8(algorithm::lbr_gru, type::s8, result, false), kBoth);
  }
}

TEST(Coverage, EightBitWeightsOfFloatingDataAreServedByBoth) {
  for (const type data : {type::f32, type::bf16, type::f16}) {
    for (const algorithm cell : {algorithm::vanilla_rnn, algorithm::vanilla_lstm, algorithm::vanilla_gru,
                                 algorithm::lbr_gru, algorithm::vanilla_augru, algorithm::lbr_augru}) {
      EXPECT_EQ(ImplementationsOfInt8(cell, data, data, false), kBoth);
    }
    EXPECT_EQ(ImplementationsOfInt8(algorithm::vanilla_lstm, data, data, true), kBoth);
  }
}

}  // namespace
}  // namespace testing
}  // namespace tandem
