#include "conformance/judge/verdict/check_bounds.h"

#include "conformance/judge/verdict/compare.h"

namespace tandem::conformance {

ProblemReport CheckBounds(const Execution& run, const Declaration& declared, CheckKind kind) {
  OracleOptions options;
  options.declared = declared;
  options.forced = &run.outputs;
  return CompareAll(run.problem, RunOracle(run.problem, run.inputs, options), run.outputs, {kind, declared.nan});
}

ProblemReport CheckBounds(const Execution& run, const Declaration& declared) {
  return CheckBounds(run, declared,
                     StatesAreVisible(run.problem) ? CheckKind::kTeacherForced : CheckKind::kFreeRunning);
}

bool StatesAreVisible(const RnnProblem& problem) {
  const bool sum = problem.direction == Direction::kBidirectionalSum;
  return problem.n_layer == 1 && (!sum || problem.n_iter == 1) && !problem.IsBackward();
}

}  // namespace tandem::conformance
