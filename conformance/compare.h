// Judges one output tensor against the oracle, element by element. There is no tensor norm and no
// tolerance to tune.
#ifndef TANDEM_CONFORMANCE_COMPARE_H_
#define TANDEM_CONFORMANCE_COMPARE_H_

#include "conformance/oracle.h"
#include "conformance/tensor_set.h"
#include "conformance/verdict.h"

namespace tandem::conformance {

struct CompareOptions {
  Tier tier = Tier::kTeacherForced;
  NanPolicy nan = NanPolicy::kIeee;
};

// `got` has the dims and the type of the problem's tensor, in any layout.
TensorReport Compare(const RnnProblem& problem, const OracleTensor& want, const TensorBuffer& got,
                     const CompareOptions& options = {});
// The same on the bytes of a memory object: base pointer without offset0.
TensorReport Compare(const RnnProblem& problem, const OracleTensor& want, const MemoryDesc& md, const void* got,
                     const CompareOptions& options = {});

// All outputs of a problem.
ProblemReport CompareAll(const RnnProblem& problem, const OracleResult& want, const TensorSet& got,
                         const CompareOptions& options = {});

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_COMPARE_H_
