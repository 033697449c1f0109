// The oracle: for one problem and its inputs, the set of values that each output element may have. The equations are
// the reference's templates over Real = Bounded; the bounds follow docs/verdicts/method.md from the arithmetic alone.
#ifndef TANDEM_CONFORMANCE_ORACLE_ORACLE_H_
#define TANDEM_CONFORMANCE_ORACLE_ORACLE_H_

#include <cstdint>
#include <vector>

#include "api/core/rnn/rnn_problem.h"
#include "conformance/oracle/declaration.h"
#include "conformance/problem/tensor_set.h"

namespace tandem::conformance {

struct OracleOptions {
  Declaration declared;
  // Teacher forcing: the implementation's outputs of this very problem, from which visible
  // states are taken: dst_layer, which for backward the implementation's own forward has written.
  const TensorSet* forced = nullptr;
};

enum class ElementClass : uint8_t {
  kFinite,   // accept [lo, hi]
  kNan,      // accept NaN only
  kVacuous,  // an f32 overflow or an unbounded error: everything is accepted, and it does not count as tested
};

struct OracleTensor {
  Tensor tensor = kDstLayer;
  DataType type = DataType::kF32;
  // Row-major over the logical dims.
  std::vector<double> value;   // the equations in double
  std::vector<double> bound;   // |admissible - value| before storage
  std::vector<double> lo, hi;  // inclusive, in the stored type; infinities stand for themselves
  std::vector<ElementClass> cls;
  // Share of elements whose bound exceeds 2^-8 of the tensor's range (bf16 and int8: 2^-5, eight units of the type), or
  // that are kVacuous.
  double vacuous_share = 0;
};

struct OracleResult {
  std::vector<OracleTensor> outputs;  // as Outputs(problem)
  const OracleTensor* Find(Tensor t) const {
    for (const OracleTensor& o : outputs) {
      if (o.tensor == t) return &o;
    }
    return nullptr;
  }
};

// `problem` validated and with plain layouts; which reading: problem.attr.reading. Inputs that accumulate
// (diff_weights_*) are taken from `inputs` as they were before execution.
OracleResult RunOracle(const RnnProblem& problem, const TensorSet& inputs, const OracleOptions& options = {});

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_ORACLE_ORACLE_H_
