// The bias is the last term of a sum. In a sum that begins with a large one, all others are rounded to its last place.
#include "api/core/rnn/rnn_problem_testing.h"
#include "gtest/gtest.h"
#include "optimized/kernels/kernels.h"
#include "optimized/tests/forward_testing.h"

namespace tandem {
namespace optimized {
namespace {

constexpr Dim kChannels = 64;

// Every pre-activation is 63 * 2^-12 exactly: 63 small terms, then the last term of W x, -`bias`, and the bias.
Tensors WithBias(const RnnProblem& problem, float bias) {
  Tensors tensors = MakeTensors(problem, 5);
  const auto fill = [&](Tensor tensor, auto value) {
    for (size_t i = 0; i < tensors[tensor].size() / sizeof(float); ++i) {
      StoreElement(DataType::kF32, value(static_cast<Dim>(i)), i, &tensors[tensor]);
    }
  };
  const Dim row = NumGates(problem.cell) * kChannels;
  const auto is_last = [](Dim k) { return k == kChannels - 1; };
  fill(kSrcLayer, [&](Dim i) { return is_last(i % kChannels) ? 1.f : 0x1p-12f; });
  fill(kWeightsLayer, [&](Dim i) { return is_last(i / row) ? -bias : 1.f; });
  fill(kWeightsIter, [](Dim) { return 0.f; });
  fill(kBias, [&](Dim i) { return i < row ? bias : 0.f; });  // not of LBR's u'
  return tensors;
}

void ExpectTheBitsWithoutBias(Cell cell, Dim mb) {
  const TestShape shape = {1, 2, mb, kChannels, kChannels, kChannels, kChannels};
  const RnnProblem problem =
      MakeTestProblem(cell, Propagation::kForwardInference, Direction::kLeft2Right, DataType::kF32, shape);
  Tensors large = WithBias(problem, 4096), none = WithBias(problem, 0);
  RunForward(problem, WeightsForm::kPacked, &large);
  RunForward(problem, WeightsForm::kPacked, &none);
  for (const Tensor tensor : {kDstLayer, kDstIter, kDstIterC}) {
    EXPECT_TRUE(large[tensor] == none[tensor]) << ToString(cell) << ", " << mb << " rows, " << ToString(tensor);
  }
}

class Bias : public OnEachTarget {};
INSTANTIATE_TEST_SUITE_P(Targets, Bias, TargetsThatDifferHere(), NameOfTarget);

TEST_P(Bias, LeavesTheLowBitsOfTheOtherTerms) {
  for (const Cell cell : kCells) {
    for (const Dim mb : {Dim{1}, Dim{2}, kLeastInputRows}) ExpectTheBitsWithoutBias(cell, mb);
  }
}

}  // namespace
}  // namespace optimized
}  // namespace tandem
