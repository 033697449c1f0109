#include "conformance/judge/verdict/error_stats.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace tandem::conformance {
namespace {

size_t BinOf(double ratio) {
  RatioHistogram histogram;
  histogram.Add(ratio);
  const std::vector<uint64_t>& bins = histogram.bins();
  return static_cast<size_t>(std::find(bins.begin(), bins.end(), 1u) - bins.begin());
}

TEST(RatioHistogram, HasEightBinsInAnOctave) {
  const size_t last = RatioHistogram().bins().size() - 1;
  for (size_t bin = 1; bin <= last; ++bin) {
    const double upper = RatioHistogram::UpperEdge(bin), lower = upper * std::exp2(-0.125);
    EXPECT_EQ(BinOf(upper * 0.999), bin);
    EXPECT_EQ(BinOf(lower * 1.001), bin);
  }
  EXPECT_EQ(BinOf(0), 0u);
  EXPECT_EQ(BinOf(0x1p-40), 0u);
  // Powers of two are edges that doubles hold.
  EXPECT_EQ(BinOf(0x1p-32), 1u);
  EXPECT_EQ(BinOf(1), 1 + 32 * 8u);
  EXPECT_EQ(BinOf(std::nextafter(1., 0.)), 32 * 8u);
  EXPECT_EQ(BinOf(1000), last);
  EXPECT_EQ(BinOf(HUGE_VAL), last);
}

// Ratios of 0 have a bin of their own, which counts.
TEST(RatioHistogram, CountsZerosInItsQuantiles) {
  RatioHistogram histogram;
  EXPECT_EQ(histogram.Quantile(0.5), 0);
  for (int i = 0; i < 60; ++i) histogram.Add(0);
  EXPECT_EQ(histogram.Quantile(1), 0);
  for (int i = 0; i < 40; ++i) histogram.Add(0.75);
  EXPECT_EQ(histogram.count(), 100u);
  EXPECT_EQ(histogram.Quantile(0.5), 0);
  EXPECT_EQ(histogram.Quantile(0.6), 0);
  EXPECT_EQ(histogram.Quantile(0.61), 0.75);
  EXPECT_EQ(histogram.Quantile(0.9), 0.75);
  histogram.Add(2);
  EXPECT_GT(histogram.Quantile(0.99), 0.75);
  EXPECT_LT(histogram.Quantile(0.99), 0.75 * 1.1);
  EXPECT_EQ(histogram.Quantile(1), 2);
}

}  // namespace
}  // namespace tandem::conformance
