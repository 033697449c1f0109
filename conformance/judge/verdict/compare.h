// Judges one output tensor against the oracle, element by element. There is no tensor norm and no tolerance to tune.
#ifndef TANDEM_CONFORMANCE_JUDGE_VERDICT_COMPARE_H_
#define TANDEM_CONFORMANCE_JUDGE_VERDICT_COMPARE_H_

#include "conformance/judge/verdict/verdict.h"
#include "conformance/oracle/oracle.h"
#include "conformance/problem/tensor_set.h"

namespace tandem::conformance {

struct CompareOptions {
  CheckKind kind = CheckKind::kTeacherForced;
  NanPolicy nan = NanPolicy::kIeee;
};

// |error| over what is allowed, defined alike for every type: the distance from the oracle's value to the stored
// element, over the bound before the store plus the half spacing that the store may add on that side (of the type's
// neighbours; 1/2 for bytes). An element is the rounding to nearest of some number within the bound if and only if this
// is at most 1; at exactly 1, a tie, the even neighbour decides. 0 where the difference comes from saturation, or from
// a flush of subnormals to zero.
double ErrorRatio(DataType type, double value, double bound, double got);

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

#endif  // TANDEM_CONFORMANCE_JUDGE_VERDICT_COMPARE_H_
