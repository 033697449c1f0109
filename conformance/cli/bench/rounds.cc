#include "conformance/cli/bench/rounds.h"

#include <algorithm>
#include <cstddef>

namespace tandem::conformance {
namespace {

// Rounds of a quiet machine differ by less, also if two implementations are equally fast.
constexpr double kQuiet = 1.1;

// The interval of the median at 95 % leaves out this many of the smallest of n samples, and as many of the largest. It is the
// largest k with 2 P(B < k) <= 5 %, where B counts heads of n coins.
size_t OutsideOfInterval(size_t n) {
  double term = std::pow(0.5, static_cast<double>(n)), below = 0;
  size_t k = 0;
  for (; k < n; ++k) {
    below += term;
    if (2 * below > 0.05) break;
    term *= static_cast<double>(n - k) / static_cast<double>(k + 1);
  }
  // The k-th smallest itself is the end of the interval.
  return k == 0 ? 0 : k - 1;
}

double MedianOfSorted(const std::vector<double>& sorted) {
  const size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : std::sqrt(sorted[half - 1] * sorted[half]);
}

}  // namespace

RoundRatio CompareRounds(const Timing& own, const Timing& other) {
  std::vector<double> ratios;
  for (size_t i = 0; i < std::min(own.turn_seconds.size(), other.turn_seconds.size()); ++i) {
    ratios.push_back(other.turn_seconds[i] / own.turn_seconds[i]);
  }
  RoundRatio result;
  if (ratios.empty()) return result;
  std::sort(ratios.begin(), ratios.end());
  const size_t outside = OutsideOfInterval(ratios.size());
  result.ratio = MedianOfSorted(ratios);
  result.low = ratios[outside];
  result.high = ratios[ratios.size() - 1 - outside];
  const double fastest = other.min_seconds / own.min_seconds;
  const double disagreement = std::max(result.high, fastest) / std::min(result.low, fastest);
  const double difference = std::max(result.ratio, 1 / result.ratio);
  if (disagreement > std::max(difference, kQuiet)) result.rounds = RoundsSay::kDisturbed;
  return result;
}

}  // namespace tandem::conformance
