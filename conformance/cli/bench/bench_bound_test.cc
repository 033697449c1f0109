#include "conformance/cli/bench/bench_bound.h"

#include <gtest/gtest.h>

#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {
namespace {

// An LSTM of 4 units has 4 x 4 columns. Each has 5 layer weights and 4 recurrent weights.
TEST(Traffic, ReadsRecurrentWeightsOnceForEachStepOfEachLayerAndDirection) {
  const Traffic one = TrafficOf(ParseProblem("--alg=VANILLA_LSTM l1t3mb2sic4slc5"));
  EXPECT_EQ(one.once_bytes, 16 * 5 * 4);
  EXPECT_EQ(one.all_bytes, 16 * (5 + 4) * 4);
  EXPECT_EQ(one.step_bytes, 16 * 4 * 4);
  EXPECT_EQ(one.steps, 3);
  EXPECT_EQ(one.ops, 2 * 16 * (5 + 4) * 2 * 3);
  const Traffic stack = TrafficOf(ParseProblem("--alg=VANILLA_LSTM --direction=sum l2t3mb2sic4"));
  EXPECT_EQ(stack.steps, 2 * 2 * 3);
  EXPECT_EQ(stack.once_bytes, 2 * 2 * 16 * 4 * 4);
}

TEST(Traffic, ReadsAllWeightsOnceInASingleStep) {
  const Traffic traffic = TrafficOf(ParseProblem("--alg=VANILLA_LSTM l2t1mb2sic4"));
  EXPECT_EQ(traffic.once_bytes, 2 * 16 * (4 + 4) * 4);
  EXPECT_EQ(traffic.all_bytes, traffic.once_bytes);
  EXPECT_EQ(traffic.steps, 0);
}

TEST(Traffic, CountsBytesOfTheWeightsType) {
  EXPECT_EQ(TrafficOf(ParseProblem("--alg=VANILLA_GRU --cfg=bf16 l1t1mb1sic4")).step_bytes, 12 * 4 * 2);
  EXPECT_EQ(TrafficOf(ParseProblem("--alg=VANILLA_LSTM --cfg=u8u8u8u8 l1t1mb1sic4")).step_bytes, 16 * 4);
  EXPECT_EQ(TrafficOf(ParseProblem("--alg=VANILLA_GRU --attr-fpmath=bf16 l1t1mb1sic4")).step_bytes, 12 * 4 * 2);
}

TEST(Traffic, BackwardAlsoWritesTheGradientsOfAllWeights) {
  const Traffic traffic = TrafficOf(ParseProblem("--alg=VANILLA_GRU --prop=BWD_DW l1t1mb1sic4slc5"));
  EXPECT_EQ(traffic.once_bytes, 2 * 12 * (5 + 4) * 4);
  const Traffic steps = TrafficOf(ParseProblem("--alg=VANILLA_GRU --prop=BWD_DW l1t2mb1sic4slc5"));
  EXPECT_EQ(steps.once_bytes, 12 * 5 * 4 + 12 * (5 + 4) * 4);
}

TEST(Traffic, IsThatOfLiveCells) {
  const Traffic all = TrafficOf(ParseProblem("--alg=VANILLA_LSTM l1t4mb3sic4"));
  EXPECT_EQ(all.live_share, 1);
  const Traffic full = TrafficOf(ParseProblem("--alg=VANILLA_LSTM --lengths=full l1t4mb3sic4"));
  EXPECT_EQ(full.live_share, 1);
  EXPECT_EQ(full.ops, all.ops);
  EXPECT_EQ(full.steps, 4);
  const Traffic ones = TrafficOf(ParseProblem("--alg=VANILLA_LSTM --lengths=ones l1t4mb3sic4"));
  EXPECT_EQ(ones.live_share, 0.25);
  EXPECT_EQ(ones.ops, all.ops / 4);
  EXPECT_EQ(ones.steps, 0);
  EXPECT_EQ(ones.once_bytes, ones.all_bytes);
}

// An implementation may multiply pairs of bf16, which some processors do twice as fast as f32.
TEST(FactorsOf, AreTheNarrowestThatAProblemPermits) {
  const auto factors = [](const char* words) { return FactorsOf(ParseProblem(words)); };
  EXPECT_EQ(factors("--alg=VANILLA_LSTM l1t1mb1sic4"), Factors::kF32);
  EXPECT_EQ(factors("--alg=VANILLA_LSTM --cfg=f16 l1t1mb1sic4"), Factors::kF32);
  EXPECT_EQ(factors("--alg=VANILLA_LSTM --attr-fpmath=f16 l1t1mb1sic4"), Factors::kF32);
  EXPECT_EQ(factors("--alg=VANILLA_LSTM --cfg=bf16f32 l1t1mb1sic4"), Factors::kBf16);
  EXPECT_EQ(factors("--alg=VANILLA_LSTM --attr-fpmath=any l1t1mb1sic4"), Factors::kBf16);
  EXPECT_EQ(factors("--alg=VANILLA_LSTM --cfg=u8u8u8u8 l1t1mb1sic4"), Factors::kInt8);
}

TEST(ProblemRates, GiveABoundThatNoProblemBeats) {
  const ProblemSpec spec = ParseProblem("--alg=VANILLA_LSTM l1t3mb2sic4slc5");
  ProblemRates rates(spec, {1});
  for (int i = 0; i < 3; ++i) rates.Measure();
  const Bound bound = rates.BoundOn(1);
  EXPECT_GT(bound.seconds, 0);
  EXPECT_GE(bound.seconds, CountOps(spec) / rates.PeakOn(1));
}

}  // namespace
}  // namespace tandem::conformance
