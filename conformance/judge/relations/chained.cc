#include "conformance/judge/relations/chained.h"

#include <map>

#include "conformance/judge/relations/composed.h"
#include "conformance/judge/relations/relation_run.h"
#include "conformance/judge/verdict/check_bounds.h"

namespace tandem::conformance {
namespace {

// One row for each tensor over all parts, with the first of its worst departures.
class PartRows {
 public:
  void Merge(const TensorReport& row) {
    const auto [found, is_new] = rows_.emplace(row.tensor, row);
    if (is_new) return;
    TensorReport& sum = found->second;
    const bool worse = row.outcome.verdict() > sum.outcome.verdict();
    sum.outcome.Join(row.outcome);
    sum.stats.Merge(row.stats);
    sum.failures += row.failures;
    if (sum.note.empty()) sum.note = row.note;
    if (!row.has_departure || (sum.has_departure && !worse)) return;
    sum.has_departure = true;
    sum.where = row.where;
    sum.first = row.first;
    sum.got = row.got, sum.want = row.want, sum.lo = row.lo, sum.hi = row.hi;
  }
  const std::map<Tensor, TensorReport>& rows() const { return rows_; }

 private:
  std::map<Tensor, TensorReport> rows_;
};

void JudgePart(const CheckInput& in, const PartRun& part, PartRows* rows) {
  for (TensorReport& row :
       CheckBounds({part.problem, part.inputs, part.outputs}, in.declared, CheckKind::kChained).rows) {
    if (part.at.t >= 0) row.first.t = part.at.t;
    row.first.l = part.at.l;
    row.first.d = part.at.d;
    rows->Merge(row);
  }
}

// True if a part shows all its states, so that its bounds do not grow from step to step.
bool IsJudged(const CheckInput& in, Relation split) {
  return split == Relation::kSteps || (split == Relation::kLayers && !in.problem.IsBackward());
}

}  // namespace

ChainReport CheckChained(const CheckInput& in, Relation split) {
  RelationRun run(in, split);
  Composition composition(in, split);
  PartRows rows;
  const bool judged = IsJudged(in, split);
  const RunResult result = composition.Run([&](const PartRun& part) {
    if (judged) JudgePart(in, part, &rows);
  });
  bool sound = true;
  for (const auto& [tensor, row] : rows.rows()) {
    sound = sound && row.outcome.ok();
    run.Add(row);
  }
  ChainReport chain;
  chain.complete = run.Ran(result);
  if (chain.complete) run.JudgeAlternative(composition.tensors());
  chain.report = run.Take();
  // A sum may be formed from halves before they are stored; its bits say nothing about the halves.
  const bool sum = in.problem.direction == Direction::kBidirectionalSum;
  chain.judges_whole = judged && sound && !sum && chain.complete && chain.report.bitwise.back().same;
  return chain;
}

ProblemReport CheckBoundsOrSteps(const CheckInput& in) {
  const ProblemReport bounds = CheckBounds({in.problem, in.inputs, in.outputs}, in.declared);
  // The gradients of the weights add up over the steps: the whole run need not have the bits of the steps' sum.
  if (bounds.outcome.verdict() != Verdict::kVacuous || in.problem.IsBackward()) return bounds;
  const ChainReport chain = CheckChained(in, Relation::kSteps);
  ProblemReport report;
  for (TensorReport row : bounds.rows) {
    if (chain.judges_whole) {
      // This row tests nothing and counts as passed: the rows of the chain below judge each step.
      row.outcome = Outcome();
      row.note += "; judged step by step instead, with the same bits";
    }
    report.Add(std::move(row));
  }
  for (const TensorReport& row : chain.report.rows) report.Add(row);
  return report;
}

}  // namespace tandem::conformance
