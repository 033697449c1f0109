// The three activations on one scalar, by functions of std: Eigen's own tanh and logistic have errors of up to 10^4
// ulp. NaN gives NaN; sigmoid(-inf) = 0, sigmoid(inf) = 1, tanh(+-inf) = +-1, tanh(-0) = -0.
#ifndef TANDEM_REFERENCE_NUMERICS_ACTIVATIONS_H_
#define TANDEM_REFERENCE_NUMERICS_ACTIVATIONS_H_

#include <cmath>

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
