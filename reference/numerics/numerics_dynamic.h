// The arithmetic of dynamic quantization: states are f32. Before a matrix product, each row of the minibatch becomes bytes
// by a scale and a zero point of its own range; products of bytes are exact integers, all else is real.
#ifndef TANDEM_REFERENCE_NUMERICS_NUMERICS_DYNAMIC_H_
#define TANDEM_REFERENCE_NUMERICS_NUMERICS_DYNAMIC_H_

#include "reference/numerics/numerics_int8.h"

namespace tandem {
namespace reference {

// A stored operand of a product, [channels, mb], as bytes. A row of the minibatch is a column here.
template <class Real>
struct QuantizedRows {
  Mat<Real> q;           // [channels, mb]
  Mat<Real> scale;       // [1, mb]
  Mat<Real> zero_point;  // [1, mb]
};

// The parameters are computed and applied in f32, by the functions of quantization.h.
template <class Real>
QuantizedRows<Real> QuantizeRows(const Mat<Real>& stored) {
  QuantizedRows<Real> rows = {Mat<Real>(stored.rows(), stored.cols()), Mat<Real>(1, stored.cols()),
                              Mat<Real>(1, stored.cols())};
  for (Dim n = 0; n < stored.cols(); ++n) {
    float lowest = 0.f, highest = 0.f, not_finite = 0.f;
    for (Dim k = 0; k < stored.rows(); ++k) {
      const float value = static_cast<float>(stored(k, n));
      lowest = std::min(lowest, value);
      highest = std::max(highest, value);
      not_finite += value * 0.f;  // NaN, which min and max may lose
    }
    const RowQuantization row = RowQuantizationOf(lowest + not_finite, highest);  // [INT8.7] [INT8.8]
    rows.scale(0, n) = Real(row.scale);
    rows.zero_point(0, n) = Real(row.zero_point);
    for (Dim k = 0; k < stored.rows(); ++k) {
      rows.q(k, n) = Real(QuantizeInRow(static_cast<float>(stored(k, n)), row));  // [INT8.9]
    }
  }
  return rows;
}

template <class RealT>
class DynamicNumerics : public StorageNumerics<RealT> {
 public:
  using Base = StorageNumerics<RealT>;
  using typename Base::Mat;
  using typename Base::Real;
  using typename Base::Sum;
  using WeightMatrix = QuantizedWeights<Real>;
  static_assert(std::numeric_limits<Real>::digits >= 32, "sums of products of bytes must be exact integers");

  explicit DynamicNumerics(const RnnProblem& problem) : Base(problem), problem_(problem) {}

  WeightMatrix MakeWeights(const reference::Mat<double>& raw, WeightRole role, Dim gate) const {
    return MakeQuantizedWeights<Real>(problem_, raw, role, gate);
  }
  Sum Dot(const WeightMatrix& w, const Mat& stored) const {
    const QuantizedRows<Real> h = QuantizeRows(stored);
    const Dim channels = w.q.rows(), mb = stored.cols();
    const Mat s = RepeatRow<Real>(h.scale, channels), Z = RepeatRow<Real>(h.zero_point, channels);
    const Mat acc = Product(w.q, h.q) - Z * RepeatColumn<Real>(w.sum, mb);
    return s * acc / RepeatColumn<Real>(w.scale, mb);  // [INT8.10]
  }

 private:
  const RnnProblem& problem_;
};

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_NUMERICS_NUMERICS_DYNAMIC_H_
