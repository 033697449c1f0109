#include "conformance/judge/quality.h"

#include <cmath>
#include <cstring>

#include "conformance/judge/verdict/check_bounds.h"
#include "conformance/problem/base/format.h"
#include "conformance/problem/batch_rows.h"

namespace tandem::conformance {
namespace {

Holds ToHolds(bool holds) { return holds ? Holds::kYes : Holds::kNo; }

Declaration StrictDeclaration() {
  Declaration strict;
  strict.sigmoid_ulp = strict.tanh_ulp = 2;
  strict.typical_growth = 6;
  return strict;
}

bool IsWithin(const Declaration& declared, const CheckInput& in) {
  return CheckBounds({in.problem, in.inputs, in.outputs}, declared).outcome.verdict() < Verdict::kFail;
}

class Measurement {
 public:
  Measurement(const Plugin& plugin, const RunOptions& run, const CheckInput& in)
      : plugin_(plugin), run_(run), in_(in) {}

  void Bounds() {
    report_[Property::kStrictBounds] = ToHolds(IsWithin(StrictDeclaration(), in_));
    // If the description adds nothing, the judge has already looked.
    const bool judged =
        in_.bounds != nullptr && !Adds(in_.declared, in_.problem) && in_.declared.nan == NanPolicy::kIeee;
    report_[Property::kDefaultBounds] =
        ToHolds(judged ? in_.bounds->outcome.verdict() < Verdict::kFail : IsWithin(Declaration(), in_));
  }

  void Threads() {
    bool same = true;
    // 0 leaves the number to the implementation. It comes first, because some keep a limit that was once set.
    for (const std::array<int, 2>& threads : {std::array<int, 2>{1, 2}, std::array<int, 2>{0, 3}}) {
      RunOptions run = run_;
      run.threads = threads;
      TensorSet outputs = in_.inputs, second = in_.inputs;
      run.second_outputs = &second;
      // Other bits with another number of threads are admissible; each of the two results is judged below.
      run.other_bits = OtherBits::kAllowed;
      const ExecutionReport execution = RunIsolated(plugin_, in_.problem, run, &outputs);
      const std::string with = "with up to " + std::to_string(threads[1]) + " threads: ";
      if (!execution.outcome.ok()) {
        return Complain(execution.outcome.verdict(), execution.finding, with + execution.message);
      }
      for (const TensorSet* got : {&outputs, &second}) {
        if (HasBitsOf(*got)) continue;
        same = false;
        JudgeByBounds(in_.problem, in_.inputs, *got, with);
      }
    }
    report_[Property::kThreadDeterminism] = ToHolds(same);
    if (!same && plugin_.claims_thread_determinism) {
      BreakClaim("another number of threads");
    }
  }

  void RowAlone(Dim row) {
    if (in_.problem.mb < 2) return;
    const RnnProblem one = WithOneRow(in_.problem);
    const TensorSet inputs = TakeOneRow(one, in_.inputs, row);
    const TensorSet expected = TakeOneRow(one, in_.outputs, row);
    TensorSet outputs = inputs;
    const RunResult result = in_.implementation(one, &outputs);
    const std::string alone = "row " + std::to_string(row) + " alone";
    if (result.status == RunStatus::kNotSupported) return;
    if (result.status != RunStatus::kOk) {
      return Complain(VerdictOf(result.status), Finding::kNone, alone + ": " + result.message);
    }
    bool same = true;
    for (const Tensor t : Outputs(one)) {
      // Gradients of weights sum over the batch.
      if (AxisOf(t, 'n') < 0) continue;
      for (size_t i = 0; i < outputs[t].size(); ++i) same = same && SameBits(outputs[t], i, expected[t], i);
    }
    report_[Property::kBatchInvariance] = ToHolds(same);
    if (same) return;
    JudgeByBounds(one, inputs, outputs, alone + ": ");
    if (plugin_.claims_batch_invariance) BreakClaim(alone);
  }

  QualityReport Finish() { return std::move(report_); }

 private:
  bool HasBitsOf(const TensorSet& outputs) const {
    for (const Tensor t : Outputs(in_.problem)) {
      for (size_t i = 0; i < outputs[t].size(); ++i) {
        if (!SameBits(outputs[t], i, in_.outputs[t], i)) return false;
      }
    }
    return true;
  }

