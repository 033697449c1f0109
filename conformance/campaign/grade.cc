#include "conformance/campaign/grade.h"

#include <cmath>

namespace tandem::conformance {
namespace {

// A sum of errors with random signs exceeds this many standard errors with a probability of at most 2 exp(-4^2 / 2), 7
// in 10,000 (Hoeffding, whatever their sizes); a report has some 200 such sums.
constexpr double kBiasLimit = 4;

}  // namespace

void Measured::Add(Holds holds) {
  problems += holds != Holds::kUnknown;
  held += holds == Holds::kYes;
}

void Bias::Add(double sum_of_problem) {
  sum += sum_of_problem;
  squares += sum_of_problem * sum_of_problem;
}

double Bias::StandardErrors() const { return squares > 0 ? sum / std::sqrt(squares) : 0; }

void GroupSummary::Add(const CheckedProblem& checked) {
  ++count[static_cast<int>(checked.outcome.verdict())];
  double problem_up = 0, problem_outward = 0;
  for (const TensorReport& row : checked.report.rows) {
    stats.Merge(row.stats);
    problem_up += row.stats.sum_up;
    problem_outward += row.stats.sum_outward;
  }
  up.Add(problem_up);
  outward.Add(problem_outward);
  strict_bounds.Add(checked.quality.strict_bounds);
  default_bounds.Add(checked.quality.default_bounds);
  batch_invariance.Add(checked.quality.batch_invariance);
  thread_determinism.Add(checked.quality.thread_determinism);
}

double GroupSummary::WorstBias() const {
  const double a = up.StandardErrors(), b = outward.StandardErrors();
  return std::fabs(a) > std::fabs(b) ? a : b;
}

bool GroupSummary::biased() const { return std::fabs(WorstBias()) > kBiasLimit; }

double GroupSummary::CorrectlyRoundedShare() const {
  const double judged = static_cast<double>(stats.ratio.count());
  return judged > 0 ? static_cast<double>(stats.correctly_rounded) / judged : 0;
}

char Grade(const GroupSummary& group) {
  const auto count = [&](Verdict v) { return group.count[static_cast<int>(v)]; };
  for (Verdict v : {Verdict::kFail, Verdict::kNondeterministic, Verdict::kTimeout, Verdict::kCrash}) {
    if (count(v) != 0) return 'F';
  }
  if (count(Verdict::kPass) + count(Verdict::kQualityWarning) == 0) return '-';
  if (count(Verdict::kQualityWarning) != 0 || group.default_bounds.lost()) return 'C';
  for (const Measured& property : {group.strict_bounds, group.batch_invariance, group.thread_determinism}) {
    if (property.lost() || property.problems == 0) return 'B';
  }
  return group.biased() ? 'B' : 'A';
}

}  // namespace tandem::conformance
