// The program for first readers prints what the reference's cells and stack compute.
#include <gtest/gtest.h>

#include <cstdio>
#include <vector>

#include "reference/numerics/numerics.h"
#include "reference/stack/stack_input.h"
#include "reference/tests/test_case.h"

namespace tandem {
namespace reference {
namespace {

using Plain = ExactNumerics<double>;

constexpr Dim kSteps = 3, kChannels = 2, kGatesOfProgram = 4;
constexpr double kHalfOfLastDigit = 0.5e-12;
// The same terms in another order: 2^-53 times some ten of them, through three steps.
constexpr double kNoise = 1e-14;

// The program's numbers: weights and bias with four gates, then x. GRU takes the first three gates of each.
void SetInputs(TestCase* test) {
  int n = 0;
  const auto set = [&](Tensor tensor, Dim rows) {
    std::vector<double> values;
    for (Dim i = 0; i < rows * kGatesOfProgram * kChannels; ++i) {
      const double value = (7 * n++ % 17 - 8) / 8.;
      if (i / kChannels % kGatesOfProgram < test->problem.n_gates) values.push_back(value);
    }
    test->Set(tensor, values);
  };
  set(kWeightsLayer, kChannels);
  set(kWeightsIter, kChannels);
  set(kBias, 1);
  std::vector<double> x;
  for (Dim i = 0; i < kSteps * kChannels; ++i) x.push_back((7 * n++ % 17 - 8) / 8.);
  test->Set(kSrcLayer, x);
}

// h of every step, [t][channel].
std::vector<double> StatesOf(Cell cell) {
  TestShape shape;
  shape.n_iter = kSteps, shape.mb = 1;
  shape.slc = shape.sic = shape.dhc = shape.dic = kChannels;
  TestCase test = MakeTestCase(
      MakeTestProblem(cell, Propagation::kForwardInference, Direction::kLeft2Right, DataType::kF32, shape));
  SetInputs(&test);
  const RnnBuffers buffers = test.Buffers();
  const BoundProblem bound = {test.problem, buffers};
  std::vector<double> states;
  for (const Mat<double>& h : RunStack(Plain(), LoadStackInput(Plain(), bound)).dst_layer) {
    for (Dim j = 0; j < kChannels; ++j) states.push_back(h(j, 0));
  }
  return states;
}

TEST(LstmAndGru, PrintsWhatTheReferenceComputes) {
  FILE* const printed = popen("reference/lstm_and_gru", "r");
  ASSERT_NE(printed, nullptr);
  const std::vector<double> lstm = StatesOf(Cell::kLstm), gru = StatesOf(Cell::kGru);
  for (size_t t = 0; t < kSteps; ++t) {
    for (const std::vector<double>& expected : {lstm, gru}) {
      for (size_t j = 0; j < kChannels; ++j) {
        double number = 0;
        ASSERT_EQ(std::fscanf(printed, "%lf", &number), 1);
        EXPECT_NEAR(number, expected[t * kChannels + j], kHalfOfLastDigit + kNoise) << "t=" << t << " j=" << j;
      }
    }
  }
  double more = 0;
  EXPECT_EQ(std::fscanf(printed, "%lf", &more), EOF);
  EXPECT_EQ(pclose(printed), 0);
}

}  // namespace
}  // namespace reference
}  // namespace tandem
