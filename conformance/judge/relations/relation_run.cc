#include "conformance/judge/relations/relation_run.h"

#include <cmath>
#include <optional>

#include "conformance/judge/verdict/check_bounds.h"
#include "conformance/problem/batch_rows.h"

namespace tandem::conformance {
namespace {

bool SameValues(const TensorBuffer& a, const TensorBuffer& b) {
  for (size_t i = 0; i < a.size(); ++i) {
    if (!SameValue(a.Get(i), b.Get(i))) return false;
  }
  return true;
}

// Gradients that sum over the rows add them in another order.
bool SumsInAnotherOrder(Relation relation) {
  return relation == Relation::kBatchOrder || relation == Relation::kBatchHalves || relation == Relation::kRowsByLength;
}

// Says whether RowBits::kOfTheRowAlone promises that the bits are the same.
bool IsClaimed(Relation relation) {
  return relation == Relation::kBatchOrder || relation == Relation::kBatchHalves || relation == Relation::kFullLengths;
}

}  // namespace

void HandOnStates(TensorSet* tensors) {
  (*tensors)[kSrcIter] = (*tensors)[kDstIter];
  (*tensors)[kSrcIterC] = (*tensors)[kDstIterC];
}

bool SameValue(double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); }

bool RelationRun::RunInGivenLayouts(const RnnProblem& problem, TensorSet* tensors) {
  return Ran((in_.in_given_layouts != nullptr ? *in_.in_given_layouts : in_.implementation)(problem, tensors));
}

bool RelationRun::RunOnStatesLeft(int executions, TensorSet* tensors) {
  if (in_.repeated != nullptr) return Ran((*in_.repeated)(p_, executions, tensors));
  for (int i = 0; i < executions; ++i) {
    if (i > 0) HandOnStates(tensors);
    if (!Run(p_, tensors)) return false;
  }
  return true;
}

bool RelationRun::Ran(const RunResult& run) {
  if (run.status == RunStatus::kOk) return true;
  if (run.status != RunStatus::kNotSupported) {
    TensorReport row = Row(kDstLayer);
    row.outcome.Worsen(VerdictOf(run.status));
    row.note += ": " + run.message;
    Add(row);
  }
  return false;
}

void RelationRun::Expect(Tensor t, const TensorBuffer& got, const Expectation& expectation) {
  TensorReport row = Row(t, expectation.note);
  std::optional<FailureCounter> failures;
  for (size_t i = 0; i < got.size(); ++i) {
    const Location where = Locate(p_, t, i);
    if (!expectation.applies(where)) continue;
    ++row.stats.elements;
    const double x = got.Get(i), y = expectation.want(i);
    if (SameValue(x, y)) continue;
    ++row.failures;
    if (!failures.has_value()) failures.emplace(p_, t);
    failures->Add(i);
    row.outcome.Worsen(expectation.otherwise);
    if (row.has_departure && !Precedes(p_, where, row.first)) continue;
    row.has_departure = true;
    row.first = where;
    row.got = x;
    row.want = row.lo = row.hi = y;
  }
  if (failures.has_value()) row.where = failures->Pictures();
  if (row.stats.elements > 0) Add(row);
}

void RelationRun::JudgeAlternatives(const TensorSet& inputs, const TensorSet& one, const TensorSet& other) {
  bool same = true, same_rows = true;
  for (const Tensor t : Outputs(p_)) {
    if (SameValues(one[t], other[t])) continue;
    same = false;
    if (SumsInAnotherOrder(relation_) && AxisOf(t, 'n') < 0) continue;
    same_rows = false;
    if (!IsClaimed(relation_) || in_.row_bits == RowBits::kFree) continue;
    Expect(t, other[t],
           {Verdict::kFail, "other bits, against its claim", [&](size_t i) { return one[t].Get(i); },
            [](const Location&) { return true; }});
  }
  report_.bitwise.push_back({relation_, same_rows});
  if (same) {
    for (const Tensor t : Outputs(p_)) {
      TensorReport row = Row(t);
      row.stats.elements = other[t].size();
      Add(row);
    }
    return;
  }
  JudgeByBounds(inputs, other, "");
  // One of the two may be wrong, and it may be the first.
  if (in_.bounds == nullptr || &one != &in_.outputs) JudgeByBounds(inputs, one, "the run itself");
}

void RelationRun::JudgeByBounds(const TensorSet& inputs, const TensorSet& got, const char* note) {
  TensorSet given = inputs;
  if (p_.IsBackward()) TakeForwardOutputs(got, &given);
  for (TensorReport row : CheckBounds({p_, given, got}, in_.declared, KindOf(relation_)).rows) {
    const TensorReport named = Row(row.tensor, note);
    row.note = named.note + (row.note.empty() ? "" : "; " + row.note);
    // The problem's own verdict reports loose bounds.
    if (row.outcome.verdict() == Verdict::kVacuous) row.outcome = Outcome();
    Add(row);
  }
}

void RelationRun::Add(TensorReport row) { report_.Add(std::move(row)); }

TensorReport RelationRun::Row(Tensor t, const char* note) const {
  TensorReport row;
  row.tensor = t;
  row.kind = KindOf(relation_);
  row.note = ToString(relation_);
  if (*note != '\0') row.note += std::string(": ") + note;
  return row;
}

}  // namespace tandem::conformance
