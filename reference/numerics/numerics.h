// The arithmetic of the equations. Every operation that has a rounding error of its own, and every point where a value
// is stored in a narrower type, is a member of a policy N that the cells and the stack take as a parameter.
// docs/numerics.md shows the same points as a table.
//
// A policy has the types
//   Real            the scalar; Real(double) is exact
//   Mat             Eigen array of Real, [channels, mb]
//   WeightMatrix    one gate's weights, [channels out, channels in], as Dot wants them
//   Sum             a pre-activation being summed in f32, in no particular order; has operator+
//   WeightGradient  what AddOuter adds to, [channels out, channels in]
// and the members of ExactNumerics below. Another policy derives from ExactNumerics and hides what differs, or has the
// same members of its own.
#ifndef TANDEM_REFERENCE_NUMERICS_NUMERICS_H_
#define TANDEM_REFERENCE_NUMERICS_NUMERICS_H_

#include <cmath>

#include "api/core/attributes/quantization.h"
#include "api/core/rnn/rnn_problem.h"
#include "reference/numerics/activations.h"
#include "reference/numerics/matrix.h"
#include "reference/numerics/rounding.h"

namespace tandem {
namespace reference {

enum class WeightRole { kLayer, kIter, kProjection };

// The equations as they stand: nothing is rounded beyond what Real itself does.
template <class RealT>
class ExactNumerics {
 public:
  using Real = RealT;
  using Mat = reference::Mat<Real>;
  using WeightMatrix = Mat;
  using Sum = Mat;
  using WeightGradient = Mat;

  // `raw` is [channels out, channels in], as read from memory; `gate` is its index (0 for a projection).
  WeightMatrix MakeWeights(const reference::Mat<double>& raw, WeightRole, Dim /*gate*/) const {
    return raw.template cast<Real>();
  }

  // Terms of a pre-activation: w x, and a matrix that is already there (bias, peephole product).
  Sum Dot(const WeightMatrix& w, const Mat& stored) const { return Product(w, stored); }
  Sum Term(const Mat& m) const { return m; }
  // The finished sum as a matrix, where no activation follows (projection, linear-before-reset, backward).
  Mat Value(const Sum& sum) const { return sum; }

  // Sigmoid, Relu and Activate take a Sum; Tanh takes a Sum and, in tanh(c_t), a Mat.
  Mat Sigmoid(const Sum& a) const { return SigmoidOf(a); }
  Mat Tanh(const Sum& a) const { return TanhOf(a); }
  Mat Relu(const Sum& a, double alpha) const { return ReluOf(a, alpha); }
  // Any activation, and its derivative from the pre-activation.
  Mat Activate(const ActivationFunction& f, const Sum& a) const {
    return a.unaryExpr([&f](const Real& value) { return ActivationOf(f, value); });
  }
  Mat ActivationSlope(const ActivationFunction& f, const Mat& a) const {
    return a.unaryExpr([&f](const Real& value) { return ActivationSlopeOf(f, value); });
  }
  // A pre-activation within [-bound, bound], and the derivative of that, which is 1 at the bounds, too.
  Mat Clip(const Mat& a, double bound) const {
    return a.unaryExpr([bound](const Real& value) { return ClipOf(value, bound); });
  }
  Mat ClipSlope(const Mat& a, double bound) const {
    const Real limit(bound);
    return a.unaryExpr([limit](const Real& value) { return value > limit || value < -limit ? Real(0.0) : Real(1.0); });
  }
  // u * h + (1 - u) * o. One call, because a policy of error bounds must know that every u in it is the same value.
  Mat Mix(const Mat& u, const Mat& h, const Mat& o) const { return u * h + (Real(1.0) - u) * o; }

  // h_t, r_t * h_{t-1} and, before a projection, tanh(c_t) * o_t: stored in src_layer's type before a product uses it.
  Mat StoreState(const Mat& h) const { return h; }
  // c_t as the next step and backward see it. o_t's peephole and tanh(c_t) use the value before.
  Mat StoreCellState(const Mat& c) const { return c; }
  // The real number that a stored state stands for.
  Mat Widen(const Mat& stored) const { return stored; }
  // src_iter as read, and zeros for an absent one, as stored states.
  Mat InitialState(const Mat& src_iter) const { return src_iter; }
  Mat AbsentState(Dim channels, Dim mb) const { return Zeros<Real>(channels, mb); }

  // A stored state as dst_layer and dst_iter receive it; the sum of two directions as dst_layer receives it.
  Mat LayerOutput(const Mat& stored) const { return stored; }
  Mat IterOutput(const Mat& stored) const { return stored; }
  // 0.0 as that tensor stores it, which rows without a step leave.
  Real ZeroOutput(Tensor /*tensor*/) const { return Real(0.0); }
  Mat LayerOutputSum(const Mat& left2right, const Mat& right2left) const { return left2right + right2left; }

