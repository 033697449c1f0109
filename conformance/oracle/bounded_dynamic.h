// The oracle's policy for dynamic quantization: f32 data, which become bytes before a product, and s8 weights.
#ifndef TANDEM_CONFORMANCE_ORACLE_BOUNDED_DYNAMIC_H_
#define TANDEM_CONFORMANCE_ORACLE_BOUNDED_DYNAMIC_H_

#include "conformance/oracle/bounded_numerics.h"

namespace tandem::conformance {

// The bytes of one row of an operand: all that the f32 operations of quantization.h may give. They are monotone, so those
// of the ends of the values' intervals enclose them; of exact values there is one result.
class BoundedRow {
 public:
  explicit BoundedRow(const std::vector<Bounded>& values);

  // kNothing: the range is not finite, or may not be. kNan: it certainly is not.
  enum class Kind { kBytes, kZeros, kPerhapsZeros, kNan, kNothing };
  Kind kind() const { return kind_; }
  double least_scale() const { return least_scale_; }
  double most_scale() const { return most_scale_; }
  // byte - zero point of element k.
  double least(size_t k) const { return least_[k]; }
  double most(size_t k) const { return most_[k]; }

 private:
  void FindRange(const std::vector<Bounded>& values);

  Kind kind_ = Kind::kBytes;
  // The ends of the range that are nearest to and farthest from 0.
  float near_low_ = 0, far_low_ = 0, near_high_ = 0, far_high_ = 0;
  double least_scale_ = 0, most_scale_ = 0;
  std::vector<double> least_, most_;
};

class BoundedDynamicNumerics : public BoundedByteWeightsNumerics {
 public:
  using BoundedByteWeightsNumerics::BoundedByteWeightsNumerics;
  Sum Dot(const WeightMatrix& w, const Mat& stored) const;

 private:
  Bounded Product(const WeightMatrix& w, Eigen::Index channel, const BoundedRow& row) const;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_ORACLE_BOUNDED_DYNAMIC_H_
