// These are results summed over all problems of one cell, propagation and configuration, and the grade for them.
#ifndef TANDEM_CONFORMANCE_JUDGE_GRADE_H_
#define TANDEM_CONFORMANCE_JUDGE_GRADE_H_

#include <array>
#include <cstdint>

#include "conformance/judge/check.h"

namespace tandem::conformance {

// A property was measured on `problems` problems, and `held` of them have it.
struct Measured {
  uint64_t problems = 0, held = 0;
  void Add(Holds holds);
  void Merge(const Measured& other);
  bool lost() const { return held < problems; }
};

// This class finds out whether errors are biased. Arm's TOSA compares the sum of all errors with 2 sqrt(their number) units.
// Here errors within one problem depend on each other (one weight enters many elements), so one problem is one sample: the sum
// of its signed ratios. The sum of all samples is compared with the root of the sum of their squares. Both sums are exact, of
// samples rounded to multiples of kUnit, so that they do not depend on the order of the problems or on which machine ran them.
class Bias {
 public:
  static constexpr double kUnit = 0x1p-20;
  void Add(double sum_of_problem);
  void Merge(const Bias& other);
  // The result is in standard errors; 0 without data.
  double StandardErrors() const;

  // The first sums the samples, in kUnit. The second sums their squares, in kUnit^2: the upper and the lower 64 bits.
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
  std::array<Measured, kNumProperties> measured;  // the index is a Property

  void Add(const CheckedProblem& checked);
  void Merge(const CategorySummary& other);
  const Measured& operator[](Property property) const { return measured.at(static_cast<size_t>(property)); }
  // Returns the bias of `up` or `outward` in standard errors, of 256 problems if there are more: a smaller lean is none.
  double StandardErrors(const Bias& bias) const;
  // Returns the one with the larger magnitude.
  double WorstBias() const;
  bool biased() const;
  // Returns the share of the judged elements that equal the oracle's value rounded once.
  double CorrectlyRoundedShare() const;
};

// A: results are within the strict bounds and unbiased; a row alone has the bits that it has in the batch; any number of
// threads gives the same bits. Each of these was measured at least once.
// B: results are within the bounds.
// C: results are within the bounds only with the errors that the description declares (inaccurate activations, unrounded
//   states, lost NaN), or there are quality warnings.
// F: results are outside the bounds. '-': nothing was judged.
char Grade(const CategorySummary& category);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_JUDGE_GRADE_H_
