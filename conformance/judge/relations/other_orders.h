// One function for each relation of relations.h that is no run and its parts. Each adds its rows to the run.
#ifndef TANDEM_CONFORMANCE_JUDGE_RELATIONS_OTHER_ORDERS_H_
#define TANDEM_CONFORMANCE_JUDGE_RELATIONS_OTHER_ORDERS_H_

#include "conformance/judge/relations/relation_run.h"
#include "conformance/problem/rearranged.h"

namespace tandem::conformance {

// Other orders and layouts: other_orders.cc.
// Adds to `all` every tensor that an implementation wrote in `got`, in the order of problem `p`.
void TakeOutputs(const RnnProblem& p, const TensorSet& got, const IndexMap& map, TensorSet* all);
void CheckReversal(RelationRun* run);
void CheckBatchOrder(uint64_t number, RelationRun* run);
void CheckBatchHalves(RelationRun* run);
void CheckUnitOrder(uint64_t number, RelationRun* run);
void CheckLayout(uint64_t number, RelationRun* run);

// other_lengths.cc, of a problem with sequence_lengths.
void CheckFullLengths(RelationRun* run);
void CheckRowsByLength(RelationRun* run);

// handed_on.cc.
void CheckHandedOn(uint64_t number, RelationRun* run);

// Gradients: gradient_relations.cc.
bool RoundingCommutesWithDoubling(const RnnProblem& problem);
void CheckScaledGradient(RelationRun* run);
void CheckZeroGradient(RelationRun* run);

// adjoint.cc.
bool HasAffineSlice(const RnnProblem& problem);
void CheckAdjoint(uint64_t number, RelationRun* run);

// non_interference.cc.
bool HasIndependentOutputs(const RnnProblem& problem, Relation relation);
void CheckRepeat(RelationRun* run);
void CheckIndependence(Relation relation, uint64_t number, RelationRun* run);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_JUDGE_RELATIONS_OTHER_ORDERS_H_
