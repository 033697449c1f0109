#include "conformance/judgement/error_stats.h"

#include <algorithm>
#include <cmath>

namespace tandem::conformance {
namespace {

constexpr int kBinsPerOctave = 8;
constexpr int kLowestExponent = -32;

}  // namespace

void RatioHistogram::Add(double ratio) {
  size_t bin = 0;
  if (ratio == HUGE_VAL) {
    bin = kBins - 1;
  } else if (ratio > 0) {
    const double position = (std::log2(ratio) - kLowestExponent) * kBinsPerOctave;
    bin = static_cast<size_t>(std::clamp(std::floor(position) + 1, 0., static_cast<double>(kBins - 1)));
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

void ErrorStats::Merge(const ErrorStats& other) {
  ratio.Merge(other.ratio);
  elements += other.elements;
  vacuous += other.vacuous;
  correctly_rounded += other.correctly_rounded;
  sum_up += other.sum_up;
  sum_outward += other.sum_outward;
}

}  // namespace tandem::conformance
