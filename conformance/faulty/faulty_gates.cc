#include "conformance/faulty/faulty_gates.h"

#include <algorithm>
#include <cmath>

namespace tandem::conformance {
namespace {

// The function that the bugs leave of the problem's.
ActivationFunction FunctionAt(const FaultyNetwork& net, GatePlace place) {
  const GateFunctions defaults;
  const auto is = [place](GatePlace its) { return place == its; };
  if (net.On(Mutation::kRecurrentFunctionIgnored) && is(GatePlace::kRecurrent)) return defaults.recurrent;
  if (net.On(Mutation::kCandidateFunctionIgnored) && is(GatePlace::kCandidate)) return defaults.candidate;
  if (net.On(Mutation::kOutputFunctionIgnored) && is(GatePlace::kOutput)) return defaults.output;
  if (net.On(Mutation::kOutputFunctionOfCandidate) && is(GatePlace::kOutput)) return net.p.Gates().candidate;
  ActivationFunction function = net.p.Gates().At(place);
  if (net.On(Mutation::kNumbersOfFirstFunction)) {
    function.alpha = net.p.Gates().recurrent.alpha;
    function.beta = net.p.Gates().recurrent.beta;
  }
  return function;
}

}  // namespace

float FaultyGates::Clipped(GatePlace place, float a) const {
  const float clip = net_.p.Gates().clip;
  if (clip == 0.f || net_.On(Mutation::kClipIgnored)) return a;
  if (net_.On(Mutation::kClipOfCandidateOnly) && place == GatePlace::kRecurrent) return a;
  if (a > clip) return clip;
  return a < -clip && !net_.On(Mutation::kClipFromAboveOnly) ? -clip : a;
}

float FaultyGates::Function(GatePlace place, float a) const {
  const ActivationFunction function = FunctionAt(net_, place);
  switch (function.kind) {
    case Activation::kTanh:
      return net_.math.Tanh(a, lane_);
    case Activation::kLogistic:
      return net_.math.SigmoidIn(a, lane_);
    case Activation::kRelu:
    case Activation::kThresholdedRelu:
    case Activation::kHardSigmoid:
    case Activation::kSoftsign:
    case Activation::kSoftplus:
    case Activation::kElu:
    case Activation::kAffine:
    case Activation::kScaledTanh:
      break;
  }
  return net_.math.Activate(function, a);
}

float FaultyGates::Gate(GatePlace place, Dim gate, float a) const {
  step_.pre[static_cast<size_t>(gate)][static_cast<size_t>(at_)] = a;
  return Function(place, Clipped(place, a));
}

float FaultyGates::OutputGate(Dim gate, float a) const {
  return Gate(net_.On(Mutation::kOutputGateHasOutputFunction) ? GatePlace::kOutput : GatePlace::kRecurrent, gate, a);
}

float FaultyGates::OutputOf(float c) const {
  return Function(GatePlace::kOutput, net_.On(Mutation::kClipOfCellState) ? Clipped(GatePlace::kOutput, c) : c);
}

float FaultySlopes::Slope(GatePlace place, Dim gate, Dim at) const {
  const float clip = net_.p.Gates().clip;
  const float a =
      net_.math.Store(net_.math.state_type(), step_.pre[static_cast<size_t>(gate)][static_cast<size_t>(at)]);
  const bool beyond = clip != 0.f && std::fabs(a) > clip;
  if (beyond && !net_.On(Mutation::kClipPassesGradient)) return 0;
  const float seen = clip == 0.f ? a : std::min(std::max(a, -clip), clip);
  return net_.math.ActivationSlope(net_.p.Gates().At(place), seen);
}

float FaultySlopes::Recurrent(Dim gate, Dim at, float otherwise) const {
  if (net_.p.HasDefaultGates() || net_.On(Mutation::kRecurrentSlopeOfSigmoid)) return otherwise;
  return Slope(GatePlace::kRecurrent, gate, at);
}

float FaultySlopes::Candidate(Dim gate, Dim at, float otherwise) const {
  if (net_.p.HasDefaultGates() || net_.On(Mutation::kCandidateSlopeOfTanh)) return otherwise;
  return Slope(GatePlace::kCandidate, gate, at);
}

float FaultySlopes::Output(float c, float otherwise) const {
  const ActivationFunction& function = net_.p.Gates().output;
  if (function.kind == Activation::kTanh || net_.On(Mutation::kOutputSlopeOfTanh)) return otherwise;
  return net_.math.ActivationSlope(function, c);
}

float FaultySlopes::OutputOf(float c) const {
  const ActivationFunction& function = net_.p.Gates().output;
  return function.kind == Activation::kTanh ? std::tanh(c) : net_.math.Activate(function, c);
}

}  // namespace tandem::conformance
