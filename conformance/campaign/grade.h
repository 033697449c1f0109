// What is kept of all problems of one cell, propagation and configuration, and the letter for it.
#ifndef TANDEM_CONFORMANCE_CAMPAIGN_GRADE_H_
#define TANDEM_CONFORMANCE_CAMPAIGN_GRADE_H_

#include <array>
#include <cstdint>

#include "conformance/campaign/check.h"

namespace tandem::conformance {

constexpr int kNumVerdicts = 8;

// In how many of the problems on which a property was measured it holds.
struct Measured {
  uint64_t problems = 0, held = 0;
  void Add(Holds holds);
  bool lost() const { return held < problems; }
};

// Do errors lean to one side? Arm's TOSA compares the sum of all errors with 2 sqrt(their number) units. Here errors
// within one problem depend on each other (one weight enters many elements), so that the problem is what is counted:
// its sum of signed ratios against the root of the sum of the squares of such sums.
struct Bias {
  double sum = 0, squares = 0;
  void Add(double sum_of_problem);
  // In standard errors; 0 without data.
  double StandardErrors() const;
};

struct GroupSummary {
  std::array<uint64_t, kNumVerdicts> count{};
  ErrorStats stats;
  Bias up, outward;
  Measured strict_bounds, default_bounds, batch_invariance, thread_determinism;

  void Add(const CheckedProblem& checked);
  // The larger one of the two, in standard errors.
  double WorstBias() const;
  bool biased() const;
  // Of the elements that were judged, the share that equals the oracle's value rounded once.
  double CorrectlyRoundedShare() const;
};

// A: within the strict bounds, unbiased, a row alone has the bits of the batch, any number of threads gives the same
//    bits; each of these was measured at least once.
// B: within the bounds.
// C: within them only with what its description adds (inaccurate activations, unrounded states, lost NaN), or with
//    quality warnings.
// F: not. '-': nothing was judged.
char Grade(const GroupSummary& group);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CAMPAIGN_GRADE_H_
