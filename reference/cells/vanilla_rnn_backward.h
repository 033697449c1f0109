// Gradient of one step of the vanilla RNN cell.
#ifndef TANDEM_REFERENCE_CELLS_VANILLA_RNN_BACKWARD_H_
#define TANDEM_REFERENCE_CELLS_VANILLA_RNN_BACKWARD_H_

#include "api/core/error.h"
#include "reference/cells/layer_norm_backward.h"

namespace tandem {
namespace reference {

template <class N>
typename N::Mat ClippedLinear(const N& num, const CellParameters<N>& p, const CellResult<N>& out) {
  return p.functions.clip == 0.f ? out.linear : num.Clip(out.linear, p.functions.clip);
}

template <class N>
typename N::Mat ActivationSlope(const N& num, const CellParameters<N>& p, const CellResult<N>& out) {
  switch (p.activation.kind) {
    case Activation::kRelu:
      return num.ReluSlope(ClippedLinear(num, p, out), p.activation.alpha);
    case Activation::kTanh:
      return num.TanhSlope(out.h);
    case Activation::kLogistic:
      return num.SigmoidSlope(out.h);
    case Activation::kThresholdedRelu:
    case Activation::kHardSigmoid:
    case Activation::kSoftsign:
    case Activation::kSoftplus:
    case Activation::kElu:
    case Activation::kAffine:
    case Activation::kScaledTanh:
      return num.ActivationSlope(p.activation, ClippedLinear(num, p, out));
  }
  ThrowNoSuchEnumerator("Activation", p.activation.kind);
}

template <class N>
CellDiffResult<N> VanillaRnnBackward(const N& num, const CellParameters<N>& p, const SavedStep<N>& step,
                                     const CellDiffInput<N>& diff, ParameterGradients<N>* grad) {
  using Mat = typename N::Mat;
  Mat slope = ActivationSlope(num, p, step.out);
  const float clip = p.functions.clip;
  if (clip != 0.f) slope = slope * num.ClipSlope(step.out.linear, clip);
  const std::vector<Mat> delta = {num.StoreDelta(diff.diff_h * slope)};  // [RNN.B1]
  const ProductDeltas<N> through = ThroughNorms(num, p, {step.in.x, step.in.h_prev}, {delta, delta}, grad);
  AddOuterProducts(num, through.layer, step.in.x, &grad->W);      // [RNN.B2]
  AddOuterProducts(num, through.iter, step.in.h_prev, &grad->U);  // [RNN.B3]
  AddBiasGradients(num, delta, &grad->B);                         // [RNN.B4]
  CellDiffResult<N> result;
  result.diff_x = num.Value(SumOverGates(num, p.W, through.layer));                                 // [RNN.B5]
  result.diff_h_prev = num.Value(ThroughMask(num, step.in, SumOverGates(num, p.U, through.iter)));  // [RNN.B6]
  return result;
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_CELLS_VANILLA_RNN_BACKWARD_H_
