// The catalogue of known mistakes: realistic ones, each from a row of docs/verdicts/method.md or from the list of
// numerical ones. How many of them the judge detects is its mutation score.
#ifndef TANDEM_CONFORMANCE_FAULTY_MUTATION_H_
#define TANDEM_CONFORMANCE_FAULTY_MUTATION_H_

#include <vector>

#include "api/core/rnn/rnn_problem.h"

namespace tandem::conformance {

enum class Mutation : int {
#define TANDEM_MUTATION(name, row, applies, text) k##name,
#include "conformance/faulty/mutations.inc"
#undef TANDEM_MUTATION
};

struct MutationInfo {
  Mutation mutation;
  const char* name;
  const char* row;   // of the catalogue; "G": an equation of the cell itself
  const char* text;  // what it does
  bool backward;     // a bug of backward propagation
  // Whether the problem can show the bug at all.
  bool (*applies)(const RnnProblem& problem);
};

// All of them, kNoBug first.
const std::vector<MutationInfo>& Mutations();
const MutationInfo& InfoOf(Mutation mutation);
// Null for an unknown name.
const MutationInfo* FindMutation(const char* name);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_FAULTY_MUTATION_H_
