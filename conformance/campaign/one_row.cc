#include "conformance/campaign/one_row.h"

#include <optional>

#include "conformance/problem/batch_rows.h"

namespace tandem::conformance {
namespace {

// Elements of other rows that are not zero.
TensorReport OtherRows(const RnnProblem& problem, Tensor tensor, const TensorBuffer& got, Dim row) {
  TensorReport report;
  report.tensor = tensor;
  report.kind = CheckKind::kNonInterference;
  report.note = "a row without diff_dst has no gradient";
  std::optional<FailureCounter> failures;
  for (size_t i = 0; i < got.size(); ++i) {
    const Location where = Locate(problem, tensor, i);
    if (where.n == row) continue;
    ++report.stats.elements;
    if (got.Get(i) == 0) continue;
    ++report.failures;
    if (!failures.has_value()) failures.emplace(problem, tensor);
    failures->Add(i);
    if (report.has_departure && !Precedes(problem, where, report.first)) continue;
    report.has_departure = true;
    report.first = where;
    report.got = got.Get(i);
  }
  if (!failures.has_value()) return report;
  report.where = failures->Picture();
  report.outcome.Worsen(Verdict::kFail);
  return report;
}

}  // namespace

void KeepGradientOf(const RnnProblem& problem, Dim row, TensorSet* tensors) {
  for (const Tensor t : {kDiffDstLayer, kDiffDstIter, kDiffDstIterC}) {
    if (!problem.Has(t)) continue;
    TensorBuffer& buffer = (*tensors)[t];
    for (size_t i = 0; i < buffer.size(); ++i) {
      if (Locate(problem, t, i).n != row) buffer.Set(i, 0);
    }
  }
}

ProblemReport CheckOneRow(const Execution& run, Dim row, const Profile& profile) {
  const RnnProblem one = WithOneRow(run.problem);
  const TensorSet inputs = TakeOneRow(one, run.inputs, row), outputs = TakeOneRow(one, run.outputs, row);
  ProblemReport report = CheckBounds({one, inputs, outputs}, profile);
  for (const Tensor t : Outputs(run.problem)) {
    if (AxisOf(t, 'n') < 0) continue;
    TensorReport others = OtherRows(run.problem, t, run.outputs[t], row);
    if (!others.outcome.ok()) report.Add(std::move(others));
  }
  return report;
}

}  // namespace tandem::conformance
