#include "conformance/judge/verdict/error_stats.h"

#include <algorithm>
#include <cmath>

namespace tandem::conformance {
namespace {

constexpr int kBinsPerOctave = 8;
constexpr int kLowestExponent = -32;

// The bin of a ratio above 0, by its exponent and the number of eighths of an octave that its mantissa has passed.
// Bins hold their lower edge.
int BinOf(double ratio) {
  // 2^(k/8) for k = 1 to 7.
  constexpr double kEdges[] = {1.0905077326652577, 1.189207115002721, 1.2968395546510096, 1.4142135623730951,
                               1.5422108254079407, 1.681792830507429, 1.8340080864093424};
  int exponent = 0;
  const double mantissa = 2 * std::frexp(ratio, &exponent);
  int bin = (exponent - 1 - kLowestExponent) * kBinsPerOctave + 1;
  for (const double edge : kEdges) bin += mantissa >= edge;
  return bin;
}

}  // namespace

void RatioHistogram::Add(double ratio) {
  size_t bin = 0;
  if (ratio == HUGE_VAL) {
    bin = kBins - 1;
  } else if (ratio > 0) {
    bin = static_cast<size_t>(std::clamp(BinOf(ratio), 0, static_cast<int>(kBins) - 1));
  }
  ++bins_[bin];
  ++count_;
  max_ = std::max(max_, ratio);
}

void RatioHistogram::Merge(const RatioHistogram& other) {
  for (size_t i = 0; i < kBins; ++i) bins_[i] += other.bins_[i];
  count_ += other.count_;
  max_ = std::max(max_, other.max_);
}

RatioHistogram RatioHistogram::FromBins(const std::vector<uint64_t>& bins, double max) {
  RatioHistogram histogram;
  for (size_t i = 0; i < std::min(kBins, bins.size()); ++i) {
    histogram.bins_[i] = bins[i];
    histogram.count_ += bins[i];
  }
  histogram.max_ = max;
  return histogram;
}

double RatioHistogram::UpperEdge(size_t bin) {
  return bin == 0 ? 0 : std::exp2(kLowestExponent + static_cast<double>(bin) / kBinsPerOctave);
}

double RatioHistogram::Quantile(double p) const {
  const double target = p * static_cast<double>(count_);
  uint64_t seen = 0;
  for (size_t i = 0; i < kBins; ++i) {
    seen += bins_[i];
    if (seen > 0 && static_cast<double>(seen) >= target) return std::min(UpperEdge(i), max_);
  }
  return 0;
}

}  // namespace tandem::conformance
