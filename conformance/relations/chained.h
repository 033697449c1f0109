// T2: the parts of a problem, judged, and the whole against them.
#ifndef TANDEM_CONFORMANCE_RELATIONS_CHAINED_H_
#define TANDEM_CONFORMANCE_RELATIONS_CHAINED_H_

#include "conformance/relations/relations.h"

namespace tandem::conformance {

struct ChainReport {
  ProblemReport report;
  bool complete = false;  // every part ran
  // Every part has been judged with all its states visible, and the whole run gave their bits: so it has been judged.
  bool judges_whole = false;
};

// kSteps, kLayers or kDirections.
ChainReport CheckChained(const TierInput& in, Relation split);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_RELATIONS_CHAINED_H_
