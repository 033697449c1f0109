#include "conformance/problem/generator.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "conformance/problem/random/pairs.h"
#include "conformance/problem/random/pairs_first.h"
#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {
namespace {

TensorSet Fill(const ProblemSpec& spec) {
  const RnnProblem problem = ToRnnProblem(spec);
  TensorSet tensors(problem);
  FillInputs(spec, problem, &tensors);
  return tensors;
}
TensorSet Fill(const std::string& words) { return Fill(ParseProblem(words)); }

TEST(Generator, ASmallerProblemKeepsTheValuesOfItsElements) {
  const TensorSet big = Fill("--alg=VANILLA_GRU l2t3mb4sic8slc8dhc8");
  const TensorSet small = Fill("--alg=VANILLA_GRU l1t2mb3sic4slc4dhc4");
  // src_layer[t][n][c] and weights_iter[l][d][i][g][o] at the last corner of the small problem.
  EXPECT_EQ(small[kSrcLayer].Get((1 * 3 + 2) * 4 + 3), big[kSrcLayer].Get((1 * 4 + 2) * 8 + 3));
  // The scale 1 / sqrt(inputs) is the one thing that follows the size.
  EXPECT_NEAR(small[kWeightsIter].Get((3 * 3 + 2) * 4 + 3) * std::sqrt(4.0),
              big[kWeightsIter].Get((3 * 3 + 2) * 8 + 3) * std::sqrt(8.0), 1e-6);
}

TEST(Generator, DenseDataIsSignedNonzeroAndDistinctForEveryGate) {
  const TensorSet tensors = Fill("--alg=VANILLA_LSTM l1t2mb2sic8");
  std::set<double> values;
  int negative = 0;
  for (double w : tensors[kWeightsLayer].ToDoubles()) {
    EXPECT_NE(w, 0.0);
    values.insert(w);
    negative += w < 0;
  }
  EXPECT_EQ(values.size(), 8u * 4 * 8);
  EXPECT_GT(negative, 64);
  EXPECT_LT(negative, 192);
  for (Tensor t : {kSrcIter, kSrcIterC, kBias}) {
    for (double v : tensors[t].ToDoubles()) EXPECT_NE(v, 0.0) << ToString(t);
  }
}

TEST(Generator, Int8DataUseTheFullRangeOfBytes) {
  const TensorSet tensors = Fill("--alg=VANILLA_LSTM --cfg=u8u8u8u8 l1t8mb8sic64");
  double low = 255, high = 0, w_low = 0, w_high = 0;
  for (double v : tensors[kSrcLayer].ToDoubles()) low = std::min(low, v), high = std::max(high, v);
  for (double v : tensors[kWeightsLayer].ToDoubles()) {
    w_low = std::min(w_low, v), w_high = std::max(w_high, v);
  }
  EXPECT_LT(low, 3);
  EXPECT_GT(high, 252);
  EXPECT_EQ(w_low, -128);
  EXPECT_EQ(w_high, 127);
}

TEST(Generator, SaturatingInt8StatesInF32ExceedBytesAndIntegers) {
  int beyond_bytes = 0, beyond_integers = 0;
  for (double v : Fill("--alg=VANILLA_LSTM --cfg=f32u8f32u8 --data=saturating l1t1mb8sic64")[kSrcIter].ToDoubles()) {
    beyond_bytes += std::fabs(v) > 256;
    beyond_integers += std::fabs(v) > 0x1p31;
  }
  EXPECT_GT(beyond_bytes, 100);
  EXPECT_GT(beyond_integers, 100);
}

TEST(Generator, SomeColumnsOfBytesHaveOneSign) {
  const std::vector<double> weights = Fill("--alg=VANILLA_GRU --cfg=u8u8u8u8 l1t1mb1sic300")[kWeightsLayer].ToDoubles();
  double lowest = 0, highest = 0;
  for (size_t column = 0; column < 3 * 300; ++column) {
    double sum = 0;
    for (size_t i = 0; i < 300; ++i) sum += weights[i * 3 * 300 + column];
    lowest = std::min(lowest, sum), highest = std::max(highest, sum);
  }
  EXPECT_EQ(lowest, 300 * -128);
  EXPECT_EQ(highest, 300 * 127);
}

TEST(Generator, SpecialDataHoldNanInfinityAndSubnormalsInOneInput) {
  const std::string words = "--alg=LBR_AUGRU --data=special --seed=";
  std::set<Tensor> holders;
  for (int seed = 1; seed <= 60; ++seed) {
    const TensorSet tensors = Fill(words + std::to_string(seed) + " l1t8mb16sic64");
    int holding = 0;
    for (const Tensor tensor : kForwardTensors) {
      int nan = 0, inf = 0, subnormal = 0;
      for (double v : tensors[tensor].ToDoubles()) {
        nan += std::isnan(v);
        inf += std::isinf(v);
        subnormal += v != 0 && std::fabs(v) < 1.17549435e-38;
      }
      if (nan + inf + subnormal == 0) continue;
      ++holding;
      holders.insert(tensor);
      if (tensor == kSrcLayer) {
        EXPECT_TRUE(nan > 0 && inf > 0 && subnormal > 0);
      }
    }
    EXPECT_LE(holding, 1) << seed;
  }
  for (const Tensor tensor : {kSrcLayer, kSrcIter, kAugruAttention, kWeightsLayer, kWeightsIter, kBias}) {
    EXPECT_EQ(holders.count(tensor), 1u) << ToString(tensor);
  }
}

double Largest(const TensorSet& tensors, Tensor tensor) {
  double largest = 0;
  for (double v : tensors[tensor].ToDoubles()) largest = std::max(largest, std::fabs(v));
  return largest;
}

// Proportional to the usual ones, so that the same seed has the same bounds.
TEST(Generator, SomeGradientsAndSomeInputsOfReluAreLarge) {
  int gradients = 0, inputs = 0;
  for (int seed = 2; seed < 34; ++seed) {
    const std::string words = "--seed=" + std::to_string(seed) + " l1t2mb3sic8";
    gradients += Largest(Fill("--prop=BWD_DW --alg=VANILLA_LSTM " + words), kDiffDstLayer) > 1e3;
    inputs += Largest(Fill("--alg=VANILLA_RNN --activation=RELU " + words), kSrcLayer) > 1e3;
    EXPECT_LT(Largest(Fill("--alg=VANILLA_RNN --activation=TANH " + words), kSrcLayer), 10);
    EXPECT_LT(Largest(Fill("--prop=BWD_DW --cfg=f16 " + words), kDiffDstLayer), 10);
  }
  EXPECT_GT(gradients, 8);
  EXPECT_GT(inputs, 8);
  EXPECT_LT(gradients + inputs, 48);
}

TEST(Generator, InfiniteWeightsMeetZeros) {
  int meetings = 0;
  for (int seed = 1; seed <= 30; ++seed) {
    const TensorSet tensors = Fill("--data=special --seed=" + std::to_string(seed) + " l1t1mb8sic64");
    for (size_t k = 0; k < 64; ++k) {
      bool is_infinite = false, is_zero = false;
      for (size_t j = 0; j < 64; ++j) is_infinite |= std::isinf(tensors[kWeightsLayer].Get(k * 64 + j));
      for (size_t n = 0; n < 8; ++n) is_zero |= tensors[kSrcLayer].Get(n * 64 + k) == 0;
      meetings += is_infinite && is_zero;
    }
  }
  EXPECT_GT(meetings, 10);
}

TEST(Generator, SpecialWeightsMeetAnAbsentState) {
  int specials = 0;
  for (int seed = 1; seed <= 30; ++seed) {
    const std::string words = "--alg=VANILLA_GRU --data=special --absent=src_iter --seed=" + std::to_string(seed);
    specials += Largest(Fill(words + " l1t1mb2sic64"), kWeightsIter) > 1e3;
  }
  EXPECT_GT(specials, 10);
}

TEST(Generator, TiesOfA16BitCellStateLieBetweenTwoNumbers) {
  for (const char* cfg : {"bf16", "f16"}) {
    const std::string words = std::string("--alg=VANILLA_LSTM --data=ties --cfg=") + cfg + " l1t1mb8sic64";
    const TensorSet tensors = Fill(words);
    const DataType type = tensors[kSrcIterC].type();
    int ties = 0;
    for (double c : tensors[kSrcIterC].ToDoubles()) {
      const double next = c + 1, stored = RoundToType(next, type);
      ties += stored != next && std::fabs((stored > next ? NextDown(stored, type) : NextUp(stored, type)) - next) ==
                                    std::fabs(stored - next);
    }
    EXPECT_GT(ties, 100) << cfg;
  }
}

TEST(Generator, SomeSpecialDataAreANanOfOnes) {
  const TensorSet tensors = Fill("--alg=VANILLA_LSTM --data=special --seed=3 l1t8mb16sic64");
  int ones = 0, others = 0;
  for (const Tensor tensor : kForwardTensors) {
    const TensorBuffer& buffer = tensors[tensor];
    for (size_t i = 0; i < buffer.size(); ++i) {
      if (!std::isnan(buffer.Get(i))) continue;
      uint32_t bits;
      std::memcpy(&bits, &buffer.bytes()[buffer.ByteOffset(i)], sizeof bits);
      ++(bits == ~uint32_t{0} ? ones : others);
    }
  }
  EXPECT_GT(ones, 0);
  EXPECT_GT(others, 0);
}

TEST(Generator, OverwrittenGradientsStartAsNanAndAccumulatedOnesDoNot) {
  EXPECT_TRUE(std::isnan(Fill("--prop=BWD_DW --flags=O sic4")[kDiffBias].Get(0)));
  const double initial = Fill("--prop=BWD_DW sic4")[kDiffBias].Get(0);
  EXPECT_TRUE(std::isfinite(initial) && initial != 0) << initial;
}

RC_GTEST_PROP(Generator, RandomProblemsAreValidAndReplay, ()) {
  const auto seed = *rc::gen::arbitrary<uint64_t>();
  const auto index = *rc::gen::inRange<uint64_t>(0, 1 << 20);
  const ProblemSpec spec = RandomProblem(ProblemScope(), seed, index);
  RC_ASSERT(ParseProblem(PrintProblem(spec)) == spec);
  ToRnnProblem(spec);
}

RC_GTEST_PROP(Generator, ShrunkProblemsAreSmallerOrPlainerAndMostlyValid, ()) {
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
TEST(Generator, RandomProblemsCoverEveryCellDirectionTypeAndDirection) {
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
TEST(Generator, RandomProblemsHaveEveryPairOfFeatures) {
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

// Whoever reads beyond the end of a row finds NaN there, and numbers before it.
TEST(Generator, DataBeyondTheEndOfARowAreNan) {
  for (const std::string alg : {"VANILLA_LSTM", "LBR_AUGRU"}) {
    const ProblemSpec spec = ParseProblem("--alg=" + alg + " --prop=BWD_DW --lengths=random l1t5mb7sic3");
    const RnnProblem problem = ToRnnProblem(spec);
    const TensorSet tensors = Fill(spec);
    for (const Tensor tensor : {kSrcLayer, kAugruAttention, kDiffDstLayer}) {
      if (!problem.Has(tensor)) continue;
      const size_t channels = static_cast<size_t>(problem.md[tensor].dims[2]);
      int beyond = 0;
      for (size_t i = 0; i < tensors[tensor].size(); ++i) {
        const size_t time = i / channels / 7, row = i / channels % 7;
        const bool ended = static_cast<double>(time) >= tensors[kSequenceLengths].Get(row);
        EXPECT_EQ(std::isnan(tensors[tensor].Get(i)), ended) << ToString(tensor) << " " << time << " " << row;
        beyond += ended;
      }
      EXPECT_GT(beyond, 0) << ToString(tensor);
    }
  }
}

// What a problem is without lengths does not depend on how often they are drawn.
TEST(Generator, LengthsAreDrawnBesideProblemsThatStayAsTheyAre) {
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
TEST(Generator, ByteWeightsAreDrawnBesideProblemsThatStayAsTheyAre) {
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

// Bugs begin at sizes that nobody would list. The full tier has as many problems.
TEST(Generator, RandomProblemsHaveAnySize) {
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
TEST(Generator, RandomProblemsReachLargeSizesOneAtATime) {
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
