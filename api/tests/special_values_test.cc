// NaN in weights that meet no state, and bytes at the ends of their ranges. Both implementations.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "api/tests/client_targets_testing.h"
#include "api/tests/rnn_client_testing.h"

namespace tandem {
namespace testing {
namespace {

using dnnl::algorithm;
using dnnl::memory;
using tag = memory::format_tag;
using dt = memory::data_type;

constexpr algorithm kCells[] = {algorithm::vanilla_rnn, algorithm::vanilla_lstm,  algorithm::vanilla_gru,
                                algorithm::lbr_gru,     algorithm::vanilla_augru, algorithm::lbr_augru};

// weights_iter with a NaN or an infinity in the row of input channel 0, and no src_iter.
RnnCase WithoutState(algorithm cell, memory::dim steps) {
  RnnCase rnn;
  rnn.cell = cell;
  rnn.steps = steps;
  rnn.batch = 2;
  rnn.slc = rnn.dhc = 3;
  rnn.iter = false;
  return rnn;
}

Tensors InputsFor(const RnnCase& rnn, float special) {
  Tensors inputs;
  for (const int arg : InputsOf(rnn)) {
    size_t count = 1;
    for (const auto dim : rnn.Dims(arg)) count *= static_cast<size_t>(dim);
    for (size_t i = 0; i < count; ++i) inputs[arg].push_back(0.125f * static_cast<float>((i * 7 + arg) % 9) - 0.5f);
  }
  auto& weights = inputs[DNNL_ARG_WEIGHTS_ITER];
  std::fill(weights.begin(), weights.begin() + rnn.Gates() * rnn.dhc, special);
  return inputs;
}

bool IsNanFrom(const std::vector<float>& values, size_t first) {
  for (size_t i = first; i < values.size(); ++i) {
    if (!std::isnan(values[i])) return false;
  }
  return true;
}

class SpecialValues : public OnEachTarget {};
INSTANTIATE_TEST_SUITE_P(Targets, SpecialValues, ClientTargets(), NameOfTarget);

// 0 times NaN or an infinity is NaN. All but the GRU of `optimized` once had no product in the first step.
TEST_P(SpecialValues, NanInWeightsIterReachesTheOutputsWithoutAState) {
  for (const algorithm cell : kCells) {
    for (const float special : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
      for (const auto type : {dt::f32, dt::bf16}) {
        RnnCase rnn = WithoutState(cell, 1);
        rnn.type = type;
        for (const auto& pd : AllForward(rnn, dnnl::prop_kind::forward_inference)) {
          const Tensors outputs = testing::Run(rnn, pd, InputsFor(rnn, special));
          EXPECT_TRUE(IsNanFrom(outputs.at(DNNL_ARG_DST_LAYER), 0)) << rnn.ToString() << " " << pd.impl_info_str();
        }
      }
    }
  }
}

TEST_P(SpecialValues, NanInWeightsIterReachesTheGradientsWithoutAState) {
  for (const algorithm cell : kCells) {
    const RnnCase rnn = WithoutState(cell, 1);
    Tensors inputs = InputsFor(rnn, std::nanf(""));
    constexpr int kDiff = DNNL_ARG_DIFF_SRC_0 - DNNL_ARG_SRC_0;
    inputs[DNNL_ARG_DST_LAYER + kDiff] = std::vector<float>(static_cast<size_t>(rnn.batch * rnn.dhc), 0.5f);
    for (const auto& pd : AllForward(rnn, dnnl::prop_kind::forward_training)) {
      const Tensors results = Train(rnn, pd, inputs, dnnl::rnn_flags::diff_weights_overwrite);
      for (const int arg : {DNNL_ARG_SRC_LAYER, DNNL_ARG_WEIGHTS_LAYER, DNNL_ARG_WEIGHTS_ITER}) {
        EXPECT_TRUE(IsNanFrom(results.at(arg + kDiff), 0)) << rnn.ToString() << " " << pd.impl_info_str() << " " << arg;
      }
    }
  }
}

// A state of zeros that is given is multiplied by both.
TEST_P(SpecialValues, NanInWeightsIterReachesTheOutputsWithAStateOfZeros) {
  for (const algorithm cell : kCells) {
    RnnCase rnn = WithoutState(cell, 1);
    rnn.iter = true;
    Tensors inputs = InputsFor(rnn, std::nanf(""));
    for (const int arg : {DNNL_ARG_SRC_ITER, DNNL_ARG_SRC_ITER_C}) {
      if (inputs.count(arg) != 0) std::fill(inputs[arg].begin(), inputs[arg].end(), 0.f);
    }
    for (const auto& pd : AllForward(rnn, dnnl::prop_kind::forward_inference)) {
      EXPECT_TRUE(IsNanFrom(testing::Run(rnn, pd, inputs).at(DNNL_ARG_DST_LAYER), 0))
          << rnn.ToString() << pd.impl_info_str();
    }
  }
}

// 255 * -128 * 65,793 is the last such sum that 32 bits hold.
constexpr memory::dim kMostTerms = 65793;

struct Extreme {
  int state, weight;
};

// One unit of an LSTM on `terms` input channels, src_iter included, all of them alike. Scales of 1: the pre-activations
// are the sums, so that the gates are 0 or 1 to the last bit, and c is the sum's sign.
class Unit {
 public:
  Unit(dt type, memory::dim terms) : layer_({1, 1, terms - 1}, type, tag::tnc), one_({1, 1, 1}, type, tag::tnc) {
    attr_.set_rnn_data_qparams(1.f, 0.f);
    attr_.set_rnn_weights_qparams(0, {1.f});
    const memory::desc state({1, 1, 1, 1}, type, tag::ldnc), cell({1, 1, 1, 1}, dt::f32, tag::ldnc), none;
    wl_ = {{1, 1, terms - 1, 4, 1}, dt::s8, tag::ldigo};
    wi_ = {{1, 1, 1, 4, 1}, dt::s8, tag::ldigo};
    all = EachImplementation(dnnl::lstm_forward::primitive_desc(Cpu(), dnnl::prop_kind::forward_inference,
                                                                dnnl::rnn_direction::unidirectional_left2right, layer_,
                                                                state, cell, wl_, wi_, none, one_, state, cell, attr_));
  }

