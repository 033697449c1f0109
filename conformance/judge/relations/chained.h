// The parts of a problem, judged, and the whole against them.
#ifndef TANDEM_CONFORMANCE_JUDGE_RELATIONS_CHAINED_H_
#define TANDEM_CONFORMANCE_JUDGE_RELATIONS_CHAINED_H_

#include "conformance/judge/relations/relations.h"

namespace tandem::conformance {

struct ChainReport {
  ProblemReport report;
  bool complete = false;  // every part ran
  // Every part was judged with all its states visible, and the whole run gave the same bits: so it is judged, too.
  bool judges_whole = false;
};

// kSteps, kLayers or kDirections.
ChainReport CheckChained(const CheckInput& in, Relation split);

// CheckBounds; where that is vacuous the steps, whose verdict then stands if they gave the same bits.
ProblemReport CheckBoundsOrSteps(const CheckInput& in);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_JUDGE_RELATIONS_CHAINED_H_
