// The oracle: for one problem and its inputs, the set of values that each output element may have.
// The equations are the reference's templates over Real = Bounded; the bounds follow
// docs/verdicts/method.md from the arithmetic alone.
#ifndef TANDEM_CONFORMANCE_ORACLE_ORACLE_H_
#define TANDEM_CONFORMANCE_ORACLE_ORACLE_H_

#include <cstdint>
#include <limits>
#include <vector>

#include "api/core/rnn/rnn_problem.h"
#include "conformance/problem/tensor_set.h"

namespace tandem::conformance {

// What an implementation declares about its arithmetic, and is then held to.
enum class Recurrence {
  kStored,  // h enters the next step and layer as its data type stores it
  kWide,    // h may also enter unrounded (f32)
};
enum class Subnormals {
  kMayFlush,  // subnormal operands and results may count as zero
  kKeep,
};
enum class NanPolicy {
  kIeee,      // NaN where an input of the cone is NaN: a violation fails
  kFastMath,  // ... is a quality warning
};
struct Profile {
  double sigmoid_ulp = 4;
  double tanh_ulp = 5;
  // Sigmoid and tanh are exactly 0 (up to subnormals), 1 or -1 for larger arguments: their limits are nearer than
  // 2^-57.
  double exact_beyond = 40;
  // n rounding errors of a sum count as no more than this times sqrt(n). Infinity is the proof, for any signs of the
  // errors; 6 is beyond what errors of random signs reach in 10^7 sums (2 exp(-6^2 / 2), Higham and Mary 2019).
  double typical_growth = std::numeric_limits<double>::infinity();
  Recurrence recurrence = Recurrence::kStored;
  Subnormals subnormals = Subnormals::kMayFlush;
  NanPolicy nan = NanPolicy::kIeee;
  // 1 << Cell for each cell whose backward may evaluate y (1 - y) and (1 - y)(1 + y) in the data type.
  unsigned narrow_slopes = 0;
};

struct OracleOptions {
  Profile profile;
  // Teacher forcing: the implementation's outputs of this very problem, from which visible
  // states are taken: dst_layer, which for backward the implementation's own forward has written.
  const TensorSet* forced = nullptr;
};

enum class ElementClass : uint8_t {
  kFinite,   // accept [lo, hi]
  kNan,      // accept NaN only
  kVacuous,  // an f32 overflow or an unbounded error: anything goes, and it does not count as
             // tested
};

struct OracleTensor {
  Tensor tensor = kDstLayer;
  DataType type = DataType::kF32;
  // Row-major over the logical dims.
  std::vector<double> value;   // the equations in double
  std::vector<double> bound;   // |admissible - value| before storage
  std::vector<double> lo, hi;  // inclusive, in the stored type; infinities stand for themselves
  std::vector<ElementClass> cls;
  // Share of elements whose bound exceeds 2^-8 of the tensor's range (bf16 and int8: 2^-5, eight
  // units of the type), or that are kVacuous.
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

// `problem` validated and with plain layouts; which reading: problem.attr.reading. Inputs that
// accumulate (diff_weights_*) are taken from `inputs` as they were before execution.
OracleResult RunOracle(const RnnProblem& problem, const TensorSet& inputs, const OracleOptions& options = {});

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_ORACLE_ORACLE_H_
