#include "conformance/judge/pace/pace.h"

#include <gtest/gtest.h>

namespace tandem::conformance {
namespace {

TEST(Pace, IsNotKnownBeforeTheFirstProblem) {
  const Pace pace;
  EXPECT_FALSE(pace.IsKnown());
  EXPECT_EQ(pace.SecondsOf({1e9, 1e9}), 0);
}

// The judge does 100 million operations a second; the implementation 1 million, and it takes 2 ms to start.
TEST(Pace, IsThatOfTheProblemsBefore) {
  Pace pace;
  pace.Add({1e6, 0}, {0.010, 0.002});
  pace.Add({2e6, 4e6}, {0.020, 4.002});
  pace.Add({3e6, 2e6}, {0.030, 2.002});
  EXPECT_TRUE(pace.IsKnown());
  EXPECT_NEAR(pace.SecondsOf({1e6, 0}), 0.012, 1e-12);
  EXPECT_NEAR(pace.SecondsOf({1e7, 0}), 0.102, 1e-12);
  EXPECT_NEAR(pace.SecondsOf({1e6, 86e6}), 86.012, 1e-9);
}

TEST(Pace, OfOneProblemIsTheTimeOfItsImplementation) {
  Pace pace;
  pace.Add({1e6, 1e6}, {0.5, 0.25});
  EXPECT_EQ(pace.SecondsOf({2e6, 1e9}), 1.25);
}

}  // namespace
}  // namespace tandem::conformance