  void JudgeByBounds(const RnnProblem& problem, TensorSet inputs, const TensorSet& outputs, const std::string& when) {
    if (problem.IsBackward()) TakeForwardOutputs(outputs, &inputs);
    const ProblemReport bounds = CheckBounds({problem, inputs, outputs}, in_.declared);
    for (const TensorReport& row : bounds.rows) {
      if (row.outcome.verdict() < Verdict::kFail) continue;
      Complain(Verdict::kFail, Finding::kNone, when + ToString(row, problem.cell));
      report_.failing_rows.push_back(row);
    }
  }

  void BreakClaim(const std::string& where) {
    Complain(VerdictOf(Finding::kClaim), Finding::kClaim, Describe(Finding::kClaim, where));
  }

  void Complain(Verdict verdict, Finding finding, const std::string& message) {
    if (verdict > report_.outcome.verdict()) {
      report_.finding = finding;
      report_.message = message;
    }
    report_.outcome.Worsen(verdict);
  }

  const Plugin& plugin_;
  const RunOptions& run_;
  const CheckInput& in_;
  QualityReport report_;
};

}  // namespace

namespace {

bool HasNarrowCellState(const RnnProblem& problem) {
  for (const Tensor t : {kSrcIterC, kDstIterC}) {
    if (problem.Has(t) && IsNarrowFloat(TypeOf(problem.md[t]))) return true;
  }
  return false;
}

}  // namespace

bool Adds(const Declaration& declared, const RnnProblem& problem) {
  const Declaration plain;
  const unsigned cell = 1u << static_cast<unsigned>(problem.cell);
  if (declared.sigmoid_ulp > plain.sigmoid_ulp || declared.tanh_ulp > plain.tanh_ulp) return true;
  if (declared.sigmoid_abs > 0 || declared.tanh_abs > 0) return true;
  if (!IsNarrowFloat(problem.SrcType())) return false;
  if (declared.recurrence == Recurrence::kWide || ((declared.narrow_sums | declared.narrow_operations) & cell) != 0) {
    return true;
  }
  if (declared.cell_state == Recurrence::kWide && HasNarrowCellState(problem)) return true;
  return problem.IsBackward() && (declared.narrow_gradients || (declared.narrow_slopes & cell) != 0);
}

std::string WhatItAdds(const Declaration& declared) {
  const Declaration plain;
  std::string text;
  const auto add = [&](bool added, const std::string& what) {
    if (added) text += (text.empty() ? "" : ", ") + what;
  };
  const auto number = [](double value) { return Format("%g", value); };
  add(declared.sigmoid_ulp > plain.sigmoid_ulp, "sigmoid " + number(declared.sigmoid_ulp) + " ulp");
  add(declared.tanh_ulp > plain.tanh_ulp, "tanh " + number(declared.tanh_ulp) + " ulp");
  add(declared.sigmoid_abs > 0, "sigmoid " + number(declared.sigmoid_abs) + " absolute");
  add(declared.tanh_abs > 0, "tanh " + number(declared.tanh_abs) + " absolute");
  add(declared.recurrence == Recurrence::kWide, "states may enter the next step unrounded");
  add(declared.cell_state == Recurrence::kWide, "cell states may enter the next step unrounded");
  add(declared.narrow_sums != 0, "pre-activations in the 16-bit type");
  add(declared.narrow_operations != 0, "every operation in the 16-bit type");
  add(declared.narrow_slopes != 0, "slopes in the 16-bit type");
  add(declared.narrow_gradients, "gradients in the 16-bit type");
  add(declared.nan == NanPolicy::kFastMath, "lost NaN");
  return text;
}

Holds PassesByDefault(const CheckInput& in) { return ToHolds(IsWithin(Declaration(), in)); }

QualityReport MeasureQuality(const Plugin& plugin, const RunOptions& run, const CheckInput& in, Dim row) {
  Measurement measurement(plugin, run, in);
  measurement.Bounds();
  measurement.Threads();
  measurement.RowAlone(row);
  return measurement.Finish();
}

}  // namespace tandem::conformance
