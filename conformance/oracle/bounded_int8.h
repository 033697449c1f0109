// The oracle's policy for u8/s8 activations and s8 weights: integers are exact, everything else is f32.
#ifndef TANDEM_CONFORMANCE_ORACLE_BOUNDED_INT8_H_
#define TANDEM_CONFORMANCE_ORACLE_BOUNDED_INT8_H_

#include "conformance/oracle/bounded_numerics.h"

namespace tandem::conformance {

// 255 * 128 * K stays below 2^31 up to here; beyond, an s32 accumulator may wrap.
constexpr Eigen::Index kMaxExactInputs = 65792;

// Data quantization q = sat(rne(scale x + zero_point)). In the specification's scale (x + shift), zero_point is scale
// shift.
struct BoundedQuantization {
  explicit BoundedQuantization(const RnnProblem& problem);

  // The f32 value before rounding, with every factoring's error. Of an exact f32 it is what quantization.h defines, and
  // the error is the distance to what other orders of the same f32 operations give: 0 where they agree.
  Bounded Before(const Bounded& x) const;
  // The same of a byte of bidirectional_sum, from both directions' bytes, whose sum is an exact integer.
  Bounded SumBefore(const Bounded& a, const Bounded& b) const;
  // All integers that rounding and saturating `before` may give, as an interval: both neighbours where the bound
  // straddles a tie.
  Bounded Quantized(const Bounded& before) const;
  // The real number that a byte stands for.
  Bounded Dequantized(const Bounded& q) const;

  DataType type;  // u8 or s8
  double scale, shift, zero_point;
  Reading reading;

 private:
  Bounded BeforeOfExact(const Bounded& x) const;
};

class BoundedInt8Numerics {
 public:
  using Real = Bounded;
  using Mat = BoundedMat;
  struct WeightMatrix {
    DoubleMat q;           // [channels out, channels in]
    DoubleMat column_sum;  // [channels out, 1]
    DoubleMat unit;        // [channels out, 1]: 1 / (data scale * weight scale)
  };
  using Sum = BoundedMat;
  using WeightGradient = BoundedMat;

  BoundedInt8Numerics(const RnnProblem& problem, const Declaration& declared);

  WeightMatrix MakeWeights(const DoubleMat& raw, reference::WeightRole role, Dim gate) const;
  Sum Dot(const WeightMatrix& w, const Mat& stored) const;
  Sum Term(const Mat& m) const { return m; }
  Mat Value(const Sum& sum) const { return real_.Value(sum); }
  Mat Sigmoid(const Sum& a) const { return real_.Sigmoid(a); }
  Mat Tanh(const Sum& a) const { return real_.Tanh(a); }
  Mat Relu(const Sum& a, double alpha) const { return real_.Relu(a, alpha); }
  Mat Activate(const ActivationFunction& f, const Sum& a) const { return real_.Activate(f, a); }
  Mat Clip(const Mat& a, double bound) const { return real_.Clip(a, bound); }
  Mat Mix(const Mat& u, const Mat& h, const Mat& o) const { return real_.Mix(u, h, o); }

  Mat StoreState(const Mat& h) const;
  Mat StoreCellState(const Mat& c) const { return real_.StoreCellState(c); }
  Mat Widen(const Mat& stored) const;
  Mat InitialState(const Mat& src_iter) const;
  Mat AbsentState(Dim channels, Dim mb) const;
  Mat LayerOutput(const Mat& stored) const { return stored; }
  Mat IterOutput(const Mat& stored) const { return stored; }
  Bounded ZeroOutput(Tensor /*tensor*/) const { return Bounded(0.0); }
  Mat LayerOutputSum(const Mat& left2right, const Mat& right2left) const;

  // As in BoundedNumerics; the state before the store is in real units, before quantization.
  Mat Own(const Mat& m) const { return real_.Own(m); }
  const Mat& state_before_store() const { return state_; }
  const Mat& cell_before_store() const { return real_.cell_before_store(); }
  Mat Recurrent(const Mat& before_store) const;
  Bounded Forced(double output) const;

  const BoundedQuantization& data() const { return data_; }

 private:
  const RnnProblem& problem_;
  BoundedNumerics real_;
  BoundedQuantization data_;
  mutable Mat state_;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_ORACLE_BOUNDED_INT8_H_
