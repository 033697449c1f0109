#include "conformance/judge/verdict/verdict.h"

#include "api/core/enums.h"
#include "conformance/problem/base/format.h"

namespace tandem::conformance {
namespace {

struct RelationName {
  Relation relation;
  const char* name;
};
constexpr RelationName kRelations[] = {
    {Relation::kSteps, "composed of its steps"},
    {Relation::kLayers, "composed of its layers"},
    {Relation::kDirections, "composed of its directions"},
    {Relation::kHandedOn, "executions that hand their states on"},
    {Relation::kReversal, "the flipped sequence in the other direction"},
    {Relation::kBatchOrder, "the batch in another order"},
    {Relation::kBatchHalves, "the batch in two halves"},
    {Relation::kUnitOrder, "the units in another order"},
    {Relation::kLayout, "the same data in other layouts"},
    {Relation::kFullLengths, "full lengths as none"},
    {Relation::kRowsByLength, "rows of one length at a time, without lengths"},
    {Relation::kScaledGradient, "-2 times diff_dst"},
    {Relation::kZeroGradient, "diff_dst of zeros"},
    {Relation::kAdjoint, "<diff_dst, J d> = <gradient, d>"},
    {Relation::kRepeat, "the same inputs again"},
    {Relation::kOtherRows, "another row of the batch changed"},
    {Relation::kOtherSteps, "another step changed"},
    {Relation::kOtherLayers, "another layer changed"},
    {Relation::kOtherDirection, "the other direction changed"},
};
static_assert(HasRowForEach(kRelations, &RelationName::relation, kLastRelation), "a row for each Relation");

}  // namespace

const char* ToString(CheckKind kind) {
  switch (kind) {
    case CheckKind::kTeacherForced:
      return "teacher_forced";
    case CheckKind::kChained:
      return "chained";
    case CheckKind::kFreeRunning:
      return "free_running";
    case CheckKind::kMetamorphic:
      return "metamorphic";
    case CheckKind::kNonInterference:
      return "non_interference";
  }
  return "?";
}

const char* ToString(Relation relation) { return kRelations[static_cast<size_t>(relation)].name; }

CheckKind KindOf(Relation relation) {
  if (relation <= Relation::kHandedOn) return CheckKind::kChained;
  return relation <= Relation::kAdjoint ? CheckKind::kMetamorphic : CheckKind::kNonInterference;
}

std::string ToString(const TensorReport& report, Cell cell) {
  std::string text = std::string(ToString(report.outcome.verdict())) + " " + ToString(report.kind) + " " +
                     tandem::ToString(report.tensor);
  if (report.has_departure) {
    text += " first at " + ToString(report.first, cell) +
            Format(": got %.9g, want %.9g in [%.9g, %.9g], %llu of %llu elements", report.got, report.want, report.lo,
                   report.hi, static_cast<unsigned long long>(report.failures),
                   static_cast<unsigned long long>(report.stats.elements));
  } else if (report.stats.elements > 0) {
    text += Format(": worst |error|/bound %.3g", report.stats.ratio.max());
  }
  if (!report.note.empty()) text += " (" + report.note + ")";
  return text;
}

void ProblemReport::Add(TensorReport row) {
  outcome.Join(row.outcome);
  rows.push_back(std::move(row));
}

}  // namespace tandem::conformance
