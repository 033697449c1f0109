// Every allocation of a creation and of an execution fails once: std::bad_alloc, which the API reports as
// out_of_memory, nothing lost, nothing freed twice, and the plan works afterwards.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "reference/reorder/reorder.h"
#include "reference/tests/fail_each.h"
#include "reference/tests/random_problem.h"

namespace tandem {
namespace reference {
namespace {

// The test's own tensors, as they were before anything ran: backward adds to its gradients.
void Restore(TestCase* test, const TestCase& from) {
  for (int tensor = 0; tensor < kNumTensors; ++tensor) {
    std::copy(from.memory[tensor].begin(), from.memory[tensor].end(), test->memory[tensor].begin());
  }
}

void CheckCreation(const RnnProblem& problem) {
  for (const Failing kind : kKinds) {
    EXPECT_GT(FailEach(kind, [&] { CreateRnn(problem, nullptr); }), 0);
  }
}

// Executes with each failure, and then once more without: the tensors must be those of a plan that never failed.
void CheckExecution(TestCase* test) {
  const TestCase before = *test;
  const std::unique_ptr<const RnnPlan> plan = CreateRnn(test->problem, nullptr);
  ASSERT_NE(plan, nullptr);
  if (test->workspace.empty()) test->workspace.resize(plan->workspace_bytes());
  const RnnBuffers buffers = test->Buffers();
  plan->Execute(buffers);
  const TestCase expected = *test;
  for (const Failing kind : kKinds) {
    Restore(test, before);
    EXPECT_GT(FailEach(kind, [&] { plan->Execute(buffers); }), 0);
    Restore(test, before);
    plan->Execute(buffers);
    EXPECT_EQ(test->memory, expected.memory);
  }
}

void CheckBoth(TestCase* test, const std::string& description) {
  SCOPED_TRACE(description);
  CheckCreation(test->problem);
  CheckExecution(test);
}

// A state whose channels differ from those of what it replaces, in every place where one replaces another.
TestShape UnequalChannels() {
  TestShape shape;
  shape.n_iter = 1, shape.mb = 1, shape.slc = 3, shape.sic = 5, shape.dhc = 2, shape.dic = 2;
  return shape;
}

TEST(AllocationFailure, LosesNothingInInference) {
  ForEachRandomCase(Propagation::kForwardInference, DataType::kF32, 2, CheckBoth);
}

TEST(AllocationFailure, LosesNothingInForwardTraining) {
  ForEachRandomCase(Propagation::kForwardTraining, DataType::kBf16, 2, CheckBoth);
}

TEST(AllocationFailure, LosesNothingInBackward) {
  ForEachRandomCase(Propagation::kBackward, DataType::kF32, 1, [](TestCase* test, const std::string& description) {
    RunForward(test);
    CheckBoth(test, description);
  });
}

TEST(AllocationFailure, LosesNothingWhereChannelsDiffer) {
  for (const Cell cell : {Cell::kVanillaRnn, Cell::kLstm}) {
    for (const Propagation propagation : AllOf<Propagation>()) {
      TestCase test = MakeTestCase(
          MakeTestProblem(cell, propagation, Direction::kBidirectionalConcat, DataType::kF32, UnequalChannels()));
      FillInputs(&test, 1);
      if (test.problem.IsBackward()) RunForward(&test);
      CheckBoth(&test, std::string(ToString(cell)) + " " + ToString(propagation));
    }
  }
}

TEST(AllocationFailure, LosesNothingInInt8) {
  for (const Cell cell : {Cell::kLstm, Cell::kGru}) {
    for (const Direction direction : {Direction::kBidirectionalConcat, Direction::kBidirectionalSum}) {
      RnnProblem problem = MakeTestProblem(cell, Propagation::kForwardInference, direction, DataType::kU8);
      problem.attr.rnn_data_scale = 64.f;
      problem.attr.rnn_data_shift = 1.f;
      TestCase test = MakeTestCase(problem);
      CheckBoth(&test, std::string(ToString(cell)) + " u8 " + ToString(direction));
    }
  }
}

TEST(AllocationFailure, LosesNothingInAReorder) {
  ReorderProblem problem;
  problem.src = MakeDense({1, 1, 3, 4, 2}, DataType::kF32);
  problem.dst = MakePermuted({1, 1, 3, 4, 2}, DataType::kS8, "abdec");
  problem.attr.rnn_weights = {1 << 3 | 1 << 4, std::vector<float>(8, 16.f)};
  for (const Failing kind : kKinds) {
    EXPECT_GT(FailEach(kind, [&] { CreateReorder(problem, nullptr); }), 0);
    const std::unique_ptr<const ReorderPlan> plan = CreateReorder(problem, nullptr);
    const std::vector<float> src(24, 0.5f);
    std::vector<int8_t> dst(24);
    ReorderBuffers buffers;
    buffers.src = src.data();
    buffers.dst = dst.data();
    FailEach(kind, [&] { plan->Execute(buffers); });  // it allocates nothing today
    plan->Execute(buffers);
    EXPECT_EQ(dst, std::vector<int8_t>(24, 8));
  }
}

}  // namespace
}  // namespace reference
}  // namespace tandem
