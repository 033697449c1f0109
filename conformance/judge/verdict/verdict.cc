#include "conformance/judge/verdict/verdict.h"

#include <array>

#include "conformance/problem/base/format.h"

namespace tandem::conformance {
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

const char* ToString(Relation relation) {
  static constexpr std::array<const char*, kNumRelations> kNames = {
      "composed of its steps",
      "composed of its layers",
      "composed of its directions",
      "executions that hand their states on",
      "the flipped sequence in the other direction",
      "the batch in another order",
      "the batch in two halves",
      "the units in another order",
      "the same data in other layouts",
      "full lengths as none",
      "rows of one length at a time, without lengths",
      "-2 times diff_dst",
      "diff_dst of zeros",
      "<diff_dst, J d> = <gradient, d>",
      "the same inputs again",
      "another row of the batch changed",
      "another step changed",
      "another layer changed",
      "the other direction changed",
  };
  return kNames[static_cast<size_t>(relation)];
}

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
