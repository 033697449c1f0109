// The activations on one scalar, by functions of std: Eigen's own tanh and logistic have errors of up to 10^4 ulp. NaN gives NaN; sigmoid(-inf) = 0, sigmoid(inf) = 1, tanh(+-inf) = +-1, tanh(-0) = -0.
#ifndef TANDEM_REFERENCE_NUMERICS_ACTIVATIONS_H_
#define TANDEM_REFERENCE_NUMERICS_ACTIVATIONS_H_

#include <cmath>
#include <type_traits>

#include "api/core/activation.h"
#include "api/core/error.h"
#include "reference/numerics/matrix.h"

namespace tandem {
namespace reference {

template <class Real>
Real SigmoidOf(const Real& a) {
  using std::exp;
  // exp(-a) overflows to infinity for very negative a, and 1 / (1 + inf) is the right limit, 0.
  return Real(1.0) / (Real(1.0) + exp(-a));
}

template <class Real>
Real TanhOf(const Real& a) {
  using std::tanh;
  return tanh(a);
}

// alpha is the slope below zero. NaN > 0 is false, and alpha * NaN is NaN.
template <class Real>
Real ReluOf(const Real& a, const Real& alpha) {
  return a > Real(0.0) ? a : Real(alpha * a);
}

template <class Real>
Real ReluSlopeOf(const Real& a, const Real& alpha) {
  return a > Real(0.0) ? Real(1.0) : alpha;
}

// exp(a) - 1 and log(1 + a), also of scalars that are none of std's.
template <class Real>
Real Expm1Of(const Real& a) {
  if constexpr (std::is_floating_point<Real>::value) {
    return std::expm1(a);
  } else {
    const Real t = TanhOf(Real(Real(0.5) * a));
    return Real(2.0) * t / (Real(1.0) - t);
  }
}

template <class Real>
Real Log1pOf(const Real& a) {
  using std::log;
  if constexpr (std::is_floating_point<Real>::value) {
    return std::log1p(a);
  } else {
    return log(Real(Real(1.0) + a));
  }
}

// A constant. A scalar of automatic differentiation gets the derivatives 0, as many as `like` has.
template <class Real>
Real ConstantLike([[maybe_unused]] const Real& like, double value) {
  if constexpr (std::is_floating_point<Real>::value) {
    return static_cast<Real>(value);
  } else {
    return Real(Real(0.0) * like + Real(value));
  }
}

// NaN is beyond no bound, and stays.
template <class Real>
Real ClipOf(const Real& a, double bound) {
  const Real limit(bound);
  return a > limit ? ConstantLike(a, bound) : a < -limit ? ConstantLike(a, -bound) : a;
}

// Every activation, with the numbers of `f`.
template <class Real>
Real ActivationOf(const ActivationFunction& f, const Real& a) {
  using std::abs;
  using std::exp;
  const Real alpha(f.alpha), beta(f.beta), zero(0.0), one(1.0);
  switch (f.kind) {
    case Activation::kRelu:
      return ReluOf(a, alpha);
    case Activation::kTanh:
      return TanhOf(a);
    case Activation::kLogistic:
      return SigmoidOf(a);
    case Activation::kThresholdedRelu:  // NaN <= alpha is false
      return a <= alpha ? ConstantLike(a, 0) : a;
    case Activation::kHardSigmoid: {
      const Real line = alpha * a + beta;
      return line < zero ? ConstantLike(a, 0) : line > one ? ConstantLike(a, 1) : line;
    }
    case Activation::kSoftsign:
      return a / (one + abs(a));
    case Activation::kSoftplus:  // exp(a) would overflow
      return a > zero ? Real(a + Log1pOf(Real(exp(-a)))) : Log1pOf(Real(exp(a)));
    case Activation::kElu:
      return a > zero ? a : Real(alpha * Expm1Of(a));
    case Activation::kAffine:
      return alpha * a + beta;
    case Activation::kScaledTanh:
      return alpha * TanhOf(Real(beta * a));
  }
  ThrowNoSuchEnumerator("Activation", f.kind);
}

// Its derivative at a. At a corner it is that of the side which the equations here take (docs/numerics.md).
template <class Real>
Real ActivationSlopeOf(const ActivationFunction& f, const Real& a) {
  using std::abs;
  using std::exp;
  const Real alpha(f.alpha), beta(f.beta), zero(0.0), one(1.0);
  switch (f.kind) {
    case Activation::kRelu:
      return ReluSlopeOf(a, alpha);
    case Activation::kTanh:
      return one - TanhOf(a) * TanhOf(a);
    case Activation::kLogistic:
    case Activation::kSoftplus: {
      const Real y = SigmoidOf(a);
      return f.kind == Activation::kSoftplus ? y : Real(y * (one - y));
    }
    case Activation::kThresholdedRelu:
      return a <= alpha ? zero : one;
    case Activation::kHardSigmoid: {
      const Real line = alpha * a + beta;
      return line > zero && line < one ? alpha : zero;
    }
    case Activation::kSoftsign: {
      const Real root = one / (one + abs(a));
      return root * root;
    }
    case Activation::kElu:
      return a > zero ? one : Real(alpha * exp(a));
    case Activation::kAffine:
      return alpha;
    case Activation::kScaledTanh: {
      const Real y = TanhOf(Real(beta * a));
      return alpha * beta * (one - y * y);
    }
  }
  ThrowNoSuchEnumerator("Activation", f.kind);
}

template <class Real>
Mat<Real> SigmoidOf(const Mat<Real>& a) {
  return a.unaryExpr([](const Real& value) { return SigmoidOf(value); });
}

template <class Real>
Mat<Real> TanhOf(const Mat<Real>& a) {
  return a.unaryExpr([](const Real& value) { return TanhOf(value); });
}

template <class Real>
Mat<Real> ReluOf(const Mat<Real>& a, double alpha) {
  const Real slope(alpha);
  return a.unaryExpr([slope](const Real& value) { return ReluOf(value, slope); });
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_NUMERICS_ACTIVATIONS_H_
