#include "reference/stack/trace.h"

#include <gtest/gtest.h>

#include <set>

#include "reference/tests/random_problem.h"

namespace tandem {
namespace reference {
namespace {

std::vector<TracedValue> TraceOf(TestCase* test) {
  std::vector<TracedValue> values;
  TraceForward(test->problem, test->Buffers(), [&](const TracedValue& value) { values.push_back(value); });
  return values;
}

TEST(Trace, TellsEveryForwardEquationOfEveryCell) {
  std::set<std::string> told;
  for (const Variant& variant : AllVariants()) {
    TestCase test = RandomCase(variant, Direction::kLeft2Right, Propagation::kForwardInference, DataType::kF32, 1);
    for (const TracedValue& value : TraceOf(&test)) told.insert(value.equation);
  }
  EXPECT_EQ(told, (std::set<std::string>{"RNN.1",  "RNN.2",  "LSTM.1",  "LSTM.2", "LSTM.3", "LSTM.4", "LSTM.5",
                                         "LSTM.6", "PEEP.1", "PEEP.2",  "PEEP.3", "PEEP.4", "PEEP.5", "PEEP.6",
                                         "PROJ.1", "GRU.1",  "GRU.2",   "GRU.3",  "GRU.4",  "LBR.1",  "LBR.2",
                                         "LBR.3",  "LBR.4",  "AUGRU.1", "AUGRU.2"}));
}

TEST(Trace, EndsEachStepWithTheStateThatDstLayerShows) {
  ForEachRandomCase(Propagation::kForwardInference, DataType::kBf16, 2,
                    [](TestCase* test, const std::string& description) {
                      SCOPED_TRACE(description);
                      if (IsBidirectional(test->problem.direction)) return;
                      RunCase(test);
                      const TensorView dst_layer = test->View(kDstLayer);
                      Dim seen = 0;
                      for (const TracedValue& value : TraceOf(test)) {
                        if (value.name != "h" || value.step.layer != test->problem.n_layer - 1) continue;
                        const Dim index[] = {value.step.time, 0, 0};
                        EXPECT_TRUE((value.value == dst_layer.Slice(index, 2, 1)).all());
                        ++seen;
                      }
                      EXPECT_EQ(seen, test->problem.n_iter);
                    });
}

TEST(Trace, WalksRightToLeftFromTheLastTimestamp) {
  const Variant gru = {"gru", Cell::kGru};
  TestCase test = RandomCase(gru, Direction::kRight2Left, Propagation::kForwardInference, DataType::kF32, 2);
  EXPECT_EQ(TraceOf(&test).front().step.time, test.problem.n_iter - 1);
  EXPECT_EQ(TraceOf(&test).back().step.time, 0);
}

}  // namespace
}  // namespace reference
}  // namespace tandem
