// The policies under which the reference's cells become the oracle: every operation of reference/numerics/numerics.h
// with the error that the data types allow it. docs/verdicts/method.md derives each rule.
#ifndef TANDEM_CONFORMANCE_ORACLE_BOUNDED_NUMERICS_H_
#define TANDEM_CONFORMANCE_ORACLE_BOUNDED_NUMERICS_H_

#include "api/core/rnn/rnn_problem.h"
#include "conformance/oracle/bounded.h"
#include "conformance/oracle/declaration.h"
#include "reference/numerics/numerics.h"

namespace tandem::conformance {

using BoundedMat = reference::Mat<Bounded>;
using DoubleMat = reference::Mat<double>;

// What a stored element of `type` may be when `value` is stored, as an interval about its centre: rounding is monotone,
// so the roundings of both ends enclose all others.
Bounded Stored(DataType type, const Bounded& value);
// Either stored or not: any tensor that enters a product may be rounded once to the problem's type.
Bounded StoredOrNot(DataType type, const Bounded& value);

// A monotone function of `open`, `ulp` units in the last place and `absolute` off.
Bounded Monotone(const Bounded& open, double (*f)(double), double ulp, double absolute);
Bounded BoundedSigmoid(const Declaration& declared, const Bounded& a);
Bounded BoundedTanh(const Declaration& declared, const Bounded& a);
// Both branches where the bound straddles zero.
Bounded BoundedRelu(const Bounded& a, double alpha);
// u h + (1 - u) o, or o + u (h - o): the three occurrences of u are one value.
Bounded BoundedMix(const Bounded& u, const Bounded& h, const Bounded& o);

// y (1 - y) or y - y^2; 1 - y^2 or (1 - y)(1 + y).
Bounded BoundedSigmoidSlope(const Bounded& y);
Bounded BoundedTanhSlope(const Bounded& y);
// 1 or alpha; either where the bound straddles zero.
Bounded BoundedReluSlope(const Bounded& a, double alpha);

// Any other activation, and its slope from the pre-activation `a`.
Bounded BoundedActivation(const Declaration& declared, const ActivationFunction& f, const Bounded& a);
Bounded BoundedActivationSlope(const Declaration& declared, const ActivationFunction& f, const Bounded& a);

// `a` within [-bound, bound], and the slope of that: 0, 1, or all between where the interval of `a` has a bound in it.
Bounded BoundedClip(const Bounded& a, double bound);
Bounded BoundedClipSlope(const Bounded& a, double bound);

// w x with exact weights.
BoundedMat BoundedProduct(const Arithmetic* arithmetic, const DoubleMat& w, const BoundedMat& x);
// a b, both inexact, entries as open sums.
BoundedMat BoundedProduct(const Arithmetic* arithmetic, const BoundedMat& a, const BoundedMat& b);
// `relative` of the magnitude of every term comes on top (fpmath modes).
void AddRelativeError(double relative, BoundedMat* sums);
// What converting both factors of a product to a type that `mode` permits may change, relative to the product.
double ConversionError(FpmathMode mode);

// Whether the operations of the problem's cell may round to its 16-bit type.
inline bool HasNarrowOperations(const Declaration& declared, const RnnProblem& problem) {
  return IsNarrowFloat(problem.SrcType()) && (declared.narrow_operations >> static_cast<int>(problem.cell) & 1u) != 0;
}

// f32, bf16 and f16.
class BoundedNumerics {
 public:
  using Real = Bounded;
  using Mat = BoundedMat;
  using WeightMatrix = DoubleMat;
  using Sum = BoundedMat;
  using WeightGradient = BoundedMat;

  // `computed`: a sum that no activation follows is a gradient with kBackward, else a pre-activation or a projection. A
  // backward problem needs both: it computes the forward equations again.
  BoundedNumerics(const RnnProblem& problem, const Declaration& declared,
                  Propagation computed = Propagation::kForwardTraining);
  // Its values point into it.
  BoundedNumerics(const BoundedNumerics&) = delete;
  BoundedNumerics& operator=(const BoundedNumerics&) = delete;

  const Arithmetic& arithmetic() const { return arithmetic_; }
  // f of every element, in this policy's arithmetic.
  template <class F>
  Mat Each(const Mat& m, F f) const {
    Mat result(m.rows(), m.cols());
    for (Eigen::Index i = 0; i < m.size(); ++i) result.data()[i] = f(m.data()[i].In(&arithmetic_));
    return result;
  }
  // What was read from memory, in this policy's arithmetic.
  Mat Own(const Mat& m) const {
    return Each(m, [](const Bounded& x) { return x; });
  }

