// The model computes a reorder's result element by element: its formula (reference/reorder/reorder.h) in double, and a bound on
// the rounding errors of f32. It is slow, and independent of the library's conversions.
#ifndef TANDEM_FUZZ_REORDER_MODEL_H_
#define TANDEM_FUZZ_REORDER_MODEL_H_

#include <cstdint>
#include <vector>

#include "dnnl.hpp"

namespace tandem {
namespace fuzz {

// Returns the number in the bytes at `at`.
double LoadNumber(dnnl::memory::data_type type, const uint8_t* at);

// f32 arithmetic has computed this number: it is within `error` of `value`, or anything if `unknown` (it may have overflowed).
class Approximate {
 public:
  // Converts `value` to f32.
  explicit Approximate(double value) : value_(value) { Round(); }

  void Add(double term);
  void Multiply(double factor);
  void Divide(double divisor);
  // Makes this value + factor * other.
  void AddProduct(double factor, Approximate other);

  // Returns true if `got`, of `type`, is a number that this may be: saturated, to nearest, ties to even. NaN becomes integer 0.
  bool MayBecome(dnnl::memory::data_type type, double got) const;

 private:
  void Round();

  double value_;
  double error_ = 0;
  bool unknown_ = false;
};

// A parameter has one value, or one for each index of the dims in the mask, row-major. Without values it has no effect.
struct ModelParameter {
  int mask = 0;
  std::vector<double> values;

  double At(const dnnl::memory::dims& dims, const dnnl::memory::dims& index) const;
};

struct ReorderModel {
  // The formula is dst = convert((scale_src * (src - zp_src) * output_scale + beta * (old - zp_sum)) / scale_dst + zp_dst).
  ModelParameter src_scales, dst_scales, output_scales, src_zero_points, dst_zero_points;
  bool has_sum = false;
  double beta = 0, sum_zero_point = 0;

  // The quantization of an RNN takes the place of that formula.
  enum class Rnn { kNone, kData, kWeights };
  Rnn rnn = Rnn::kNone;
  double data_scale = 1, data_shift = 0;
  bool shift_first = true;  // scale * (x + shift), not scale * x + shift
  ModelParameter weights_scales;

  // Returns true if any of these is set. Equal types without them are copied bit for bit.
  bool HasEffect() const;
  Approximate Result(double src, double old, bool quantizes, const dnnl::memory::dims& dims,
                     const dnnl::memory::dims& index) const;
};

}  // namespace fuzz
}  // namespace tandem

#endif  // TANDEM_FUZZ_REORDER_MODEL_H_
