// Collects how far the elements of a tensor lie from the exact values, relative to the distance that is allowed.
#ifndef TANDEM_CONFORMANCE_JUDGE_VERDICT_ERROR_STATS_H_
#define TANDEM_CONFORMANCE_JUDGE_VERDICT_ERROR_STATS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tandem::conformance {

// |error| over what is allowed (ErrorRatio in compare.h) of many elements, on a logarithmic scale of 1/8 octave from
// 2^-32 to 2^8; mergeable.
class RatioHistogram {
 public:
  RatioHistogram() : bins_(kBins, 0) {}
  void Add(double ratio);
  void Merge(const RatioHistogram& other);
  uint64_t count() const { return count_; }
  double max() const { return max_; }
  // Makes it from `bins` as a report holds them.
  static RatioHistogram FromBins(const std::vector<uint64_t>& bins, double max);
  // Upper edge of the bin that holds the quantile; `p` in [0, 1]. 0 if empty.
  double Quantile(double p) const;
  const std::vector<uint64_t>& bins() const { return bins_; }
  static double UpperEdge(size_t bin);

 private:
  static constexpr size_t kBins = 1 + 40 * 8;
  std::vector<uint64_t> bins_;
  uint64_t count_ = 0;
  double max_ = 0;
};

struct ErrorStats {
  RatioHistogram ratio;  // of all elements that are judged, failing ones included: above 1, infinite for NaN
  uint64_t elements = 0;
  uint64_t vacuous = 0;            // bound above 2^-8 of the tensor's range
  uint64_t correctly_rounded = 0;  // of ratio.count()
  // Sums of the ratio with the error's sign, of the elements that pass: upwards, and away from zero.
  double sum_up = 0, sum_outward = 0;
  void Merge(const ErrorStats& other) {
    ratio.Merge(other.ratio);
    elements += other.elements;
    vacuous += other.vacuous;
    correctly_rounded += other.correctly_rounded;
    sum_up += other.sum_up;
    sum_outward += other.sum_outward;
  }
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_JUDGE_VERDICT_ERROR_STATS_H_
