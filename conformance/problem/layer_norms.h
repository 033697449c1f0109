// Layer normalization in problems: its words, random ones, and data that normalize badly.
#ifndef TANDEM_CONFORMANCE_PROBLEM_LAYER_NORMS_H_
#define TANDEM_CONFORMANCE_PROBLEM_LAYER_NORMS_H_

#include <cstdint>
#include <string>

#include "conformance/problem/problem_spec.h"

namespace tandem::conformance {

// KIND, KIND:SCOPE or KIND:SCOPE:CELL: "sum", "parts:row", "none:gate:state". False for other words.
bool SetLayerNorm(const std::string& text, ProblemSpec* spec);
std::string LayerNormText(const ProblemSpec& spec);

// Draws it from a random stream of its own, so that other problems do not depend on it: one problem of `one_in` that may have it;
// 0 means none. Keeps weights and sequences small where bounds would grow from step to step.
void MayDrawLayerNorm(uint64_t one_in, uint64_t seed, uint64_t index, ProblemSpec* spec);

// How the weights of one gate become those of a problem with norms: near + common, `own` and `shared` times as large, where
// near is what another problem has and common is near of the first channel. Some gates have no variance or a large mean.
struct GateWeights {
  double own = 1, shared = 0;
};
GateWeights GateWeightsOf(const ProblemSpec& spec, Tensor weights, Dim layer, Dim dir, Dim gate);
// True for a row of src_layer that is zero in such a problem: its W x has the variance 0.
bool IsZeroRow(const ProblemSpec& spec, Dim row);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PROBLEM_LAYER_NORMS_H_
