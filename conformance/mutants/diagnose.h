// Which known mistake explains an output? The oracle is asked again with the inputs that a mistaken implementation
// would in effect have used, and each injected bug is run and compared.
#ifndef TANDEM_CONFORMANCE_MUTANTS_DIAGNOSE_H_
#define TANDEM_CONFORMANCE_MUTANTS_DIAGNOSE_H_

#include <string>
#include <vector>

#include "conformance/oracle/oracle.h"
#include "conformance/problem/tensor_set.h"

namespace tandem::conformance {

struct Diagnosis {
  // "matches LSTM with gate order i,f,o,c~", "matches reading onednn", "b_u' is added outside the reset gate".
  std::string explanation;
  // Share of the elements that agree, 1 if the explanation accounts for all of them.
  double agreement = 0;
  // True: the oracle's own intervals hold. False: the output of an implementation with that bug is met within twice
  // the bound.
  bool certified = false;
};

// `got` are the outputs of some implementation for `inputs`. Best explanation first: those that account for every
// element, then the three nearest. The first is "conforms" if the equations themselves explain the output.
std::vector<Diagnosis> Diagnose(const RnnProblem& problem, const TensorSet& inputs, const TensorSet& got,
                                const Profile& profile = {});

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_MUTANTS_DIAGNOSE_H_
