#include "conformance/problem/random/random_problem.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "conformance/problem/generator.h"
#include "conformance/problem/problem_notation.h"
#include "conformance/problem/random/pairs.h"
#include "conformance/problem/random/pairs_first.h"
#include "conformance/problem/random/random_functions.h"

namespace tandem::conformance {
namespace {

RC_GTEST_PROP(RandomProblem, RandomProblemsAreValidAndReplay, ()) {
  const auto seed = *rc::gen::arbitrary<uint64_t>();
  const auto index = *rc::gen::inRange<uint64_t>(0, 1 << 20);
  const ProblemSpec spec = RandomProblem(ProblemScope(), seed, index);
  RC_ASSERT(ParseProblem(PrintProblem(spec)) == spec);
  ToRnnProblem(spec);
}

RC_GTEST_PROP(RandomProblem, ShrunkProblemsAreSmallerOrPlainerAndMostlyValid, ()) {
  const auto seed = *rc::gen::arbitrary<uint64_t>();
  ProblemScope scope;
  scope.lengths_one_in = 2;
  const ProblemSpec spec = RandomProblem(scope, seed, 0);
  for (const ProblemSpec& candidate : ShrinkCandidates(spec)) {
    RC_ASSERT(candidate != spec);
    RC_ASSERT(CountOps(candidate) <= CountOps(spec));
  }
}

// 4000 draws must contain every combination that the specification's tables allow.
TEST(RandomProblem, RandomProblemsCoverEveryCellDirectionTypeAndDirection) {
  std::set<std::string> kinds, features;
  for (uint64_t i = 0; i < 4000; ++i) {
    const ProblemSpec s = RandomProblem(ProblemScope(), 7, i);
    kinds.insert(std::string(ToString(s.cell)) + TypesOf(s.config).name + ToString(s.propagation));
    features.insert(std::string(ToString(s.cell)) + ToString(s.direction));
    features.insert(std::string(ToString(s.data)));
    for (Tensor t : {kBias, kSrcIter, kDstIter}) {
      if (IsAbsent(s, t)) features.insert(std::string("no ") + ToString(t));
    }
  }
  // Six cells, six floating configurations, three propagations; LSTM and LBR-GRU eight integer ones, GRU the four unsigned.
  EXPECT_EQ(kinds.size(), 6u * 6 * 3 + 8 + 8 + 4);
  // Four cells in four directions, two with attention in one, nine kinds of data, three absences.
  EXPECT_EQ(features.size(), 4u * 4 + 2 + 9 + 3);
}

// Each pair of features that a valid problem can have, in as many problems as the default tier draws.
TEST(RandomProblem, RandomProblemsHaveEveryPairOfFeatures) {
  EXPECT_GT(PossiblePairs().size(), 400u);
  for (const uint64_t seed : {1, 2, 3}) {
    PairTally tally;
    ProblemScope scope;
    scope.lengths_one_in = 6;
    for (uint64_t i = 0; i < 2000; ++i) tally.Add(RandomProblem(scope, seed, i));
    EXPECT_EQ(tally.Possible().size(), PossiblePairs().size());
    for (const FeaturePair& pair : tally.Below(kWantedOfEachPair)) ADD_FAILURE() << seed << ": " << ToString(pair);
    for (const auto& [pair, problems] : tally.counts()) {
      EXPECT_TRUE(std::binary_search(CountedPairs().begin(), CountedPairs().end(), pair)) << ToString(pair);
    }
  }
}

// What a problem is without lengths does not depend on how often they are drawn.
TEST(RandomProblem, LengthsAreDrawnBesideProblemsThatStayAsTheyAre) {
  ProblemScope scope;
  scope.lengths_one_in = 6;
  std::set<RowLengths> kinds;
  int drawn = 0;
  for (uint64_t i = 0; i < 1200; ++i) {
    ProblemSpec spec = RandomProblem(scope, 7, i);
    drawn += spec.lengths != RowLengths::kNone;
    kinds.insert(spec.lengths);
    ToRnnProblem(spec);
    spec.lengths = RowLengths::kNone;
    EXPECT_TRUE(spec == RandomProblem(ProblemScope(), 7, i)) << PrintProblem(spec);
  }
  EXPECT_TRUE(drawn > 150 && drawn < 250) << drawn;
  EXPECT_EQ(kinds.size(), 8u) << "those that are easy to get wrong, and none";
}

// 8-bit weights come in place of f32 and bf16, and every pair of features is drawn as often as it is wanted beside them.
TEST(RandomProblem, ByteWeightsAreDrawnBesideProblemsThatStayAsTheyAre) {
  ProblemScope scope;
  scope.byte_weights_one_in = 4;
  std::set<std::string> kinds, features;
  PairTally tally;
  for (uint64_t i = 0; i < 4000; ++i) {
    const ProblemSpec spec = RandomProblem(scope, 7, i), without = RandomProblem(ProblemScope(), 7, i);
    ToRnnProblem(spec);
    if (i < 2000) tally.Add(spec);
    if (spec.config == without.config) {
      EXPECT_TRUE(spec == without) << PrintProblem(spec);
      continue;
    }
    EXPECT_TRUE(HasByteWeights(spec.config) && (without.config == Config::kF32 || without.config == Config::kBf16));
    kinds.insert(std::string(ToString(spec.cell)) + TypesOf(spec.config).name);
    features.insert(ToString(spec.data));
    features.insert(spec.scaling == QuantizationScaling::kCommon ? "one scale" : "a scale for each channel");
  }
  EXPECT_EQ(kinds.size(), 6u * 3) << "each cell of f32w8, f32w8dyn and bf16w8";
  EXPECT_EQ(features.size(), 5u + 2) << "dense, saturating, tiny, special and zero; two scalings";
  EXPECT_TRUE(tally.Below(kWantedOfEachPair).empty());
  scope.configs = {Config::kF32};
  for (uint64_t i = 0; i < 200; ++i) EXPECT_EQ(RandomProblem(scope, 7, i).config, Config::kF32);
}

// The other parts of a problem do not depend on how often gates have functions of their own; data, gain and steps may become tamer.
TEST(RandomProblem, FunctionsOfGatesAreDrawnBesideProblemsThatStayAsTheyAre) {
  ProblemScope scope;
  scope.gates_one_in = 4;
  std::set<std::string> found;
  for (uint64_t i = 0; i < 4000; ++i) {
    const ProblemSpec spec = RandomProblem(scope, 7, i), without = RandomProblem(ProblemScope(), 7, i);
    ToRnnProblem(spec);
    if (AreDefault(spec.gates)) {
      EXPECT_TRUE(spec == without) << PrintProblem(spec);
      continue;
    }
    EXPECT_TRUE(TakesGateFunctions(spec.cell, spec.config)) << PrintProblem(spec);
    EXPECT_EQ(spec.seed, without.seed);
    EXPECT_TRUE(ParseProblem(PrintProblem(spec)) == spec) << PrintProblem(spec);
    for (const GatePlace place : kGatePlaces) {
      found.insert(std::string(ToString(place)) + " " + ToString(spec.gates.At(place).kind));
    }
    found.insert(std::string(ToString(spec.cell)) + (spec.gates.clip != 0 ? " with a clip" : " without"));
    if (spec.gates.forget == ForgetGate::kRestOfInput) found.insert("coupled");
  }
  // Ten functions as recurrent and candidate, eight as output; three cells with and without a clip, the vanilla RNN with one.
  EXPECT_EQ(found.size(), 10u + 10 + 8 + 2 * 3 + 1 + 1);
}

// The other parts of a problem do not depend on how often it has masks.
TEST(RandomProblem, MasksAreDrawnBesideProblemsThatStayAsTheyAre) {
  ProblemScope scope;
  scope.masks_one_in = 6;
  std::set<unsigned> found;
  int drawn = 0, floats = 0;
  for (uint64_t i = 0; i < 2000; ++i) {
    ProblemSpec spec = RandomProblem(scope, 7, i);
    ToRnnProblem(spec);
    EXPECT_TRUE(ParseProblem(PrintProblem(spec)) == spec) << PrintProblem(spec);
    floats += !IsInt8(spec);
    drawn += spec.masks != 0;
    found.insert(spec.masks);
    spec.masks = 0;
    EXPECT_TRUE(spec == RandomProblem(ProblemScope(), 7, i)) << PrintProblem(spec);
  }
  EXPECT_EQ(found.size(), 16u) << "each set of four masks";
  // Six standard deviations of a binomial distribution with p = 1/6 are below 0.052 of 1,500 draws.
  EXPECT_NEAR(static_cast<double>(drawn) / floats, 1. / 6, 0.06);
}

// Bugs begin at sizes that nobody would list. The full tier has as many problems.
TEST(RandomProblem, RandomProblemsHaveAnySize) {
  std::set<Dim> dhc, slc, rows, steps;
  for (uint64_t i = 0; i < 20000; ++i) {
    const ProblemSpec s = RandomProblem(ProblemScope(), 7, i);
    dhc.insert(s.dhc), slc.insert(s.slc), rows.insert(s.mb), steps.insert(s.t);
  }
  const auto drawn = [](const std::set<Dim>& sizes, Dim low, Dim high) {
    return std::distance(sizes.lower_bound(low), sizes.upper_bound(high));
  };
  EXPECT_EQ(drawn(dhc, 1, 65), 65);
  EXPECT_EQ(drawn(slc, 1, 65), 65);
  EXPECT_EQ(drawn(rows, 1, 40), 40);
  EXPECT_EQ(drawn(steps, 1, 12), 12);
  EXPECT_GT(drawn(dhc, 66, 513), 448 / 4);
  EXPECT_GT(drawn(rows, 41, 513), 473 / 4);
  EXPECT_GT(drawn(slc, 1026, 1999), 10);
}

// Sizes around 128, 256, 512, 1024 and 2048, long sequences, many layers, slopes of either sign.
TEST(RandomProblem, RandomProblemsReachLargeSizesOneAtATime) {
  std::set<Dim> channels, rows, steps, layers;
  std::set<float> slopes;
  for (uint64_t i = 0; i < 24000; ++i) {
    const ProblemSpec s = RandomProblem(ProblemScope(), 7, i);
    const Dim wide = std::max({s.dhc, s.slc, s.sic});
    channels.insert(wide);
    rows.insert(s.mb);
    steps.insert(s.t);
    layers.insert(s.l);
    if (s.activation == Activation::kRelu) slopes.insert(s.alpha);
    EXPECT_LE((wide > 65) + (s.mb > 40) + (s.t > 12) + (s.l > 3), 1) << PrintProblem(s);
    EXPECT_LT(CountOps(s), 4e7) << PrintProblem(s);
  }
  for (const Dim size : {127, 128, 129, 255, 256, 257, 511, 512, 513, 1025, 2049, 2100}) {
    EXPECT_TRUE(channels.count(size) != 0 && rows.count(size) != 0) << size;
  }
  EXPECT_TRUE(steps.count(21) != 0 && steps.count(100) != 0 && steps.count(300) != 0);
  EXPECT_TRUE(layers.count(6) != 0 && layers.count(12) != 0);
  EXPECT_TRUE(slopes.count(-1) != 0 && slopes.count(1) != 0 && *slopes.rbegin() > 1 && *slopes.begin() < -1);
  ProblemScope small;
  small.max_channels = 20;
  small.max_steps = 5;
  for (uint64_t i = 0; i < 1000; ++i) {
    const ProblemSpec s = RandomProblem(small, 7, i);
    EXPECT_TRUE(std::max({s.dhc, s.slc, s.sic, s.dic}) <= 20 && s.t <= 5) << PrintProblem(s);
  }
}

// Pairs that problems are drawn for.
int64_t NumWanted(const PairTally& tally) {
  return std::count_if(tally.counts().begin(), tally.counts().end(),
                       [](const auto& counted) { return IsWanted(counted.first); });
}

TEST(PairsFirst, CoverWithFewProblemsWhatAllHave) {
  std::vector<ProblemSpec> drawn;
  for (uint64_t i = 0; i < 1500; ++i) drawn.push_back(RandomProblem({}, 7, i));
  const PairsFirst first = OrderByPairs(drawn, std::vector<double>(drawn.size(), 1));
  EXPECT_EQ(std::set<uint64_t>(first.order.begin(), first.order.end()).size(), drawn.size());
  PairTally all, covered;
  for (const ProblemSpec& spec : drawn) all.Add(spec);
  for (uint64_t i = 0; i < first.first_round; ++i) covered.Add(drawn[first.order[i]]);
  EXPECT_EQ(NumWanted(covered), NumWanted(all));
  EXPECT_TRUE(all.Below(1).empty());
  uint64_t in_own_order = 0;  // how many bring a new pair when they are taken as they were drawn
  PairTally so_far;
  for (const ProblemSpec& spec : drawn) {
    const int64_t before = NumWanted(so_far);
    so_far.Add(spec);
    in_own_order += NumWanted(so_far) != before;
  }
  EXPECT_LT(first.first_round, in_own_order * 2 / 3);
}

TEST(PairsFirst, TakeTheCheaperOfTwoProblemsWithTheSamePairs) {
  const std::vector<ProblemSpec> drawn = {ParseProblem("l1t2mb3sic5"), ParseProblem("l1t2mb3sic5"),
                                          ParseProblem("l2t2mb3sic5")};
  const PairsFirst first = OrderByPairs(drawn, {2, 1, 100});
  EXPECT_EQ(first.order, (std::vector<uint64_t>{1, 2, 0}));
  EXPECT_EQ(first.first_round, 2u);
}

}  // namespace
}  // namespace tandem::conformance
