// Properties of gradients that need no second opinion, for every implementation that trains.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "api/tests/client_targets_testing.h"
#include "api/tests/metamorphic/random_rnn_testing.h"

namespace tandem {
namespace testing {
namespace {

using dnnl::prop_kind;
using dnnl::rnn_flags;

constexpr int kDiff = DNNL_ARG_DIFF_SRC_0 - DNNL_ARG_SRC_0;

bool IsWeights(int arg) { return arg >= DNNL_ARG_WEIGHTS_0 && arg <= DNNL_ARG_BIAS; }

// Inputs with the gradients that come in.
Tensors RandomTraining(const RnnCase& rnn) {
  Tensors inputs = RandomInputs(rnn);
  for (const int arg : OutputsOf(rnn)) {
    inputs[arg + kDiff] = RandomValues(CountOf(rnn.Dims(arg)), 1.f);
  }
  return inputs;
}

Tensors Gradients(const RnnCase& rnn, const Tensors& results) {
  Tensors gradients;
  for (const int arg : InputsOf(rnn)) gradients[arg + kDiff] = results.at(arg + kDiff);
  return gradients;
}

void ForEachTraining(const RnnCase& rnn, const std::function<void(const dnnl::primitive_desc&)>& property) {
  ForEachForward(rnn, property, prop_kind::forward_training);
}

class Backward : public OnEachTarget {};
INSTANTIATE_TEST_SUITE_P(Targets, Backward, ClientTargets(), NameOfTarget);

// Backward is linear in what comes in, and a power of two only changes exponents.
TEST_P(Backward, TwiceTheIncomingGradientIsTwiceEveryGradient) {
  EXPECT_TRUE(rc::check([] {
    RandomOptions options;
    options.types = {dnnl::memory::data_type::f32};
    const RnnCase rnn = ArbitraryCase(options);
    const Tensors inputs = RandomTraining(rnn);
    Tensors doubled = inputs;
    for (const int arg : OutputsOf(rnn)) {
      for (float& value : doubled[arg + kDiff]) value *= 2;
    }
    ForEachTraining(rnn, [&](const dnnl::primitive_desc& pd) {
      Tensors want = Gradients(rnn, Train(rnn, pd, inputs, rnn_flags::diff_weights_overwrite));
      for (auto& tensor : want) {
        for (float& value : tensor.second) value *= 2;
      }
      const Tensors got = Train(rnn, pd, doubled, rnn_flags::diff_weights_overwrite);
      ExpectEqual(Gradients(rnn, got), want);
    });
  }));
}

TEST_P(Backward, AddsToZerosWhatOverwriteStores) {
  EXPECT_TRUE(rc::check([] {
    const RnnCase rnn = ArbitraryCase();
    const Tensors inputs = RandomTraining(rnn);
    Tensors onto_zeros = inputs;
    for (const int arg : InputsOf(rnn)) {
      if (IsWeights(arg)) onto_zeros[arg + kDiff].assign(CountOf(rnn.Dims(arg)), 0.f);
    }
    ForEachTraining(rnn, [&](const dnnl::primitive_desc& pd) {
      Tensors added = Gradients(rnn, Train(rnn, pd, onto_zeros));
      Tensors stored = Gradients(rnn, Train(rnn, pd, inputs, rnn_flags::diff_weights_overwrite));
      // 0 + -0 is 0: the one difference that adding may make.
      for (Tensors* tensors : {&added, &stored}) {
        for (auto& tensor : *tensors) {
          for (float& value : tensor.second) value += 0.f;
        }
      }
      ExpectEqual(added, stored);
    });
  }));
}

TEST_P(Backward, NoIncomingGradientLeavesWeightGradientsAsTheyWere) {
  EXPECT_TRUE(rc::check([] {
    const RnnCase rnn = ArbitraryCase();
    Tensors inputs = RandomInputs(rnn), want;
    for (const int arg : OutputsOf(rnn)) inputs[arg + kDiff].assign(CountOf(rnn.Dims(arg)), 0.f);
    for (const int arg : InputsOf(rnn)) {
      if (!IsWeights(arg)) continue;
      want[arg + kDiff] = RandomValues(CountOf(rnn.Dims(arg)), 8.f);
      inputs[arg + kDiff] = want[arg + kDiff];
    }
    ForEachTraining(rnn, [&](const dnnl::primitive_desc& pd) { ExpectEqual(Train(rnn, pd, inputs), want); });
  }));
}

TEST_P(Backward, GradientsOfRowsDoNotDependOnTheirPlaceInTheBatch) {
  EXPECT_TRUE(rc::check([] {
    const RnnCase rnn = ArbitraryCase();
    const Tensors inputs = RandomTraining(rnn);
    std::vector<size_t> order = Range(0, rnn.batch);
    std::reverse(order.begin(), order.end());
    const auto turned = [&](const Tensors& tensors) {
      Tensors result;
      for (const auto& tensor : tensors) {
        const int arg = tensor.first > kDiff ? tensor.first - kDiff : tensor.first;
        const auto dims = rnn.Dims(arg);
        result[tensor.first] =
            IsWeights(arg) ? tensor.second : Gather(tensor.second, dims, dims.size() == 3 ? 1 : 2, order);
      }
      return result;
    };
    ForEachTraining(rnn, [&](const dnnl::primitive_desc& pd) {
      Tensors want = turned(Train(rnn, pd, inputs, rnn_flags::diff_weights_overwrite));
      // Weight gradients sum over the batch, in another order: another rounding.
      for (const int arg : InputsOf(rnn)) {
        if (IsWeights(arg)) want.erase(arg + kDiff);
      }
      const Tensors got = Train(rnn, pd, turned(inputs), rnn_flags::diff_weights_overwrite);
      ExpectEqual(got, want);
    });
  }));
}

}  // namespace
}  // namespace testing
}  // namespace tandem
