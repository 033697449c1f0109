// Properties of the time dimension, for every implementation, cell and type; all bit for bit.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "api/tests/client_targets_testing.h"
#include "api/tests/metamorphic/random_rnn_testing.h"

namespace tandem {
namespace testing {
namespace {

using dnnl::rnn_direction;

// Dim of time and of batch in (t, n, c).
constexpr size_t kTime = 0;

bool IsSequence(int arg) {
  return arg == DNNL_ARG_SRC_LAYER || arg == DNNL_ARG_AUGRU_ATTENTION || arg == DNNL_ARG_DST_LAYER;
}

// Steps [begin, end) of a problem and of its tensors.
RnnCase Steps(RnnCase rnn, size_t begin, size_t end) {
  rnn.steps = end - begin;
  return rnn;
}
Tensors Steps(const RnnCase& rnn, Tensors tensors, size_t begin, size_t end) {
  for (auto& tensor : tensors) {
    if (!IsSequence(tensor.first)) continue;
    tensor.second = Gather(tensor.second, rnn.Dims(tensor.first), kTime, Range(begin, end));
  }
  return tensors;
}

std::vector<size_t> Backwards(size_t count) {
  std::vector<size_t> indices;
  for (size_t i = count; i > 0; --i) indices.push_back(i - 1);
  return indices;
}

class Time : public OnEachTarget {};
INSTANTIATE_TEST_SUITE_P(Targets, Time, ClientTargets(), NameOfTarget);

TEST_P(Time, TwoRunsWithCarriedStatesEqualOneRun) {
  EXPECT_TRUE(rc::check([] {
    RandomOptions options;
    options.directions = {rnn_direction::unidirectional_left2right};
    RnnCase rnn = ArbitraryCase(options);
    rnn.iter = true;
    rnn.steps = *rc::gen::inRange(2, 8);
    const size_t first = *rc::gen::inRange<size_t>(1, rnn.steps), steps = rnn.steps;
    const Tensors inputs = RandomInputs(rnn);
    ForEachForward(rnn, [&](const dnnl::primitive_desc& pd) {
      const RnnCase head = Steps(rnn, 0, first), tail = Steps(rnn, first, steps);
      const auto prop = dnnl::prop_kind::forward_inference;
      const Tensors whole = testing::Run(rnn, pd, inputs);
      const Tensors early = testing::Run(head, SameImplementation(pd, head, prop), Steps(rnn, inputs, 0, first));
      Tensors later_inputs = Steps(rnn, inputs, first, steps);
      later_inputs[DNNL_ARG_SRC_ITER] = early.at(DNNL_ARG_DST_ITER);
      if (rnn.IsLstm()) later_inputs[DNNL_ARG_SRC_ITER_C] = early.at(DNNL_ARG_DST_ITER_C);
      const Tensors later = testing::Run(tail, SameImplementation(pd, tail, prop), later_inputs);

      ExpectEqual({{DNNL_ARG_DST_LAYER, early.at(DNNL_ARG_DST_LAYER)}},
                  Steps(rnn, {{DNNL_ARG_DST_LAYER, whole.at(DNNL_ARG_DST_LAYER)}}, 0, first));
      ExpectEqual(later, Steps(rnn, whole, first, steps));
    });
  }));
}

TEST_P(Time, Right2LeftEqualsLeft2RightOfTheReversedInput) {
  EXPECT_TRUE(rc::check([] {
    RandomOptions options;
    options.cells = {dnnl::algorithm::vanilla_rnn, dnnl::algorithm::vanilla_lstm, dnnl::algorithm::vanilla_gru,
                     dnnl::algorithm::lbr_gru};
    options.directions = {rnn_direction::unidirectional_right2left};
    const RnnCase backwards = ArbitraryCase(options);
    RnnCase forwards = backwards;
    forwards.direction = rnn_direction::unidirectional_left2right;
    const Tensors inputs = RandomInputs(backwards);
    const auto turned = [&](Tensors tensors, int arg) {
      tensors[arg] = Gather(tensors.at(arg), backwards.Dims(arg), kTime, Backwards(backwards.steps));
      return tensors;
    };
    ForEachForward(backwards, [&](const dnnl::primitive_desc& pd) {
      const auto other = SameImplementation(pd, forwards, dnnl::prop_kind::forward_inference);
      const Tensors want = testing::Run(forwards, other, turned(inputs, DNNL_ARG_SRC_LAYER));
      ExpectEqual(testing::Run(backwards, pd, inputs), turned(want, DNNL_ARG_DST_LAYER));
    });
  }));
}

}  // namespace
}  // namespace testing
}  // namespace tandem
