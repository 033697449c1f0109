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

}  // namespace
}  // namespace tandem::conformance
