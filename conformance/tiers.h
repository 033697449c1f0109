// The checks beside the oracle's verdict on one run. Each runs the implementation again on changed inputs.
#ifndef TANDEM_CONFORMANCE_TIERS_H_
#define TANDEM_CONFORMANCE_TIERS_H_

#include <cstdint>

#include "conformance/implementation.h"
#include "conformance/oracle.h"
#include "conformance/verdict.h"

namespace tandem::conformance {

// What has been run, and what can be run again. `outputs` are the implementation's for `inputs`.
struct TierInput {
  const RnnProblem& problem;
  const TensorSet& inputs;
  const TensorSet& outputs;
  const Implementation& implementation;
  Profile profile;
};

// T1 or, where states are hidden, T3: the oracle, forced to the states that are visible.
ProblemReport CheckBounds(const TierInput& in);
// True if every recurrent state of the problem is visible in dst_layer (T1) or the sequence has one step.
bool StatesAreVisible(const RnnProblem& problem);

// T2, forward: drives the implementation cell by cell, each call a problem of one layer, direction and step whose
// inputs are the outputs of earlier calls, and judges each call. Bounds do not grow with T or L.
struct ChainReport {
  ProblemReport report;
  bool complete = false;   // every step ran
  bool same_bits = false;  // the whole run gave the chain's bits: then each of its steps has been judged
};
ChainReport CheckChained(const TierInput& in);

// T5: a right2left run is the left2right run of the flipped sequence, each half of a concatenation is a unidirectional
// run (both bitwise; other bits are a quality warning), and twice the diff_dst gives twice every gradient (an
// implementation that rounds differently is not linear: a failure).
ProblemReport CheckMetamorphic(const TierInput& in);

// T6: outputs that cannot depend on a region of the inputs keep their bits when it changes: other rows of the batch,
// earlier steps, lower layers, the other direction. And a second run on the same bytes gives the same bits.
ProblemReport CheckNonInterference(const TierInput& in);

// CheckBounds; where that is vacuous the chain, whose verdict then stands if it has the same bits.
ProblemReport JudgeWithTiers(const TierInput& in);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_TIERS_H_
