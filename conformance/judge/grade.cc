#include "conformance/judge/grade.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

namespace tandem::conformance {
namespace {

// A sum of errors with random signs exceeds this many standard errors with a probability of at most 2 exp(-4^2 / 2), 7
// in 10,000 (Hoeffding, whatever their sizes); a report has some 200 such sums.
constexpr double kBiasLimit = 4;

// With enough problems every lean is significant. Values that are rounded correctly lean, too, as sigmoid near 1, which is
// rounded up: 41,000 problems of an LSTM in f32 on the reference lean by 0.06 of the root of their mean square, 11 standard
// errors. From 256 problems on only the size of the lean counts: a quarter of that root is the limit.
constexpr double kMostProblems = 256;

// A number of 128 bits has two halves, the upper and the lower 64 bits: 32-bit processors have no type for it.
using Wide = std::array<uint64_t, 2>;

Wide Sum(const Wide& a, const Wide& b) {
  const uint64_t lower = a[1] + b[1];
  return {a[0] + b[0] + (lower < b[1]), lower};
}

Wide Square(uint64_t x) {
  const uint64_t high = x >> 32, low = x & 0xffffffff;
  // This is (2^32 high + low)^2.
  return Sum({high * high + (high * low >> 31), high * low << 33}, {0, low * low});
}

double ToDouble(const Wide& x) { return std::ldexp(static_cast<double>(x[0]), 64) + static_cast<double>(x[1]); }

}  // namespace

void Measured::Add(Holds holds) {
  problems += holds != Holds::kUnknown;
  held += holds == Holds::kYes;
}

void Measured::Merge(const Measured& other) {
  problems += other.problems;
  held += other.held;
}

void Bias::Add(double sum_of_problem) {
  // A problem of more elements than this does not fit into memory.
  constexpr double kLargest = 0x1p40;
  const int64_t sample = std::llround(std::clamp(sum_of_problem, -kLargest, kLargest) / kUnit);
  sum_ += sample;
  squares_ = Sum(squares_, Square(static_cast<uint64_t>(std::abs(sample))));
}

void Bias::Merge(const Bias& other) {
  sum_ += other.sum_;
  squares_ = Sum(squares_, other.squares_);
}

double Bias::StandardErrors() const {
  const double squares = ToDouble(squares_);
  return squares > 0 ? static_cast<double>(sum_) / std::sqrt(squares) : 0;
}

Bias Bias::FromSums(int64_t sum, const std::array<uint64_t, 2>& squares) {
  Bias bias;
  bias.sum_ = sum;
  bias.squares_ = squares;
  return bias;
}

void CategorySummary::Add(const CheckedProblem& checked) {
  ++count[static_cast<int>(checked.outcome.verdict())];
  double problem_up = 0, problem_outward = 0;
  for (const TensorReport& row : checked.report.rows) {
    stats.Merge(row.stats);
    problem_up += row.stats.sum_up;
    problem_outward += row.stats.sum_outward;
  }
  up.Add(problem_up);
  outward.Add(problem_outward);
  for (size_t i = 0; i < kNumProperties; ++i) measured[i].Add(checked.quality.holds[i]);
}

void CategorySummary::Merge(const CategorySummary& other) {
  for (int i = 0; i < kNumVerdicts; ++i) count[i] += other.count[i];
  stats.Merge(other.stats);
  up.Merge(other.up);
  outward.Merge(other.outward);
  for (size_t i = 0; i < kNumProperties; ++i) measured[i].Merge(other.measured[i]);
}

double CategorySummary::StandardErrors(const Bias& bias) const {
  const uint64_t refused = count[static_cast<int>(Verdict::kNotSupported)];
  const auto problems = static_cast<double>(std::accumulate(count.begin(), count.end(), uint64_t{0}) - refused);
  return bias.StandardErrors() * std::sqrt(std::min(1., kMostProblems / problems));
}

double CategorySummary::WorstBias() const {
  const double a = StandardErrors(up), b = StandardErrors(outward);
  return std::fabs(a) > std::fabs(b) ? a : b;
}

bool CategorySummary::biased() const { return std::fabs(WorstBias()) > kBiasLimit; }

double CategorySummary::CorrectlyRoundedShare() const {
  const double judged = static_cast<double>(stats.ratio.count());
  return judged > 0 ? static_cast<double>(stats.correctly_rounded) / judged : 0;
}

char Grade(const CategorySummary& category) {
  const auto count = [&](Verdict v) { return category.count[static_cast<int>(v)]; };
  for (Verdict v : {Verdict::kFail, Verdict::kNondeterministic, Verdict::kTimeout, Verdict::kCrash}) {
    if (count(v) != 0) return 'F';
  }
  if (count(Verdict::kPass) + count(Verdict::kQualityWarning) == 0) return '-';
  if (count(Verdict::kQualityWarning) != 0 || category[Property::kDefaultBounds].lost()) return 'C';
  for (Property property : {Property::kStrictBounds, Property::kBatchInvariance, Property::kThreadDeterminism}) {
    if (category[property].lost() || category[property].problems == 0) return 'B';
  }
  return category.biased() ? 'B' : 'A';
}

}  // namespace tandem::conformance
