// One cell, one step, one of everything: numbers that a reader can follow with a pocket calculator.
#include <gtest/gtest.h>

#include "reference/numerics/activations.h"
#include "reference/tests/test_case.h"

namespace tandem {
namespace reference {
namespace {

constexpr double kFloatUlp = 6e-8;  // 2^-24: half an ulp of a result below 1

// x = 1, h = 0.5; W = 0.5, U = 1, B = -0.25: a = 0.5 + 0.5 - 0.25 = 0.75.
TestCase VanillaCase(Activation activation, float alpha) {
  RnnProblem problem = OneOfEverything(Cell::kVanillaRnn);
  problem.activation = activation;
  problem.alpha = alpha;
  TestCase test = MakeTestCase(problem);
  test.Set(kSrcLayer, {1.0});
  test.Set(kSrcIter, {0.5});
  test.Set(kWeightsLayer, {0.5});
  test.Set(kWeightsIter, {1.0});
  test.Set(kBias, {-0.25});
  return test;
}

TEST(VanillaRnnCell, TanhOfThreeQuarters) {
  TestCase test = VanillaCase(Activation::kTanh, 0.f);
  RunCase(&test);
  // tanh(0.75) = (e^1.5 - 1) / (e^1.5 + 1) = 3.4816890703 / 5.4816890703
  EXPECT_NEAR(test.Get(kDstLayer)[0], 0.6351489524, kFloatUlp);
  EXPECT_EQ(test.Get(kDstIter)[0], test.Get(kDstLayer)[0]);
}

TEST(VanillaRnnCell, LogisticOfThreeQuarters) {
  TestCase test = VanillaCase(Activation::kLogistic, 0.f);
  RunCase(&test);
  // 1 / (1 + e^-0.75) = 1 / 1.4723665527
  EXPECT_NEAR(test.Get(kDstLayer)[0], 0.6791786992, kFloatUlp);
}

TEST(VanillaRnnCell, ReluScalesNegativeValuesByAlpha) {
  TestCase test = VanillaCase(Activation::kRelu, 0.125f);
  RunCase(&test);
  EXPECT_EQ(test.Get(kDstLayer)[0], 0.75);
  test.Set(kSrcLayer, {-2.0});  // a = -1 + 0.5 - 0.25 = -0.75
  RunCase(&test);
  EXPECT_EQ(test.Get(kDstLayer)[0], -0.75 * 0.125);
}

// The result for a = 0.75, and for a = -0.75.
TEST(VanillaRnnCell, OtherActivationsOfThreeQuarters) {
  struct Example {
    ActivationFunction function;
    double above, below;
  };
  // e^-0.75 = 0.4723665527, tanh(1.5) = 0.9051482536
  for (const Example& e : {Example{{Activation::kThresholdedRelu, 0.5f}, 0.75, 0},
                           {{Activation::kThresholdedRelu, 0.75f}, 0, 0},  // a is not above it
                           {{Activation::kHardSigmoid, 0.25f, 0.5f}, 0.6875, 0.3125},
                           {{Activation::kHardSigmoid, 2.f, 0.5f}, 1, 0},
                           {{Activation::kSoftsign}, 0.75 / 1.75, -0.75 / 1.75},
                           {{Activation::kSoftplus}, 0.75 + 0.3868710040, 0.3868710040},  // log(1.4723665527)
                           {{Activation::kElu, 2.f}, 0.75, 2 * (0.4723665527 - 1)},
                           {{Activation::kAffine, 2.f, -1.f}, 0.5, -2.5},
                           {{Activation::kScaledTanh, 0.5f, 2.f}, 0.5 * 0.9051482536, -0.5 * 0.9051482536}}) {
    TestCase test = VanillaCase(e.function.kind, e.function.alpha);
    test.problem.beta = e.function.beta;
    RunCase(&test);
    EXPECT_NEAR(test.Get(kDstLayer)[0], e.above, 2 * kFloatUlp) << ToString(e.function.kind);
    test.Set(kSrcLayer, {-2.0});
    RunCase(&test);
    EXPECT_NEAR(test.Get(kDstLayer)[0], e.below, 2 * kFloatUlp) << ToString(e.function.kind);
  }
}

// The pre-activation lies at a corner.
TEST(VanillaRnnCell, SlopesAtCornersAreThoseOfNumerics) {
  const auto slope = [](Activation kind, float alpha, float beta, double a) {
    return ActivationSlopeOf(ActivationFunction{kind, alpha, beta}, a);
  };
  EXPECT_EQ(slope(Activation::kThresholdedRelu, 0.5f, 0.f, 0.5), 0);
  EXPECT_EQ(slope(Activation::kHardSigmoid, 0.5f, 0.5f, 1), 0);
  EXPECT_EQ(slope(Activation::kHardSigmoid, 0.5f, 0.5f, -1), 0);
  EXPECT_EQ(slope(Activation::kElu, 2.f, 0.f, 0), 2);
  EXPECT_EQ(slope(Activation::kSoftsign, 0.f, 0.f, 0), 1);
}

// x = 1, h = 0.5, c = 2; W = (1, 0.5, -1, 2), U = (2, -1, 1, 0), B = (-1, 0.25, 1, -1) for i, f, c~, o:
// a_i = 1 + 1 - 1 = 1, a_f = 0.5 - 0.5 + 0.25 = 0.25, a_c~ = -1 + 0.5 + 1 = 0.5, a_o = 2 + 0 - 1 = 1.
void SetLstm(TestCase* test) {
  test->Set(kSrcLayer, {1.0});
  test->Set(kSrcIter, {0.5});
  test->Set(kSrcIterC, {2.0});
  test->Set(kWeightsLayer, {1.0, 0.5, -1.0, 2.0});
  test->Set(kWeightsIter, {2.0, -1.0, 1.0, 0.0});
  test->Set(kBias, {-1.0, 0.25, 1.0, -1.0});
}

TEST(LstmCell, FollowsTheTextByHand) {
  TestCase test = MakeTestCase(OneOfEverything(Cell::kLstm));
  SetLstm(&test);
  RunCase(&test);
  // i = s(1) = 0.7310585786, f = s(0.25) = 0.5621765009, c~ = tanh(0.5) = 0.4621171573, o = s(1)
  // c = 0.5621765009 * 2 + 0.7310585786 * 0.4621171573 = 1.1243530018 + 0.3378347121 = 1.4621877139
  EXPECT_NEAR(test.Get(kDstIterC)[0], 1.4621877139, 2 * kFloatUlp);
  // h = tanh(1.4621877139) * 0.7310585786 = 0.8980766621 * 0.7310585786
  EXPECT_NEAR(test.Get(kDstLayer)[0], 0.6565466481, kFloatUlp);
}

TEST(LstmCell, PeepholeAddsTheCellStateToThreeGates) {
  RnnProblem problem = OneOfEverything(Cell::kLstm);
  problem.md[kWeightsPeephole] = MakeDense({1, 1, 3, 1}, DataType::kF32);
  TestCase test = MakeTestCase(problem);
  SetLstm(&test);
  test.Set(kWeightsPeephole, {-0.5, 0.375, 1.0});
  RunCase(&test);
  // a_i = 1 - 0.5 * 2 = 0: i = 0.5. a_f = 0.25 + 0.375 * 2 = 1: f = 0.7310585786. c~ as before.
  // c = 0.7310585786 * 2 + 0.5 * 0.4621171573 = 1.6931757358
  EXPECT_NEAR(test.Get(kDstIterC)[0], 1.6931757358, 2 * kFloatUlp);
  // a_o = 1 + 1 * 1.6931757358, from the new c: o = s(2.6931757358) = 0.9366227567
  // h = tanh(1.6931757358) * o = 0.9345505029 * 0.9366227567
  EXPECT_NEAR(test.Get(kDstLayer)[0], 0.8753212684, kFloatUlp);
}

TEST(LstmCell, ProjectionMultipliesTheOutput) {
  RnnProblem problem = OneOfEverything(Cell::kLstm);
  problem.md[kWeightsProjection] = MakeDense({1, 1, 1, 1}, DataType::kF32);
  TestCase test = MakeTestCase(problem);
  SetLstm(&test);
  test.Set(kWeightsProjection, {-2.0});
  RunCase(&test);
  EXPECT_NEAR(test.Get(kDstLayer)[0], -2.0 * 0.6565466481, 3 * kFloatUlp);
}

TEST(LstmCell, ZeroWeightsHalveTheCellState) {
  TestCase test = MakeTestCase(OneOfEverything(Cell::kLstm));
  test.Set(kSrcIterC, {2.0});
  RunCase(&test);
  // i = f = o = s(0) = 0.5, c~ = tanh(0) = 0: c = 0.5 * 2, h = 0.5 tanh(1) = 0.5 * 0.7615941560
  EXPECT_EQ(test.Get(kDstIterC)[0], 1.0);
  EXPECT_NEAR(test.Get(kDstLayer)[0], 0.3807970780, kFloatUlp);
}

// x = 1, h = 0.5; W = (0, 1, 1), U = (2, 1, 4), B = (0, -1.5, -1) for u, r, o:
// a_u = 1, a_r = 1 + 0.5 - 1.5 = 0: u = 0.7310585786, r = 0.5.
void SetGru(TestCase* test) {
  test->Set(kSrcLayer, {1.0});
  test->Set(kSrcIter, {0.5});
  test->Set(kWeightsLayer, {0.0, 1.0, 1.0});
  test->Set(kWeightsIter, {2.0, 1.0, 4.0});
  const bool has_u_prime = test->problem.n_bias_gates == 4;
  test->Set(kBias, has_u_prime ? std::vector<double>{0.0, -1.5, -1.0, 2.0} : std::vector<double>{0.0, -1.5, -1.0});
}

TEST(GruCell, FollowsTheTextByHand) {
  TestCase test = MakeTestCase(OneOfEverything(Cell::kGru));
  SetGru(&test);
  RunCase(&test);
  // a_o = 1 + 4 * (0.5 * 0.5) - 1 = 1: o = tanh(1) = 0.7615941560
  // h = 0.7310585786 * 0.5 + 0.2689414214 * 0.7615941560 = 0.3655292893 + 0.2048242148
  EXPECT_NEAR(test.Get(kDstLayer)[0], 0.5703535041, kFloatUlp);
}

TEST(GruCell, ZeroWeightsHalveTheState) {
  TestCase test = MakeTestCase(OneOfEverything(Cell::kGru));
  test.Set(kSrcIter, {0.75});
  RunCase(&test);
  EXPECT_EQ(test.Get(kDstLayer)[0], 0.375);  // u = 0.5, o = 0
}

TEST(LbrGruCell, ResetsTheLinearLayerAndItsBias) {
  TestCase test = MakeTestCase(OneOfEverything(Cell::kLbrGru));
  SetGru(&test);
  RunCase(&test);
  // a_o = 1 + 0.5 * (4 * 0.5 + 2) - 1 = 2: o = tanh(2) = 0.9640275801
  // h = 0.3655292893 + 0.2689414214 * 0.9640275801 = 0.3655292893 + 0.2592669477
  EXPECT_NEAR(test.Get(kDstLayer)[0], 0.6247962370, kFloatUlp);
}

TEST(AugruCell, AttentionTakesItsShareOfTheUpdateGate) {
  TestCase test = MakeTestCase(OneOfEverything(Cell::kAugru));
  SetGru(&test);
  test.Set(kAugruAttention, {0.25});
  RunCase(&test);
  // u~ = 0.75 * 0.7310585786 = 0.5482939340; h = 0.5482939340 * 0.5 + 0.4517060660 * 0.7615941560
  EXPECT_NEAR(test.Get(kDstLayer)[0], 0.6181636671, kFloatUlp);
}

TEST(LbrAugruCell, AttentionTakesItsShareOfTheUpdateGate) {
  TestCase test = MakeTestCase(OneOfEverything(Cell::kLbrAugru));
  SetGru(&test);
  test.Set(kAugruAttention, {0.25});
  RunCase(&test);
  // h = 0.5482939340 * 0.5 + 0.4517060660 * 0.9640275801 = 0.2741469670 + 0.4354571058
  EXPECT_NEAR(test.Get(kDstLayer)[0], 0.7096040728, kFloatUlp);
}

TEST(AugruCell, FullAttentionForgetsTheOldState) {
  TestCase test = MakeTestCase(OneOfEverything(Cell::kAugru));
  SetGru(&test);
  test.Set(kAugruAttention, {1.0});
  RunCase(&test);
  EXPECT_NEAR(test.Get(kDstLayer)[0], 0.7615941560, kFloatUlp);  // h = o
}

}  // namespace
}  // namespace reference
}  // namespace tandem
