// The judge says this about one execution, and about each of its tensors.
#ifndef TANDEM_CONFORMANCE_JUDGE_VERDICT_VERDICT_H_
#define TANDEM_CONFORMANCE_JUDGE_VERDICT_VERDICT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "api/core/rnn/rnn_problem.h"
#include "conformance/judge/verdict/error_stats.h"
#include "conformance/judge/verdict/failure_map.h"
#include "conformance/judge/verdict/location.h"
#include "conformance/problem/base/outcome.h"

namespace tandem::conformance {

// The check that a row of a report comes from; docs/verdicts/method.md describes each.
enum class CheckKind {
  kTeacherForced,    // the oracle starts each step from the implementation's own visible states
  kChained,          // the implementation runs step by step through its visible states
  kFreeRunning,      // states are hidden: the oracle computes them itself
  kMetamorphic,      // two runs that must agree
  kNonInterference,  // outputs keep their bits when inputs that they do not depend on change
};
const char* ToString(CheckKind kind);

// Other ways to the same outputs, and changes that must not reach them; relations.h says what each is.
enum class Relation {
  // kChained
  kSteps,
  kLayers,
  kDirections,
  kHandedOn,
  // kMetamorphic
  kReversal,
  kBatchOrder,
  kBatchHalves,
  kUnitOrder,
  kLayout,
  kFullLengths,
  kRowsByLength,
  kScaledGradient,
  kZeroGradient,
  kAdjoint,
  // kNonInterference
  kRepeat,
  kOtherRows,
  kOtherSteps,
  kOtherLayers,
  kOtherDirection,
};
constexpr Relation kLastRelation = Relation::kOtherDirection;
constexpr int kNumRelations = static_cast<int>(kLastRelation) + 1;
const char* ToString(Relation relation);
CheckKind KindOf(Relation relation);

// One verdict row: one tensor under one kind of check.
struct TensorReport {
  Tensor tensor = kDstLayer;
  CheckKind kind = CheckKind::kTeacherForced;
  Outcome outcome;
  ErrorStats stats;
  uint64_t failures = 0;
  bool has_departure = false;
  Location first;                            // of the failing elements, the one that is computed first
  double got = 0, want = 0, lo = 0, hi = 0;  // there
  FailureMap where;                          // of the failing elements; empty if there are none
  std::string note;                          // one clause, empty if there is nothing to say
};
// One line: tensor, verdict, first departure with got, want and bound.
std::string ToString(const TensorReport& report, Cell cell);

// Says whether another way to the same outputs gave the same bits. The bounds do not require it; grades and claims use it. For
// batch orders, halves and rows by length only tensors that have rows count, not the gradients that sum over rows.
struct BitwiseResult {
  Relation relation;
  bool same;
};

// All rows of one problem.
struct ProblemReport {
  Outcome outcome;
  std::vector<TensorReport> rows;
  std::vector<BitwiseResult> bitwise;
  // Adds a row and worsens the outcome by it.
  void Add(TensorReport row);
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_JUDGE_VERDICT_VERDICT_H_
