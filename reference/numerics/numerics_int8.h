// The arithmetic of int8 inference: states are bytes, products of bytes are exact integers, all else is real.
#ifndef TANDEM_REFERENCE_NUMERICS_NUMERICS_INT8_H_
#define TANDEM_REFERENCE_NUMERICS_NUMERICS_INT8_H_

#include <limits>

#include "api/core/attributes/quantization.h"
#include "reference/numerics/numerics.h"

namespace tandem {
namespace reference {

// One gate's weights, and what turns their products into real numbers.
template <class Real>
struct QuantizedWeights {
  Mat<Real> q;      // the bytes, [channels out, channels in]
  Mat<Real> scale;  // [channels out, 1]
  Mat<Real> sum;    // of q over the channels in, [channels out, 1]
};

// `raw` as in MakeWeights of a policy.
template <class Real>
QuantizedWeights<Real> MakeQuantizedWeights(const RnnProblem& problem, const Mat<double>& raw, WeightRole role,
                                            Dim gate) {
  QuantizedWeights<Real> w;
  w.q = raw.template cast<Real>();
  w.scale.resize(raw.rows(), 1);
  for (Dim j = 0; j < raw.rows(); ++j) w.scale(j, 0) = Real(WeightScale(problem, role, gate, j));
  w.sum = w.q.rowwise().sum();
  return w;
}

// A pre-activation being summed: W x and U h share their scales, so their integers are added before anything is rounded.
template <class Real>
struct QuantizedSum {
  Mat<Real> acc;      // of products of bytes; empty without products
  Mat<Real> weights;  // of the weights in them
  Mat<Real> scale;    // of the weights
  Mat<Real> term;     // real terms; empty without any

  friend QuantizedSum operator+(const QuantizedSum& a, const QuantizedSum& b) {
    QuantizedSum sum;
    sum.acc = Added(a.acc, b.acc);
    sum.weights = Added(a.weights, b.weights);
    sum.scale = a.scale.size() > 0 ? a.scale : b.scale;
    sum.term = Added(a.term, b.term);
    return sum;
  }

 private:
  static Mat<Real> Added(const Mat<Real>& a, const Mat<Real>& b) {
    if (a.size() == 0 || b.size() == 0) return a.size() == 0 ? b : a;
    return a + b;
  }
};

// The parameters are applied in f32, by the functions of quantization.h; activations and gates are computed in Real.
template <class RealT>
class QuantizedNumerics : public ExactNumerics<RealT> {
 public:
  using Base = ExactNumerics<RealT>;
  using typename Base::Mat;
  using typename Base::Real;
  using Sum = QuantizedSum<Real>;
  using WeightMatrix = QuantizedWeights<Real>;
  static_assert(std::numeric_limits<Real>::digits >= 32, "sums of products of bytes must be exact integers");

  void Centered() const = delete;  // sums of bytes are not normalized

  explicit QuantizedNumerics(const RnnProblem& problem) : problem_(problem), data_(DataQparamsOf(problem.attr)) {}

  WeightMatrix MakeWeights(const reference::Mat<double>& raw, WeightRole role, Dim gate) const {
    return MakeQuantizedWeights<Real>(problem_, raw, role, gate);
  }

  Sum Dot(const WeightMatrix& w, const Mat& q_h) const {
    Sum sum;
    sum.acc = Product(w.q, q_h);
    sum.weights = RepeatColumn<Real>(w.sum, q_h.cols());
    sum.scale = RepeatColumn<Real>(w.scale, q_h.cols());
    return sum;
  }
  Sum Term(const Mat& m) const {
    Sum sum;
    sum.term = m;
    return sum;
  }
  // W h where W = q_w / scale_w and h = (q_h - zero_point) / scale_h: an integer product, less the compensation for the
  // zero point.
  Mat Value(const Sum& sum) const {
    Mat value(sum.acc.rows(), sum.acc.cols());
    for (Dim i = 0; i < value.size(); ++i) {
      const float scale = static_cast<float>(sum.scale(i)), weights = static_cast<float>(sum.weights(i));
      const float term = sum.term.size() == 0 ? 0.f : static_cast<float>(sum.term(i));
      value(i) = Real(PreActivation(static_cast<float>(sum.acc(i)), ProductScale(scale, data_),
                                    term - ProductOffset(weights, scale, RealShift(data_))));  // [INT8.3]
    }
    return value;
  }

  Mat Sigmoid(const Sum& a) const { return Base::Sigmoid(Value(a)); }
  Mat Tanh(const Sum& a) const { return Base::Tanh(Value(a)); }
  Mat Tanh(const Mat& c) const { return Base::Tanh(c); }
  Mat Relu(const Sum& a, double alpha) const { return Base::Relu(Value(a), alpha); }
  Mat Activate(const ActivationFunction& f, const Sum& a) const { return Base::Activate(f, Value(a)); }

  Mat StoreState(const Mat& h) const {
    return h.unaryExpr([this](const Real& x) {
      return AsByte([&](auto type) { return QuantizeData<decltype(type)>(static_cast<float>(x), data_); });  // [INT8.1]
    });
  }
  Mat StoreCellState(const Mat& c) const { return RoundTo(DataType::kF32, c); }
  Mat Widen(const Mat& stored) const {
    return stored.unaryExpr([this](const Real& q) {
      return Real(DequantizeData(static_cast<float>(q), data_));  // [INT8.2]
    });
  }
  Mat InitialState(const Mat& src_iter) const {
    return TypeOf(problem_.md[kSrcIter]) == DataType::kF32 ? StoreState(src_iter) : src_iter;
  }
  Mat AbsentState(Dim channels, Dim mb) const { return StoreState(Zeros<Real>(channels, mb)); }

  // The state is a byte, so an f32 output of an int8 problem is the dequantized byte.
  Mat LayerOutput(const Mat& stored) const { return Output(kDstLayer, stored); }
  Mat IterOutput(const Mat& stored) const { return Output(kDstIter, stored); }
  Real ZeroOutput(Tensor tensor) const {
    return TypeOf(problem_.md[tensor]) == DataType::kF32 ? Real(0.0) : AbsentState(1, 1)(0);
  }
  Mat LayerOutputSum(const Mat& left2right, const Mat& right2left) const {
    const bool real = TypeOf(problem_.md[kDstLayer]) == DataType::kF32;
    Mat sum(left2right.rows(), left2right.cols());
    for (Dim i = 0; i < sum.size(); ++i) {
      sum(i) = AsByte([&](auto type) {
        using Int = decltype(type);
        const Int q1 = static_cast<Int>(left2right(i)), q2 = static_cast<Int>(right2left(i));
        return real ? RealSumOfDirections(q1, q2, data_) : SumOfDirections(q1, q2, data_);  // [INT8.4] [INT8.5]
      });
    }
    return sum;
  }

 private:
  Mat Output(Tensor tensor, const Mat& stored) const {
    return TypeOf(problem_.md[tensor]) == DataType::kF32 ? Widen(stored) : stored;
  }
  // f(Int()), where Int is the type of the stored states.
  template <class F>
  Real AsByte(F f) const {
    return problem_.SrcType() == DataType::kU8 ? Real(f(uint8_t())) : Real(f(int8_t()));
  }

  const RnnProblem& problem_;
  DataQparams data_;
};

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_NUMERICS_NUMERICS_INT8_H_