  WeightMatrix MakeWeights(const DoubleMat& raw, reference::WeightRole, Dim) const { return raw; }
  Sum Dot(const WeightMatrix& w, const Mat& stored) const;
  Sum Term(const Mat& m) const { return m; }
  Mat Value(const Sum& sum) const;
  Mat Sigmoid(const Sum& a) const;
  Mat Tanh(const Sum& a) const;
  Mat Relu(const Sum& a, double alpha) const;
  Mat Activate(const ActivationFunction& f, const Sum& a) const;
  Mat Clip(const Mat& a, double bound) const;
  Mat ClipSlope(const Mat& a, double bound) const;
  Mat Mix(const Mat& u, const Mat& h, const Mat& o) const;

  Mat StoreState(const Mat& h) const;
  Mat StoreCellState(const Mat& c) const;
  Mat Widen(const Mat& stored) const { return stored; }
  Mat InitialState(const Mat& src_iter) const { return src_iter; }
  Mat AbsentState(Dim channels, Dim mb) const { return reference::Zeros<Bounded>(channels, mb); }
  Mat LayerOutput(const Mat& stored) const { return stored; }
  Mat IterOutput(const Mat& stored) const { return stored; }
  Bounded ZeroOutput(Tensor /*tensor*/) const { return Bounded(0.0); }
  Mat LayerOutputSum(const Mat& left2right, const Mat& right2left) const;

  Mat SigmoidSlope(const Mat& y) const;
  Mat TanhSlope(const Mat& y) const;
  Mat ReluSlope(const Mat& a, double alpha) const;
  Mat ActivationSlope(const ActivationFunction& f, const Mat& a) const;
  Mat SumChannels(const Mat& m) const;
  Mat StoreGate(const Mat& gate) const;
  Mat StoreDelta(const Mat& delta) const;
  Sum DotTransposed(const WeightMatrix& w, const Mat& delta) const;
  void AddOuter(const Mat& delta, const Mat& x, WeightGradient* dw) const;
  void AddColumns(const Mat& delta, Mat* db) const;
  // bounded_norm.cc
  Mat Mean(const Mat& v) const;
  Mat Centered(const Mat& v) const;
  Mat Root(const Mat& variance, double epsilon) const;
  Mat Standardized(const Mat& centered, const Mat& root) const;
  WeightGradient ZeroGradient(Dim channels_out, Dim channels_in) const {
    return reference::Zeros<Bounded>(channels_out, channels_in);
  }

  // For the hook that sees a step's result. The argument of the last StoreState and StoreCellState, closed:
  const Mat& state_before_store() const { return state_; }
  const Mat& cell_before_store() const { return cell_; }
  // and the state as the next step and the next layer may see it.
  Mat Recurrent(const Mat& before_store) const;
  // c_t as backward may see it: as it is stored, or as forward used it.
  Mat CellForBackward() const;
  // `h_hat`, which forward projected, as backward may see it: as it was or, in 16 bits, as `again`, which is computed once more
  // from the stored c_t and the saved gate o.
  Mat ProjectedForBackward(const Mat& h_hat, const Mat& again) const;
  // A gradient in f32 as backward may have it: converted is the first operation.
  Mat ReadGradient(const Mat& diff_dst) const { return ResultOf(diff_dst); }
  // A visible output as the next step may have seen it.
  Bounded Forced(double output) const;

 private:
  // A slope as backward may have it, declared_.narrow_slopes considered.
  Bounded Slope(const Bounded& slope) const;
  // What enters an activation, declared_.narrow_sums considered.
  Bounded PreActivation(const Bounded& sum) const;
  // A gradient of parameters after a step, declared_.narrow_gradients considered.
  void RoundGradient(Mat* gradient) const;

  // Open sums of f32, and what is not summed, as operations return them, declared_.narrow_operations considered.
  Mat ResultOf(const Sum& sums) const;
  // What a product of matrices reads: its sums are not those of its operands.
  Mat Operand(const Mat& m) const { return narrow_operations_ ? Value(m) : m; }

  DataType state_type_;
  DataType cell_type_;
  double conversion_;
  bool permits_f16_;
  bool narrow_slopes_;
  bool narrow_sums_;  // forward
  bool narrow_operations_;
  bool narrow_gradients_;  // backward
  Declaration declared_;
  const Arithmetic sums_;        // of products of matrices
  const Arithmetic arithmetic_;  // of everything else
  mutable Mat state_;
  mutable Mat cell_;
};

// Those of the data, with weights in s8: the real weight is its byte over the scale of its channel, and neither it nor the
// sum of products is rounded below f32. The sum may be that of products with bytes.
class BoundedByteWeightsNumerics : public BoundedNumerics {
 public:
  struct WeightMatrix {
    DoubleMat q;     // [channels out, channels in]
    DoubleMat unit;  // [channels out, 1]: 1 / scale
  };

  BoundedByteWeightsNumerics(const RnnProblem& problem, const Declaration& declared)
      : BoundedNumerics(problem, declared), problem_(problem) {}

  WeightMatrix MakeWeights(const DoubleMat& raw, reference::WeightRole role, Dim gate) const;
  Sum Dot(const WeightMatrix& w, const Mat& stored) const;

 private:
  const RnnProblem& problem_;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_ORACLE_BOUNDED_NUMERICS_H_
