// Finds the place of an element of a tensor in the network, and which of two elements is computed first.
#ifndef TANDEM_CONFORMANCE_JUDGE_VERDICT_LOCATION_H_
#define TANDEM_CONFORMANCE_JUDGE_VERDICT_LOCATION_H_

#include <cstddef>
#include <string>

#include "api/core/rnn/rnn_problem.h"

namespace tandem::conformance {

// -1: the tensor has no such index.
struct Location {
  // The number of a norm, for its gains and offsets, is counted in `gate` behind the gates of the bias.
  Dim t = -1, l = -1, d = -1, n = -1, gate = -1, unit = -1;
  Dim input = -1;    // of weights: the input channel
  size_t index = 0;  // logical, row-major
};
// "t=3 l=0 d=1 n=2 gate=f unit=5".
std::string ToString(const Location& location, Cell cell);
Location Locate(const RnnProblem& problem, Tensor tensor, size_t index);
// True if `a` is computed before `b`: layers, then steps in the direction of processing.
bool Precedes(const RnnProblem& problem, const Location& a, const Location& b);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_JUDGE_VERDICT_LOCATION_H_
