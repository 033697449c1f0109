// Functions of gates that the attributes give, by hand: the cells of cells_test.cc with other functions.
#include <gtest/gtest.h>

#include "reference/numerics/numerics.h"
#include "reference/tests/test_case.h"

namespace tandem {
namespace reference {
namespace {

constexpr double kFloatUlp = 1.2e-7;  // 2^-23: an ulp of a result below 2

TestCase LstmWithGates(const GateFunctions& gates) {
  RnnProblem problem = OneOfEverything(Cell::kLstm);
  problem.attr.rnn_gates = gates;
  TestCase test = MakeTestCase(problem);
  // a_i = 1, a_f = 0.25, a_c~ = 0.5, a_o = 1, and c = 2.
  test.Set(kSrcLayer, {1.0});
  test.Set(kSrcIter, {0.5});
  test.Set(kSrcIterC, {2.0});
  test.Set(kWeightsLayer, {1.0, 0.5, -1.0, 2.0});
  test.Set(kWeightsIter, {2.0, -1.0, 1.0, 0.0});
  test.Set(kBias, {-1.0, 0.25, 1.0, -1.0});
  RunCase(&test);
  return test;
}

TestCase GruWithGates(Cell cell, const GateFunctions& gates) {
  RnnProblem problem = OneOfEverything(cell);
  problem.attr.rnn_gates = gates;
  TestCase test = MakeTestCase(problem);
  // a_u = 1, a_r = 0; U_o h = 2.
  test.Set(kSrcLayer, {1.0});
  test.Set(kSrcIter, {0.5});
  test.Set(kWeightsLayer, {0.0, 1.0, 1.0});
  test.Set(kWeightsIter, {2.0, 1.0, 4.0});
  const bool is_lbr = cell == Cell::kLbrGru;
  test.Set(kBias, is_lbr ? std::vector<double>{0.0, -1.5, -1.0, 2.0} : std::vector<double>{0.0, -1.5, -1.0});
  RunCase(&test);
  return test;
}

GateFunctions Default() { return {}; }

TEST(Gates, EachPlaceOfLstmHasItsFunction) {
  TestCase test =
      LstmWithGates({{Activation::kHardSigmoid, 0.25f, 0.5f}, {Activation::kSoftsign}, {Activation::kRelu}});
  // i = o = 0.25 * 1 + 0.5 = 0.75, f = 0.25 * 0.25 + 0.5 = 0.5625, c~ = 0.5 / 1.5
  // c = 0.5625 * 2 + 0.75 / 3 = 1.375, h = 0.75 * 1.375
  EXPECT_NEAR(test.Get(kDstIterC)[0], 1.375, kFloatUlp);
  EXPECT_NEAR(test.Get(kDstLayer)[0], 1.03125, kFloatUlp);
}

// ONNX Runtime 1.17 was measured: it clips the pre-activations, and not c_t before its tanh.
TEST(Gates, ClipLeavesTheCellState) {
  GateFunctions gates = Default();
  gates.clip = 0.5f;
  TestCase test = LstmWithGates(gates);
  // i = o = s(0.5) = 0.6224593312, f = s(0.25) = 0.5621765009, c~ = tanh(0.5) = 0.4621171573
  EXPECT_NEAR(test.Get(kDstIterC)[0], 1.4120021384, 2 * kFloatUlp);
  EXPECT_NEAR(test.Get(kDstLayer)[0], 0.5526931809, kFloatUlp);  // 0.6224593312 tanh(1.4120021384)
}

// f = 1 - i, as ONNX Runtime 1.17 has it; i = 1 - f would be another text's.
TEST(Gates, InputForgetIsTheRestOfTheInputGate) {
  GateFunctions gates = Default();
  gates.forget = ForgetGate::kRestOfInput;
  TestCase test = LstmWithGates(gates);
  // i = s(1) = 0.7310585786, f = 0.2689414214: c = 0.5378828427 + 0.3378347121, h = i tanh(c)
  EXPECT_NEAR(test.Get(kDstIterC)[0], 0.8757175549, kFloatUlp);
  EXPECT_NEAR(test.Get(kDstLayer)[0], 0.5148607534, kFloatUlp);
}

TEST(Gates, GruHasReluAsInRnnoise) {
  TestCase test = GruWithGates(Cell::kGru, {{Activation::kLogistic}, {Activation::kRelu}});
  // a_o = 1: h = 0.7310585786 * 0.5 + 0.2689414214 * 1
  EXPECT_NEAR(test.Get(kDstLayer)[0], 0.6344707107, kFloatUlp);
}

TEST(Gates, LbrGruClipsTheWholeCandidate) {
  GateFunctions gates = Default();
  gates.clip = 1.5f;
  TestCase test = GruWithGates(Cell::kLbrGru, gates);
  // a_o = 1 + 0.5 * (2 + 2) - 1 = 2, where 4 is not clipped: o = tanh(1.5) = 0.9051482536
  EXPECT_NEAR(test.Get(kDstLayer)[0], 0.6089611475, kFloatUlp);
}

// As PyTorch's clamp: a gradient passes at the bounds, and not beyond.
TEST(Gates, TheSlopeOfAClipIsOneAtTheBounds) {
  const ExactNumerics<double> num;
  Mat<double> a(5, 1);
  a << -0.75, -0.5, 0, 0.5, 0.75;
  Mat<double> expected(5, 1);
  expected << 0, 1, 1, 1, 0;
  EXPECT_TRUE((num.ClipSlope(a, 0.5) == expected).all());
}

TEST(Gates, AClipKeepsNan) {
  const ExactNumerics<double> num;
  EXPECT_TRUE(std::isnan(num.Clip(Mat<double>::Constant(1, 1, NAN), 0.5)(0, 0)));
}

}  // namespace
}  // namespace reference
}  // namespace tandem
