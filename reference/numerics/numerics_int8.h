// The arithmetic of int8 inference: states are bytes, products of bytes are exact integers, all else is real.
#ifndef TANDEM_REFERENCE_NUMERICS_NUMERICS_INT8_H_
#define TANDEM_REFERENCE_NUMERICS_NUMERICS_INT8_H_

#include <limits>

#include "api/core/attributes/quantization.h"
#include "reference/numerics/numerics.h"

namespace tandem {
namespace reference {

// The factor by which real weights were multiplied before they became bytes, for one output channel.
inline float WeightScale(const RnnProblem& problem, WeightRole role, Dim gate, Dim channel) {
  return role == WeightRole::kProjection ? ProjectionScale(problem.attr, channel)
                                         : WeightsScale(problem.attr, gate, channel, problem.dhc);
}

// One gate's weights, and what turns their products into real numbers.
template <class Real>
struct QuantizedWeights {
  Mat<Real> q;      // the bytes, [channels out, channels in]
  Mat<Real> scale;  // [channels out, 1]
  Mat<Real> sum;    // of q over the channels in, [channels out, 1]
};

template <class RealT>
class QuantizedNumerics : public ExactNumerics<RealT> {
 public:
  using Base = ExactNumerics<RealT>;
  using typename Base::Mat;
  using typename Base::Real;
  using typename Base::Sum;
  using WeightMatrix = QuantizedWeights<Real>;
  static_assert(std::numeric_limits<Real>::digits >= 32, "sums of products of bytes must be exact integers");

  explicit QuantizedNumerics(const RnnProblem& problem) : problem_(problem), data_(DataQparamsOf(problem.attr)) {}

  WeightMatrix MakeWeights(const reference::Mat<double>& raw, WeightRole role, Dim gate) const {
    WeightMatrix w;
    w.q = raw.template cast<Real>();
    w.scale.resize(raw.rows(), 1);
    for (Dim j = 0; j < raw.rows(); ++j) w.scale(j, 0) = Real(WeightScale(problem_, role, gate, j));
    w.sum = w.q.rowwise().sum();
    return w;
  }

  // W h where W = q_w / scale_w and h = (q_h - zero_point) / scale_h: an integer product, less the compensation for the
  // zero point.
  Sum Dot(const WeightMatrix& w, const Mat& q_h) const {
    const Mat product = Product(w.q, q_h);
    const Dim mb = q_h.cols();
    const Mat compensation = RepeatColumn<Real>(w.sum * Real(ZeroImage<double>(data_)), mb);
    const Mat scale = RepeatColumn<Real>(w.scale * Real(data_.scale), mb);
    return (product - compensation) / scale;  // [INT8.3]
  }

  Mat StoreState(const Mat& h) const {
    return Saturated(h.unaryExpr([this](const Real& x) { return ScaleAndShift(x, data_); }));  // [INT8.1]
  }
  Mat StoreCellState(const Mat& c) const { return RoundTo(DataType::kF32, c); }
  Mat Widen(const Mat& stored) const {
    return stored.unaryExpr([this](const Real& q) { return DequantizeData(q, data_); });  // [INT8.2]
  }
  Mat InitialState(const Mat& src_iter) const {
    return TypeOf(problem_.md[kSrcIter]) == DataType::kF32 ? StoreState(src_iter) : src_iter;
  }
  Mat AbsentState(Dim channels, Dim mb) const { return StoreState(Zeros<Real>(channels, mb)); }

  // The state is a byte, so an f32 output of an int8 problem is the dequantized byte.
  Mat LayerOutput(const Mat& stored) const { return Output(kDstLayer, stored); }
  Mat IterOutput(const Mat& stored) const { return Output(kDstIter, stored); }
  Mat LayerOutputSum(const Mat& left2right, const Mat& right2left) const {
    return problem_.attr.reading == Reading::kSpec ? SumOfReals(left2right, right2left)
                                                   : SumOfBytes(left2right, right2left);
  }

 private:
  Mat Output(Tensor tensor, const Mat& stored) const {
    return TypeOf(problem_.md[tensor]) == DataType::kF32 ? Widen(stored) : stored;
  }
  // The nearest byte, ties to even.
  Mat Saturated(const Mat& q) const {
    const bool is_u8 = problem_.SrcType() == DataType::kU8;
    return q.unaryExpr([is_u8](const Real& x) {
      return is_u8 ? Real(SaturateAndRound<uint8_t>(x)) : Real(SaturateAndRound<int8_t>(x));
    });
  }
  // The real values are summed, then quantized once: scale ((q1 - z) / scale + (q2 - z) / scale) + z = q1 + q2 - z.
  Mat SumOfReals(const Mat& q1, const Mat& q2) const {
    if (TypeOf(problem_.md[kDstLayer]) == DataType::kF32) return Widen(q1) + Widen(q2);  // [INT8.4]
    return Saturated(q1 + q2 - Real(ZeroImage<double>(data_)));                          // [INT8.4]
  }
  // The bytes are added and saturated; the sum has the zero point twice.
  Mat SumOfBytes(const Mat& q1, const Mat& q2) const {
    const Mat q = Saturated(q1 + q2);  // [INT8.5]
    if (TypeOf(problem_.md[kDstLayer]) != DataType::kF32) return q;
    return (q - Real(2.0 * ZeroImage<double>(data_))) / Real(data_.scale);  // [INT8.5]
  }

  const RnnProblem& problem_;
  DataQparams data_;
};

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_NUMERICS_NUMERICS_INT8_H_
