// The functions of a cell's gates: sigmoid and tanh, or those that the attributes give (api/core/gate_functions.h).
#ifndef TANDEM_REFERENCE_CELLS_GATE_FUNCTIONS_H_
#define TANDEM_REFERENCE_CELLS_GATE_FUNCTIONS_H_

#include "api/core/error.h"
#include "reference/cells/cell.h"
#include "reference/numerics/matrix.h"

namespace tandem {
namespace reference {

template <class N>
typename N::Mat Activate(const N& num, const ActivationFunction& f, const typename N::Sum& a) {
  switch (f.kind) {
    case Activation::kRelu:
      return num.Relu(a, f.alpha);
    case Activation::kTanh:
      return num.Tanh(a);
    case Activation::kLogistic:
      return num.Sigmoid(a);
    case Activation::kThresholdedRelu:
    case Activation::kHardSigmoid:
    case Activation::kSoftsign:
    case Activation::kSoftplus:
    case Activation::kElu:
    case Activation::kAffine:
    case Activation::kScaledTanh:
      return num.Activate(f, a);
  }
  ThrowNoSuchEnumerator("Activation", f.kind);
}

// The pre-activation within [-clip, clip].
template <class N>
typename N::Sum Clipped(const N& num, const GateFunctions& functions, const typename N::Sum& a) {
  return functions.clip == 0.f ? a : num.Term(num.Clip(num.Value(a), functions.clip));
}

// tanh(c_t) of LSTM.
template <class N>
typename N::Mat OutputOf(const N& num, const CellParameters<N>& p, const typename N::Mat& c) {
  const ActivationFunction& f = p.functions.output;
  return f.kind == Activation::kTanh ? num.Tanh(c) : Activate(num, f, num.Term(c));
}

// Makes the gates of one step. Where the functions are not the specification's, it leaves the pre-activations in *out for
// backward.
template <class N>
class Gates {
 public:
  using Mat = typename N::Mat;
  using Sum = typename N::Sum;

  Gates(const N& num, const CellParameters<N>& p, CellResult<N>* out)
      : num_(num), functions_(p.functions), out_(*out) {}

  Mat Recurrent(int gate, const Sum& a) const { return Gate(functions_.recurrent, gate, a); }
  Mat Candidate(int gate, const Sum& a) const { return Gate(functions_.candidate, gate, a); }
  // The forget gate.
  Mat Forget(int gate, const Sum& a, const Mat& i) const {
    if (functions_.forget == ForgetGate::kOwn) return Recurrent(gate, a);
    out_.pre[gate] = num_.Value(a);
    return typename N::Real(1.0) - i;  // [GATE.2]
  }

 private:
  Mat Gate(const ActivationFunction& f, int gate, const Sum& a) const {
    if (!AreDefault(functions_)) out_.pre[gate] = num_.Value(a);
    return Activate(num_, f, Clipped(num_, functions_, a));  // [GATE.1]
  }

  const N& num_;
  const GateFunctions& functions_;
  CellResult<N>& out_;
};

// The derivatives of one step's gates at their pre-activations, times the gradients of the gates.
template <class N>
class GateDeltas {
 public:
  using Mat = typename N::Mat;

  GateDeltas(const N& num, const CellParameters<N>& p, const CellResult<N>& out)
      : num_(num), functions_(p.functions), out_(out) {}

  Mat Recurrent(int gate, const Mat& diff) const {
    return diff * (AreDefault(functions_) ? num_.SigmoidSlope(out_.gate[gate]) : Slope(functions_.recurrent, gate));
  }
  Mat Candidate(int gate, const Mat& diff) const {
    return diff * (AreDefault(functions_) ? num_.TanhSlope(out_.gate[gate]) : Slope(functions_.candidate, gate));
  }
  // The gates i and f of LSTM. A coupled f passes its gradient to i.
  Mat Input(int gate, const Mat& diff_i, const Mat& diff_f) const {
    return Recurrent(gate, functions_.forget == ForgetGate::kOwn ? diff_i : Mat(diff_i - diff_f));  // [GATE.B2]
  }
  Mat Forget(int gate, const Mat& diff_f) const {
    if (functions_.forget == ForgetGate::kOwn) return Recurrent(gate, diff_f);
    return Zeros<typename N::Real>(diff_f.rows(), diff_f.cols());
  }
  // Of h^ = o * output(c): `output` is the value of the function.
  Mat OutputSlope(const Mat& c, const Mat& output) const {
    const bool is_tanh = functions_.output.kind == Activation::kTanh;
    return is_tanh ? num_.TanhSlope(output) : num_.ActivationSlope(functions_.output, c);
  }

 private:
  // The slope at the clipped pre-activation, 0 beyond the clip.
  Mat Slope(const ActivationFunction& f, int gate) const {
    const Mat& a = out_.pre[gate];
    if (functions_.clip == 0.f) return num_.ActivationSlope(f, a);
    return num_.ClipSlope(a, functions_.clip) * num_.ActivationSlope(f, num_.Clip(a, functions_.clip));  // [GATE.B1]
  }

  const N& num_;
  const GateFunctions& functions_;
  const CellResult<N>& out_;
};

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_CELLS_GATE_FUNCTIONS_H_
