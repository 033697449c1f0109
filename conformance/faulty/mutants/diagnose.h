// Finds the known mistake that explains an output: runs the oracle on the inputs that an implementation with the
// mistake would in effect have used, and compares the output with that of each mutant.
#ifndef TANDEM_CONFORMANCE_FAULTY_MUTANTS_DIAGNOSE_H_
#define TANDEM_CONFORMANCE_FAULTY_MUTANTS_DIAGNOSE_H_

#include <string>
#include <vector>

#include "conformance/oracle/oracle.h"
#include "conformance/problem/problem_spec.h"
#include "conformance/problem/tensor_set.h"

namespace tandem::conformance {

struct Diagnosis {
  // "matches LSTM with gate order i,f,o,c~", "matches reading onednn", "b_u' is added outside the reset gate".
  std::string explanation;
  // Share of the elements that agree, 1 if the explanation accounts for all of them.
  double agreement = 0;
  // True: compared with the oracle's intervals. False: compared with the output of an implementation that has the bug,
  // within twice the bound, and a rounding unless the mistake is as small as one.
  bool certified = false;
};

// `got` are the outputs of some implementation for `inputs`. Best explanation first: those that account for every
// element, else up to three that account for more of them than the equations do. Two mistakes at once are tried if none
// alone accounts for everything. The only one is "conforms" if the equations themselves explain the output.
std::vector<Diagnosis> Diagnose(const RnnProblem& problem, const TensorSet& inputs, const TensorSet& got,
                                const Declaration& declared = {});

// Problems that may tell causes apart that explain `given` alike, for instance because shrinking has left one unit.
std::vector<ProblemSpec> LargerProblems(const ProblemSpec& given);
// Those of `causes` that account for every element of another problem, too.
std::vector<Diagnosis> Common(const std::vector<Diagnosis>& causes, const std::vector<Diagnosis>& others);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_FAULTY_MUTANTS_DIAGNOSE_H_
