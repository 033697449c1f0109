#include "conformance/cli/bench/rounds.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tandem::conformance {
namespace {

// The turns are microseconds; the fastest execution is as fast as the fastest turn.
Timing Turns(std::vector<double> seconds) {
  Timing timing;
  if (!seconds.empty()) timing.min_seconds = *std::min_element(seconds.begin(), seconds.end());
  timing.turn_seconds = std::move(seconds);
  return timing;
}

TEST(Rounds, OfAQuietMachineSayOneThing) {
  const RoundRatio ratio = CompareRounds(Turns({10, 10.1, 10, 9.9, 10}), Turns({15, 15, 15.1, 15, 14.9}));
  EXPECT_NEAR(ratio.ratio, 1.5, 0.02);
  EXPECT_GT(ratio.low, 1.47);
  EXPECT_LT(ratio.high, 1.53);
  EXPECT_EQ(ratio.rounds, RoundsSay::kOneThing);
}

// Another process slows both implementations in three of five rounds. The ratio of the medians would be 20 by 10.
TEST(Rounds, ThatAreSlowForBothKeepTheirRatio) {
  const RoundRatio ratio = CompareRounds(Turns({10, 10, 20, 20, 20}), Turns({10.5, 10.5, 21, 21, 21}));
  EXPECT_NEAR(ratio.ratio, 1.05, 1e-12);
  EXPECT_EQ(ratio.rounds, RoundsSay::kOneThing);
}

// Another process slows one implementation more: medians say 0.59, minima 1.07.
TEST(Rounds, ThatDisagreeByMoreThanTheDifferenceAreDisturbed) {
  const RoundRatio ratio =
      CompareRounds(Turns({10, 10, 18, 18.1, 18, 18.2, 18}), Turns({10.7, 10.7, 10.7, 10.7, 10.7, 10.7, 10.7}));
  EXPECT_NEAR(ratio.ratio, 0.594, 0.001);
  EXPECT_LT(ratio.low, 0.6);
  EXPECT_GT(ratio.high, 1);
  EXPECT_EQ(ratio.rounds, RoundsSay::kDisturbed);
}

// Another process slows one implementation in all rounds, but its fastest execution is not disturbed.
TEST(Rounds, WhoseFastestExecutionsDisagreeAreDisturbed) {
  Timing own = Turns({18, 18, 18, 18, 18});
  const Timing other = Turns({10.7, 10.7, 10.7, 10.7, 10.7});
  EXPECT_EQ(CompareRounds(own, other).rounds, RoundsSay::kOneThing);
  own.min_seconds = 10;
  EXPECT_EQ(CompareRounds(own, other).rounds, RoundsSay::kDisturbed);
}

TEST(Rounds, OfEqualImplementationsMayDifferByNoise) {
  EXPECT_EQ(CompareRounds(Turns({10, 10.2, 10.1}), Turns({10.1, 10, 10.2})).rounds, RoundsSay::kOneThing);
  EXPECT_EQ(CompareRounds(Turns({10, 10, 10}), Turns({10, 10, 12})).rounds, RoundsSay::kDisturbed);
}

// The median has an interval of 95 %. It ends at the fourth smallest and largest of 15 rounds; of five rounds it has all.
TEST(Rounds, ManyLeaveTheOutermostOut) {
  std::vector<double> own(15, 1.), other;
  for (int i = 1; i <= 15; ++i) other.push_back(100 + i);
  const RoundRatio many = CompareRounds(Turns(own), Turns(other));
  EXPECT_EQ(many.ratio, 108);
  EXPECT_EQ(many.low, 104);
  EXPECT_EQ(many.high, 112);
  other.resize(5), own.resize(5);
  const RoundRatio few = CompareRounds(Turns(own), Turns(other));
  EXPECT_EQ(few.low, 101);
  EXPECT_EQ(few.high, 105);
  other.resize(6), own.resize(6);
  EXPECT_EQ(CompareRounds(Turns(own), Turns(other)).low, 101);
  other = {101, 102, 103, 104, 105, 106, 107, 108, 109};
  own.assign(9, 1.);
  EXPECT_EQ(CompareRounds(Turns(own), Turns(other)).low, 102);
}

TEST(Rounds, WithoutATurnHaveNoRatio) {
  EXPECT_TRUE(std::isnan(CompareRounds(Turns({}), Turns({1})).ratio));
  EXPECT_EQ(CompareRounds(Turns({}), Turns({1})).rounds, RoundsSay::kOneThing);
}

}  // namespace
}  // namespace tandem::conformance
