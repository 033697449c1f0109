// The activations, one number at a time. Those of relu, tanh and logistic here are for gates with functions of their own: bugs of
// theirs are in FaultyArithmetic's functions of these names.
#include <cmath>

#include "conformance/faulty/faulty_arithmetic.h"

namespace tandem::conformance {

float FaultyArithmetic::Activate(const ActivationFunction& f, float x) const {
  switch (f.kind) {
    case Activation::kRelu:
      return x > 0 ? x : f.alpha * x;
    case Activation::kTanh:
      return std::tanh(x);
    case Activation::kLogistic:
      return 1 / (1 + std::exp(-x));
    case Activation::kThresholdedRelu:
      return x > (On(Mutation::kThresholdIgnored) ? 0 : f.alpha) ? x : std::isnan(x) ? x : 0;
    case Activation::kHardSigmoid: {
      const float line = f.alpha * x + (On(Mutation::kHardSigmoidCentred) ? 0.5f : f.beta);
      if (On(Mutation::kHardSigmoidOpenAbove)) return line > 0 ? line : 0;
      return line > 1 ? 1 : line < 0 ? 0 : line;
    }
    case Activation::kSoftsign:
      return On(Mutation::kSoftsignOneSided) ? x / (1 + x) : x / (1 + std::fabs(x));
    case Activation::kSoftplus:
      if (On(Mutation::kSoftplusOverflows)) return std::log(1 + std::exp(x));
      return std::fmax(x, 0.f) + std::log1p(std::exp(-std::fabs(x)));
    case Activation::kElu:
      return x > 0 ? x : (On(Mutation::kEluAlphaIgnored) ? 1 : f.alpha) * std::expm1(x);
    case Activation::kAffine:
      return f.alpha * x + (On(Mutation::kAffineBetaIgnored) ? 0 : f.beta);
    case Activation::kScaledTanh:
      return f.alpha * std::tanh((On(Mutation::kScaledTanhBetaIgnored) ? 1 : f.beta) * x);
  }
  return x;
}

float FaultyArithmetic::ActivationSlope(const ActivationFunction& f, float x) const {
  switch (f.kind) {
    case Activation::kRelu:
      return x > 0 ? 1 : f.alpha;
    case Activation::kTanh:
      return 1 - std::tanh(x) * std::tanh(x);
    case Activation::kLogistic: {
      const float y = 1 / (1 + std::exp(-x));
      return y * (1 - y);
    }
    case Activation::kThresholdedRelu:
      return x > f.alpha ? 1 : 0;
    case Activation::kHardSigmoid: {
      const float line = f.alpha * x + f.beta;
      return On(Mutation::kHardSigmoidSlopeNotClipped) || (line > 0 && line < 1) ? f.alpha : 0;
    }
    case Activation::kSoftsign:
      return 1 / (1 + std::fabs(x)) / (1 + std::fabs(x));
    case Activation::kSoftplus: {
      const float y = 1 / (1 + std::exp(-x));
      return On(Mutation::kSoftplusSlopeOfSigmoid) ? y * (1 - y) : y;
    }
    case Activation::kElu:
      return x > 0 ? 1 : f.alpha * std::exp(x) - (On(Mutation::kEluSlopeOfResult) ? f.alpha : 0);
    case Activation::kAffine:
      return On(Mutation::kAffineSlopeIsOne) ? 1 : f.alpha;
    case Activation::kScaledTanh: {
      const float y = std::tanh(f.beta * x);
      return f.alpha * (On(Mutation::kScaledTanhSlopeMissesBeta) ? 1 : f.beta) * (1 - y * y);
    }
  }
  return 0;
}

}  // namespace tandem::conformance
