#include "conformance/judge/few_rows.h"

#include <algorithm>
#include <optional>

#include "conformance/problem/batch_rows.h"

namespace tandem::conformance {
namespace {

bool Contains(const std::vector<Dim>& rows, Dim row) { return std::find(rows.begin(), rows.end(), row) != rows.end(); }

// Reports elements of other rows that are not zero.
TensorReport OtherRows(const RnnProblem& problem, Tensor tensor, const TensorBuffer& got,
                       const std::vector<Dim>& rows) {
  TensorReport report;
  report.tensor = tensor;
  report.kind = CheckKind::kNonInterference;
  report.note = "a row without diff_dst has no gradient";
  std::optional<FailureCounter> failures;
  for (size_t i = 0; i < got.size(); ++i) {
    const Location where = Locate(problem, tensor, i);
    if (Contains(rows, where.n)) continue;
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
  report.where = failures->Pictures();
  report.outcome.Worsen(Verdict::kFail);
  return report;
}

}  // namespace

void KeepGradientsOf(const RnnProblem& problem, const std::vector<Dim>& rows, TensorSet* tensors) {
  for (const Tensor t : {kDiffDstLayer, kDiffDstIter, kDiffDstIterC}) {
    if (!problem.Has(t)) continue;
    TensorBuffer& buffer = (*tensors)[t];
    for (size_t i = 0; i < buffer.size(); ++i) {
      if (!Contains(rows, Locate(problem, t, i).n)) buffer.Set(i, 0);
    }
  }
}

ProblemReport CheckFewRows(const Execution& run, const std::vector<Dim>& rows, const Declaration& declared) {
  const RnnProblem few = WithBatch(run.problem, static_cast<Dim>(rows.size()));
  const TensorSet inputs = TakeGivenRows(few, run.inputs, rows), outputs = TakeGivenRows(few, run.outputs, rows);
  ProblemReport report = CheckBounds({few, inputs, outputs}, declared);
  for (const Tensor t : Outputs(run.problem)) {
    if (AxisOf(t, 'n') < 0) continue;
    TensorReport others = OtherRows(run.problem, t, run.outputs[t], rows);
    if (!others.outcome.ok()) report.Add(std::move(others));
  }
  return report;
}

}  // namespace tandem::conformance
