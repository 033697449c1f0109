// These functions tell how the activation of a problem's cell, or the functions of its gates, treat infinities and NaN.
#ifndef TANDEM_CONFORMANCE_PROBLEM_CELL_FUNCTIONS_H_
#define TANDEM_CONFORMANCE_PROBLEM_CELL_FUNCTIONS_H_

#include <algorithm>

#include "api/core/rnn/rnn_problem.h"

namespace tandem::conformance {

// Calls holds(Activation) for each function that the cell has.
template <class Holds>
bool AllFunctions(const RnnProblem& p, const Holds& holds) {
  if (HasActivation(p.cell)) return holds(p.activation);
  return std::all_of(kGatePlaces.begin(), kGatePlaces.end(),
                     [&](GatePlace place) { return holds(p.Gates().At(place).kind); });
}

// Functions without a bound may overflow, and 0 times infinity is NaN.
inline bool HasBoundedFunctions(const RnnProblem& p) {
  return AllFunctions(p, [](Activation f) { return tandem::IsBounded(f); });
}

// Says whether a conforming implementation gives NaN wherever a cell reads one. Functions that compare may lose it, and so may
// the slope of a clip.
inline bool KeepsNans(const RnnProblem& p) {
  if (p.IsBackward() && p.Gates().clip != 0.f) return false;
  return AllFunctions(p, [](Activation f) { return !MayLoseNan(f); });
}

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PROBLEM_CELL_FUNCTIONS_H_
