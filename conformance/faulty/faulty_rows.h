// Dynamic quantization with injection points: one row of an operand as bytes.
#ifndef TANDEM_CONFORMANCE_FAULTY_FAULTY_ROWS_H_
#define TANDEM_CONFORMANCE_FAULTY_FAULTY_ROWS_H_

#include <vector>

#include "conformance/faulty/faulty_arithmetic.h"

namespace tandem::conformance {

// Rows of an operand, one after the other.
struct OperandRows {
  const float* values;
  Dim width;
  Dim rows;
};

class FaultyBytes {
 public:
  // `row` of `width` values. Mistakes take the range of `operand`, which has the row, or of `input`, the row of x.
  FaultyBytes(const FaultyArithmetic& math, const float* row, const OperandRows& operand, const OperandRows& input);
  // The sum of the products with `n` weights, times the scale of the row.
  double Product(long n, const float* weights, long stride) const;

 private:
  const FaultyArithmetic& math_;
  std::vector<float> q_;
  double scale_ = 1, zero_point_ = 0;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_FAULTY_FAULTY_ROWS_H_
