// What an implementation declares about its arithmetic, and is then held to.
#ifndef TANDEM_CONFORMANCE_ORACLE_DECLARATION_H_
#define TANDEM_CONFORMANCE_ORACLE_DECLARATION_H_

#include <limits>

namespace tandem::conformance {

enum class Recurrence {
  kStored,  // h enters the next step and layer as its data type stores it
  kWide,    // h may also enter unrounded (f32)
};
enum class Subnormals {
  kMayFlush,  // subnormal operands and results may count as zero
  kKeep,
};
enum class NanPolicy {
  kIeee,      // an output that depends on a NaN is NaN: a violation fails
  kFastMath,  // ... is a quality warning
};

struct Declaration {
  double sigmoid_ulp = 4;
  double tanh_ulp = 5;
  // Absolute errors that come on top.
  double sigmoid_abs = 0, tanh_abs = 0;
  // Sigmoid and tanh are exactly 0 (up to subnormals), 1 or -1 for larger arguments: their limits are nearer than
  // 2^-57.
  double exact_beyond = 40;
  // n rounding errors of a sum count as no more than this times sqrt(n). Infinity: the bound holds for any signs of the
  // errors; 6 is beyond what errors of random signs reach in 10^7 sums (2 exp(-6^2 / 2), Higham and Mary 2019).
  double typical_growth = std::numeric_limits<double>::infinity();
  Recurrence recurrence = Recurrence::kStored;
  Recurrence cell_state = Recurrence::kStored;  // the same of c
  Subnormals subnormals = Subnormals::kMayFlush;
  NanPolicy nan = NanPolicy::kIeee;
  // 1 << Cell for each cell whose backward may evaluate y (1 - y) and (1 - y)(1 + y) in the data type.
  unsigned narrow_slopes = 0;
  // 1 << Cell for each cell whose pre-activations may be rounded to the 16-bit data type.
  unsigned narrow_sums = 0;
  // 1 << Cell for each cell in which each operation may round its result to the 16-bit data type. A product of matrices
  // is one operation and sums in f32.
  unsigned narrow_operations = 0;
  // Gradients may be rounded to the problem's 16-bit type: those stored in f32, those of x and h that a step of
  // backward hands on, and those of parameters after each step.
  bool narrow_gradients = false;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_ORACLE_DECLARATION_H_