  // c after the step that begins with c = 0.
  float Run(const dnnl::lstm_forward::primitive_desc& pd, const Extreme& extreme) const {
    const auto filled = [](const memory::desc& md, int byte) {
      const memory result(md, Cpu());
      std::memset(result.get_data_handle(), byte, md.get_size());
      return result;
    };
    const memory c = filled(pd.dst_iter_c_desc(), 0);
    dnnl::stream stream(Cpu());
    dnnl::lstm_forward(pd).execute(stream, {{DNNL_ARG_SRC_LAYER, filled(layer_, extreme.state)},
                                            {DNNL_ARG_SRC_ITER, filled(pd.src_iter_desc(), extreme.state)},
                                            {DNNL_ARG_SRC_ITER_C, filled(pd.src_iter_c_desc(), 0)},
                                            {DNNL_ARG_WEIGHTS_LAYER, filled(wl_, extreme.weight)},
                                            {DNNL_ARG_WEIGHTS_ITER, filled(wi_, extreme.weight)},
                                            {DNNL_ARG_DST_LAYER, filled(one_, 0)},
                                            {DNNL_ARG_DST_ITER, filled(pd.dst_iter_desc(), 0)},
                                            {DNNL_ARG_DST_ITER_C, c}});
    return *static_cast<const float*>(c.get_data_handle());
  }

  std::vector<dnnl::lstm_forward::primitive_desc> all;

 private:
  dnnl::primitive_attr attr_;
  memory::desc layer_, one_, wl_, wi_;
};

// i = sigmoid(a), g = tanh(a), c = i * g: 1 where the sum a is large, 0 where it is as large below zero, and where it is
// 0.
float WantedCell(const Extreme& extreme) { return extreme.state * extreme.weight > 0 ? 1.f : 0.f; }

TEST_P(SpecialValues, SumsOfExtremeBytesAreExactUpToTheLastThatFits) {
  for (const dt type : {dt::u8, dt::s8}) {
    for (const memory::dim terms : {memory::dim{2}, memory::dim{1000}, kMostTerms}) {
      const Unit unit(type, terms);
      EXPECT_GE(unit.all.size(), 2u) << "both implementations serve it";
      for (const auto& pd : unit.all) {
        for (const int state : type == dt::u8 ? std::vector<int>{0, 255} : std::vector<int>{-128, 0, 127}) {
          for (const int weight : {-128, 0, 127}) {
            EXPECT_EQ(unit.Run(pd, {state, weight}), WantedCell({state, weight}))
                << pd.impl_info_str() << ", " << terms << " products of " << state << " and " << weight;
          }
        }
      }
    }
  }
}

// If a sum of bytes may need more than 32 bits, `optimized` does not serve the problem, and the reference is exact.
TEST_P(SpecialValues, LongerSumsAreTheReferences) {
  const Unit unit(dt::u8, kMostTerms + 1);
  ASSERT_EQ(unit.all.size(), 1u);
  EXPECT_STREQ(unit.all[0].impl_info_str(), "ref:scalar");
  for (const int weight : {-128, 127}) {
    EXPECT_EQ(unit.Run(unit.all[0], {255, weight}), WantedCell({255, weight})) << weight;
  }
}

}  // namespace
}  // namespace testing
}  // namespace tandem
