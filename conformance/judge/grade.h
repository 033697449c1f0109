// Results summed over all problems of one cell, propagation and configuration, and the grade for them.
#ifndef TANDEM_CONFORMANCE_JUDGE_GRADE_H_
#define TANDEM_CONFORMANCE_JUDGE_GRADE_H_

#include <array>
#include <cstdint>

#include "conformance/judge/check.h"

namespace tandem::conformance {

// On how many problems a property was measured, and on how many of them it holds.
struct Measured {
  uint64_t problems = 0, held = 0;
  void Add(Holds holds);
  void Merge(const Measured& other);
  bool lost() const { return held < problems; }
};

// Whether errors are biased. Arm's TOSA compares the sum of all errors with 2 sqrt(their number) units. Here errors
// within one problem depend on each other (one weight enters many elements), so one problem is one sample: the sum of
// its signed ratios. The sum of all samples is compared with the root of the sum of their squares.
// Both sums are exact, of samples rounded to multiples of kUnit, so that they do not depend on the order of the problems
// or on which machine ran them.
class Bias {
 public:
  static constexpr double kUnit = 0x1p-20;
  void Add(double sum_of_problem);
  void Merge(const Bias& other);
  // In standard errors; 0 without data.
  double StandardErrors() const;

  // Of the samples, in kUnit, and of their squares, in kUnit^2: the upper and the lower 64 bits.
  int64_t sum() const { return sum_; }
  std::array<uint64_t, 2> squares() const { return squares_; }
  static Bias FromSums(int64_t sum, const std::array<uint64_t, 2>& squares);

 private:
  int64_t sum_ = 0;
  std::array<uint64_t, 2> squares_{};
};

struct CategorySummary {
  std::array<uint64_t, kNumVerdicts> count{};
  ErrorStats stats;
  Bias up, outward;
  std::array<Measured, kNumProperties> measured;  // by Property

  void Add(const CheckedProblem& checked);
  void Merge(const CategorySummary& other);
  const Measured& operator[](Property property) const { return measured.at(static_cast<size_t>(property)); }
  // Of `up` or `outward`, in standard errors of 256 problems if there are more: a lean that only more would show is none.
  double StandardErrors(const Bias& bias) const;
  // The one with the larger magnitude.
  double WorstBias() const;
  bool biased() const;
  // Of the elements that were judged, the share that equals the oracle's value rounded once.
  double CorrectlyRoundedShare() const;
};

// A: within the strict bounds, unbiased, a row alone has the bits that it has in the batch, any number of threads gives
//    the same bits; each of these was measured at least once.
// B: within the bounds.
// C: within the bounds only with the errors that its description declares (inaccurate activations, unrounded states,
//    lost NaN), or with quality warnings.
// F: outside the bounds. '-': nothing was judged.
char Grade(const CategorySummary& category);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_JUDGE_GRADE_H_