  // Training: a gate as the workspace keeps it.
  Mat StoreGate(const Mat& gate) const { return gate; }
  // Derivatives of the activations, from the activated value y. relu's is from the pre-activation a, because with a
  // negative alpha the sign of y does not tell that of a; at a = 0 it is alpha.
  Mat SigmoidSlope(const Mat& y) const { return y * (Real(1.0) - y); }
  Mat TanhSlope(const Mat& y) const { return Real(1.0) - y * y; }
  Mat ReluSlope(const Mat& a, double alpha) const {
    const Real slope(alpha);
    return a.unaryExpr([slope](const Real& value) { return ReluSlopeOf(value, slope); });
  }
  // Backward: the gradient of a pre-activation, before products and sums use it.
  Mat StoreDelta(const Mat& delta) const { return delta; }
  // w^T delta, a term of a gradient of x or h.
  Sum DotTransposed(const WeightMatrix& w, const Mat& delta) const { return TransposedProduct(w, delta); }
  // dw += delta x^T and db += the sum of delta's columns: one step's part of a sum over time and minibatch.
  void AddOuter(const Mat& delta, const Mat& x, WeightGradient* dw) const { *dw += OuterProduct(delta, x); }
  void AddColumns(const Mat& delta, Mat* db) const {
    for (Dim n = 0; n < delta.cols(); ++n) db->col(0) += delta.col(n);
  }
  // The sum over the channels, [1, mb].
  Mat SumChannels(const Mat& m) const {
    Mat sum = Zeros<Real>(1, m.cols());
    for (Dim j = 0; j < m.rows(); ++j) sum.row(0) += m.row(j);
    return sum;
  }

  // Layer normalization (layer_norm.h). The mean of each column, repeated for its channels; what is left of v without it; the
  // root of variance + epsilon; the quotient.
  Mat Mean(const Mat& v) const {
    return RepeatRow(Mat(SumChannels(v) / Real(static_cast<double>(v.rows()))), v.rows());
  }
  Mat Centered(const Mat& v) const { return v - Mean(v); }
  Mat Root(const Mat& variance, double epsilon) const {
    using std::sqrt;
    return variance.unaryExpr([epsilon](const Real& s) { return Real(sqrt(Real(s + Real(epsilon)))); });
  }
  Mat Standardized(const Mat& centered, const Mat& root) const { return centered / root; }

  WeightGradient ZeroGradient(Dim channels_out, Dim channels_in) const {
    return Zeros<Real>(channels_out, channels_in);
  }
};

// The factor by which real weights were multiplied before they became bytes, for one output channel.
inline float WeightScale(const RnnProblem& problem, WeightRole role, Dim gate, Dim channel) {
  return role == WeightRole::kProjection ? ProjectionScale(problem.attr, channel)
                                         : WeightsScale(problem.attr, gate, channel, problem.dhc);
}

// f32, bf16 and f16: computed in Real, rounded where a tensor is stored. An fpmath mode converts both operands of each
// product. Weights may be s8.
template <class RealT>
class StorageNumerics : public ExactNumerics<RealT> {
 public:
  using Base = ExactNumerics<RealT>;
  using typename Base::Mat;
  using typename Base::Real;
  using typename Base::Sum;
  using typename Base::WeightGradient;
  using typename Base::WeightMatrix;

  explicit StorageNumerics(const RnnProblem& problem)
      : problem_(problem),
        state_type_(problem.SrcType()),
        cell_state_type_(CellStateType(problem)),
        fpmath_(EffectiveFpmathMode(problem)) {}

  WeightMatrix MakeWeights(const reference::Mat<double>& raw, WeightRole role, Dim gate) const {
    WeightMatrix w = Base::MakeWeights(raw, role, gate);
    for (Dim j = 0; problem_.HasByteWeights() && j < raw.rows(); ++j) {
      w.row(j) = w.row(j) / Real(WeightScale(problem_, role, gate, j));  // [INT8.6]
    }
    return RoundOperand(fpmath_, w);
  }
  Sum Dot(const WeightMatrix& w, const Mat& stored) const { return Base::Dot(w, RoundOperand(fpmath_, stored)); }

  Mat StoreState(const Mat& h) const { return RoundTo(state_type_, h); }
  Mat StoreCellState(const Mat& c) const { return RoundTo(cell_state_type_, c); }
  Mat LayerOutputSum(const Mat& left2right, const Mat& right2left) const {
    return RoundTo(state_type_, Base::LayerOutputSum(left2right, right2left));
  }

  Mat StoreGate(const Mat& gate) const { return RoundTo(state_type_, gate); }
  Mat StoreDelta(const Mat& delta) const { return RoundTo(state_type_, delta); }
  Sum DotTransposed(const WeightMatrix& w, const Mat& delta) const {
    return Base::DotTransposed(w, RoundOperand(fpmath_, delta));
  }
  void AddOuter(const Mat& delta, const Mat& x, WeightGradient* dw) const {
    Base::AddOuter(RoundOperand(fpmath_, delta), RoundOperand(fpmath_, x), dw);
  }

 private:
  const RnnProblem& problem_;
  DataType state_type_;
  DataType cell_state_type_;
  FpmathMode fpmath_;
};

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_NUMERICS_NUMERICS_H_
