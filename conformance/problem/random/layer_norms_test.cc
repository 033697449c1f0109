#include "conformance/problem/layer_norms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "conformance/problem/generator.h"
#include "conformance/problem/problem_notation.h"
#include "conformance/problem/random/random_problem.h"

namespace tandem::conformance {
namespace {

TEST(LayerNorms, HaveWords) {
  for (const char* words : {"sum", "parts", "parts:row", "parts:row:state", "sum:gate:output", "none:gate:state"}) {
    const ProblemSpec spec = ParseProblem(std::string("--alg=VANILLA_LSTM --norm=") + words + " l1t1mb1sic4");
    EXPECT_EQ(LayerNormText(spec), words);
    EXPECT_EQ(ParseProblem(PrintProblem(spec)), spec);
  }
  EXPECT_EQ(LayerNormText(ProblemSpec()), "none");
  ProblemSpec spec;
  for (const char* words :
       {"", "both", "sum:", "sum:rows", "sum:gate:all", "sum:gate:none:", "sum:gate:none:1", "Sum"}) {
    EXPECT_FALSE(SetLayerNorm(words, &spec)) << words;
  }
  EXPECT_EQ(ParseProblem("--norm-epsilon=0.25 --norm=sum l1t1mb1sic4").norm.epsilon, 0.25f);
}

// Those with a norm are new problems, the others are those of a scope without.
TEST(LayerNorms, AreAShareThatLeavesOtherProblems) {
  ProblemScope with, without;
  with.norms_one_in = 12;
  uint64_t normalized = 0;
  for (uint64_t i = 0; i < 1200; ++i) {
    const ProblemSpec spec = RandomProblem(with, 3, i);
    if (!spec.norm.given()) {
      EXPECT_EQ(spec, RandomProblem(without, 3, i)) << i;
      continue;
    }
    ++normalized;
    EXPECT_TRUE(ToRnnProblem(spec).Has(kNormGain));
  }
  // A hundred groups of twelve, of which six in sixteen types are bytes, and others have no norms either.
  EXPECT_GE(normalized, 20u);
  EXPECT_LE(normalized, 100u);
}

TEST(LayerNorms, AllOfThemAreDrawn) {
  ProblemScope scope;
  scope.norms_one_in = 1;
  scope.configs = {Config::kF32};
  std::set<std::string> found;
  for (uint64_t i = 0; i < 1500; ++i) found.insert(LayerNormText(RandomProblem(scope, 5, i)));
  for (const char* kind : {"sum", "parts"}) {
    for (const char* scope_and_cell : {"", ":row", ":gate:output", ":gate:state", ":row:output", ":row:state"}) {
      EXPECT_EQ(found.count(std::string(kind) + scope_and_cell), 1u) << kind << scope_and_cell;
    }
  }
  EXPECT_EQ(found.count("none:gate:output") + found.count("none:row:output"), 2u);
}

// Mean and spread of what a gate's channels get from one input.
TEST(LayerNorms, DataHaveNoVarianceOrLargeMeans) {
  ProblemSpec spec = ParseProblem("--alg=VANILLA_LSTM --norm=parts l1t1mb32slc4dhc16sic16");
  int no_variance = 0, large_mean = 0, zero_rows = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    spec.seed = seed;
    const RnnProblem problem = ToRnnProblem(spec);
    TensorSet inputs(problem);
    FillInputs(spec, problem, &inputs);
    const TensorBuffer& w = inputs[kWeightsLayer];
    for (size_t gate = 0; gate < 4; ++gate) {
      double sum = 0, low = HUGE_VAL, high = -HUGE_VAL;
      for (size_t o = 0; o < 16; ++o) {
        const double value = w.Get(gate * 16 + o);
        sum += value, low = std::min(low, value), high = std::max(high, value);
      }
      no_variance += low == high;
      large_mean += low != high && std::fabs(sum / 16) > 8 * (high - low);
    }
    for (size_t n = 0; n < 32; ++n) zero_rows += inputs[kSrcLayer].Get(n * 4) == 0;
  }
  EXPECT_GE(no_variance, 3);  // one in eight of 80
  EXPECT_GE(large_mean, 4);   // a part of one in four
  EXPECT_GE(zero_rows, 40);   // one in eight of 640
  EXPECT_LE(zero_rows, 160);
}

TEST(LayerNorms, AreLeftOutWhereAFailureStaysWithoutThem) {
  const ProblemSpec spec = ParseProblem("--alg=VANILLA_LSTM --norm=parts:row:state l1t1mb1sic4");
  const std::vector<ProblemSpec> simpler = ShrinkCandidates(spec);
  const auto has = [&](const char* words) {
    return std::any_of(simpler.begin(), simpler.end(), [&](const ProblemSpec& s) { return LayerNormText(s) == words; });
  };
  EXPECT_TRUE(has("none"));
  EXPECT_TRUE(has("parts:gate:state"));
  EXPECT_TRUE(has("parts:row"));
}

}  // namespace
}  // namespace tandem::conformance
