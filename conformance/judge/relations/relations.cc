#include "conformance/judge/relations/relations.h"

#include <algorithm>

#include "conformance/judge/relations/chained.h"
#include "conformance/judge/relations/composed.h"
#include "conformance/judge/relations/other_orders.h"

namespace tandem::conformance {
namespace {

// Each part is a run of its own, in a child process of its own.
constexpr Dim kMostParts = 32;

bool Applies(const RnnProblem& p, Relation relation) {
  switch (relation) {
    case Relation::kSteps:
    case Relation::kLayers:
    case Relation::kDirections: {
      const Dim parts = Composition::CountParts(p, relation);
      const bool splits = relation == Relation::kDirections ? p.n_dir > 1
                          : relation == Relation::kLayers   ? p.n_layer > 1
                                                            : parts > 1;
      return splits && parts <= kMostParts;
    }
    case Relation::kHandedOn:
      return HandsStatesOn(p);
    case Relation::kReversal:
      return p.n_dir == 1 && !HasAttention(p.cell);
    case Relation::kBatchOrder:
    case Relation::kBatchHalves:
      return p.mb > 1;
    case Relation::kUnitOrder:
      return p.slc > 1 || p.sic > 1 || p.dhc > 1;
    case Relation::kLayout:
      return true;
    case Relation::kFullLengths:
      return p.Has(kSequenceLengths);
    case Relation::kRowsByLength:
      return p.Has(kSequenceLengths) && std::min(p.mb, p.n_iter) <= kMostParts;
    case Relation::kScaledGradient:
      return p.IsBackward() && RoundingCommutesWithDoubling(p);
    case Relation::kZeroGradient:
      return p.IsBackward();
    case Relation::kAdjoint:
      return HasAffineSlice(p);
    case Relation::kRepeat:
      return false;  // CheckRelationsOf adds it
    case Relation::kOtherRows:
    case Relation::kOtherSteps:
    case Relation::kOtherLayers:
    case Relation::kOtherDirection:
      return HasIndependentOutputs(p, relation);
  }
  return false;
}

// Vacuous rows of a part count as passed: the problem's own verdict reports loose bounds.
ProblemReport WithoutVacuity(ProblemReport given) {
  ProblemReport report;
  report.bitwise = std::move(given.bitwise);
  for (TensorReport& row : given.rows) {
    if (row.outcome.verdict() == Verdict::kVacuous && row.failures == 0) row.outcome = Outcome();
    report.Add(std::move(row));
  }
  return report;
}

}  // namespace

std::vector<Relation> RelationsOf(const RnnProblem& problem) {
  std::vector<Relation> relations;
  for (int i = 0; i < kNumRelations; ++i) {
    const Relation relation = static_cast<Relation>(i);
    if (Applies(problem, relation)) relations.push_back(relation);
  }
  return relations;
}

ProblemReport CheckRelation(const CheckInput& in, Relation relation, uint64_t number) {
  RelationRun run(in, relation);
  switch (relation) {
    case Relation::kSteps:
    case Relation::kLayers:
    case Relation::kDirections:
      return WithoutVacuity(CheckChained(in, relation).report);
    case Relation::kHandedOn:
      CheckHandedOn(number, &run);
      break;
    case Relation::kReversal:
      CheckReversal(&run);
      break;
    case Relation::kBatchOrder:
      CheckBatchOrder(number, &run);
      break;
    case Relation::kBatchHalves:
      CheckBatchHalves(&run);
      break;
    case Relation::kUnitOrder:
      CheckUnitOrder(number, &run);
      break;
    case Relation::kLayout:
      CheckLayout(number, &run);
      break;
    case Relation::kFullLengths:
      CheckFullLengths(&run);
      break;
    case Relation::kRowsByLength:
      CheckRowsByLength(&run);
      break;
    case Relation::kScaledGradient:
      CheckScaledGradient(&run);
      break;
    case Relation::kZeroGradient:
      CheckZeroGradient(&run);
      break;
    case Relation::kAdjoint:
      CheckAdjoint(number, &run);
      break;
    case Relation::kRepeat:
      CheckRepeat(&run);
      break;
    case Relation::kOtherRows:
    case Relation::kOtherSteps:
    case Relation::kOtherLayers:
    case Relation::kOtherDirection:
      CheckIndependence(relation, number, &run);
      break;
  }
  return run.Take();
}

ProblemReport CheckChosenRelation(const CheckInput& in, uint64_t number) {
  const std::vector<Relation> relations = RelationsOf(in.problem);
  if (relations.empty()) return {};
  return CheckRelation(in, relations[number % relations.size()], number / relations.size());
}

ProblemReport CheckRelationsOf(const CheckInput& in, CheckKind kind) {
  std::vector<Relation> relations = RelationsOf(in.problem);
  if (kind == CheckKind::kNonInterference) relations.push_back(Relation::kRepeat);
  ProblemReport all;
  for (const Relation relation : relations) {
    if (KindOf(relation) != kind) continue;
    // Non-interference: another value and NaN. Adjoint: both kinds of slices.
    const uint64_t variants = kind == CheckKind::kNonInterference || relation == Relation::kAdjoint ? 2 : 1;
    for (uint64_t number = 0; number < variants; ++number) {
      const ProblemReport report = CheckRelation(in, relation, number);
      for (const TensorReport& row : report.rows) all.Add(row);
      all.bitwise.insert(all.bitwise.end(), report.bitwise.begin(), report.bitwise.end());
    }
  }
  return all;
}

}  // namespace tandem::conformance
