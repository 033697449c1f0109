#include "conformance/cli/bench/divisions.h"

#include <gtest/gtest.h>

#include <cmath>

#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {
namespace {

std::vector<std::string> Words(const std::string& problem, int threads) {
  std::vector<std::string> words;
  for (const DivisionOfWork& division : DivisionsOf(ParseProblem(problem), threads)) {
    words.push_back(division.ToString());
  }
  return words;
}

using List = std::vector<std::string>;

TEST(Divisions, AreAllProductsThatTheProblemHasPartsFor) {
  EXPECT_EQ(Words("--alg=VANILLA_LSTM l1t3mb2sic64", 2), (List{"1x1x1", "1x1x2", "1x2x1"}));
  EXPECT_EQ(Words("--alg=VANILLA_LSTM l1t3mb1sic64", 4), (List{"1x1x1", "1x1x2", "1x1x4"}));
  EXPECT_EQ(Words("--alg=VANILLA_LSTM --direction=sum l1t3mb2sic64", 4),
            (List{"1x1x1", "1x1x2", "1x2x1", "2x1x1", "1x1x4", "1x2x2", "2x1x2", "2x2x1"}));
}

TEST(Divisions, TakeThreadsThatAreNoPowerOfTwo) {
  EXPECT_EQ(Words("--alg=VANILLA_LSTM l1t3mb8sic64", 3), (List{"1x1x1", "1x1x2", "1x2x1", "1x1x3", "1x3x1"}));
}

TEST(Divisions, OfBackwardDifferInThreadsOnly) {
  EXPECT_EQ(Words("--alg=VANILLA_LSTM --prop=BWD_DW --direction=sum l1t3mb2sic64", 4),
            (List{"1x1x1", "1x1x2", "1x1x4"}));
}

TEST(Divisions, CompareTheChosenOneWithTheBest) {
  DivisionTimings timings;
  timings.chosen.min_seconds = 3;
  EXPECT_TRUE(std::isnan(timings.ChosenToBest()));
  for (const double seconds : {4., 2., 5.}) {
    timings.tried.emplace_back();
    timings.tried.back().min_seconds = seconds;
  }
  EXPECT_EQ(timings.ChosenToBest(), 1.5);
  timings.tried[1].refused = "not served";
  EXPECT_EQ(timings.ChosenToBest(), 0.75);
}

}  // namespace
}  // namespace tandem::conformance
