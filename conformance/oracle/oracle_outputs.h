// From the oracle's last states to the set of values that each element of dst_layer, dst_iter and dst_iter_c may have.
#ifndef TANDEM_CONFORMANCE_ORACLE_ORACLE_OUTPUTS_H_
#define TANDEM_CONFORMANCE_ORACLE_ORACLE_OUTPUTS_H_

#include "conformance/oracle/bounded_int8.h"
#include "conformance/oracle/bounded_numerics.h"
#include "conformance/oracle/oracle.h"

namespace tandem::conformance {

// What one output element may be: `before` is the result before it is stored, [lo, hi] what storing can make of it.
struct Admissible {
  Bounded before;
  double lo = 0, hi = 0;
  // Of gradients and dequantized bytes: the sum of the terms' magnitudes, against which a bound is vacuous or not even
  // if they cancel.
  double terms = 0;
};

// What no rounding and no order of operations changes.
Admissible Exactly(double value);
// Any f32, bf16 or f16 output.
Admissible AdmissibleFloat(DataType type, const Bounded& before, Subnormals subnormals);
// The sum of two directions: of the stored halves, or of the unrounded ones, stored once.
Admissible AdmissibleSum(DataType type, const Bounded& a, const Bounded& b, Subnormals subnormals);
// A byte, or the f32 that stands for one.
Admissible AdmissibleQuantized(DataType type, const BoundedQuantization& data, const Bounded& before);
Admissible AdmissibleQuantizedSum(DataType type, const BoundedQuantization& data, const Bounded& a, const Bounded& b);

// An output tensor under construction, element by element in row-major order.
class OracleTensorBuilder {
 public:
  // A bound is vacuous above 2^-8 of the tensor's range, or above eight units of what the problem's type resolves; above
  // 32 units where each operation may round to that type.
  OracleTensorBuilder(const RnnProblem& problem, const Declaration& declared, Tensor tensor);
  void Set(size_t index, const Admissible& element);
  // Computes the vacuous share.
  OracleTensor Finish();

 private:
  OracleTensor result_;
  double vacuous_beyond_;
  double range_ = 0;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_ORACLE_ORACLE_OUTPUTS_H_
