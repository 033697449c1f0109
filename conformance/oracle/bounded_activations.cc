// Bounds of the activations other than sigmoid, tanh and relu. docs/verdicts/method.md has the rules.
#include <algorithm>
#include <cmath>

#include "api/core/error.h"
#include "conformance/oracle/bounded_numerics.h"

namespace tandem::conformance {
namespace {

// All from `lo` to `hi` about `value`.
Bounded Between(const Bounded& a, double value, double lo, double hi) {
  return a.Like(value, std::max(hi - value, value - lo));
}

// `below` up to `corner`, `above` beyond; both where the interval of `a` has both.
Bounded AtCorner(const Bounded& a, double corner, const Bounded& below, const Bounded& above) {
  if (a.lo() > corner) return above;
  if (a.hi() <= corner) return below;
  if (!below.known() || !above.known()) return Bounded::Unknown(a.value());
  return Between(a, a.value() > corner ? above.value() : below.value(), std::min(below.lo(), above.lo()),
                 std::max(below.hi(), above.hi()));
}

// alpha a + beta, rounded once or twice.
Bounded Line(const ActivationFunction& f, const Bounded& a) {
  return (Bounded(f.alpha) * a + Bounded(f.beta)).Closed();
}

Bounded HardSigmoid(const Bounded& line) {
  if (!line.known() || std::isnan(line.value())) return Bounded::Unknown(line.value());
  const auto clipped = [](double x) { return std::min(std::max(x, 0.), 1.); };
  return Between(line, clipped(line.value()), clipped(line.lo()), clipped(line.hi()));
}

// 1 + |x| and the quotient are rounded.
Bounded Softsign(const Bounded& a) {
  if (std::isinf(a.value())) return Bounded::Unknown(a.value());  // by x / (1 + |x|) it is NaN
  return Monotone(
      a, [](double x) { return x / (1 + std::fabs(x)); }, 1.5, 0);
}

Bounded SoftsignSlope(const Bounded& a) {
  const auto slope = [](double size) { return 1 / ((1 + size) * (1 + size)); };
  const double size = std::fabs(a.value()), value = slope(size);
  const double inherited = std::max(slope(std::max(0., size - a.error())) - value, value - slope(size + a.error()));
  return a.Like(value, inherited + a.arithmetic().Gamma(6) * (value + inherited) + 2 * a.arithmetic().underflow);
}

double SoftplusDouble(double x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }

Bounded Softplus(const Declaration& declared, const Bounded& a) {
  if (std::isinf(a.value())) return a.value() > 0 ? a : a.Like(0, 0);
  return Monotone(a, SoftplusDouble, declared.tanh_ulp, declared.tanh_abs);
}

// alpha times a function of e^x.
Bounded Scaled(const Declaration& declared, double alpha, const Bounded& a, double (*f)(double)) {
  return (Bounded(alpha) * Monotone(a, f, declared.tanh_ulp, declared.tanh_abs)).Closed();
}

}  // namespace

Bounded BoundedActivation(const Declaration& declared, const ActivationFunction& f, const Bounded& open) {
  const Bounded a = open.Closed();
  if (!a.known()) return Bounded::Unknown(a.value());
  if (std::isnan(a.value())) return MayLoseNan(f.kind) ? Bounded::Unknown(a.value()) : Bounded(a.value());
  switch (f.kind) {
    case Activation::kRelu:
      return BoundedRelu(open, f.alpha);
    case Activation::kTanh:
      return BoundedTanh(declared, open);
    case Activation::kLogistic:
      return BoundedSigmoid(declared, open);
    case Activation::kThresholdedRelu:
      return AtCorner(a, f.alpha, a.Like(0, 0), a);
    case Activation::kHardSigmoid:
      return HardSigmoid(Line(f, a));
    case Activation::kSoftsign:
      return Softsign(a);
    case Activation::kSoftplus:
      return Softplus(declared, a);
    case Activation::kElu:
      return AtCorner(a, 0, Scaled(declared, f.alpha, a, [](double x) { return std::expm1(x); }), a);
    case Activation::kAffine:
      return Line(f, a);
    case Activation::kScaledTanh:
      return (Bounded(f.alpha) * BoundedTanh(declared, (Bounded(f.beta) * a).Closed())).Closed();
  }
  ThrowNoSuchEnumerator("Activation", f.kind);
}

Bounded BoundedClip(const Bounded& a, double bound) {
  if (!a.known() || std::isnan(a.value())) return a;
  const auto clipped = [bound](double x) { return std::min(std::max(x, -bound), bound); };
  return Between(a, clipped(a.value()), clipped(a.lo()), clipped(a.hi()));
}

Bounded BoundedClipSlope(const Bounded& a, double bound) {
  if (!a.known() || std::isnan(a.value())) return Bounded::Unknown(a.value());
  const Bounded inside = a.Like(1, 0), beyond = a.Like(0, 0);
  if (a.lo() >= -bound && a.hi() <= bound) return inside;
  if (a.lo() > bound || a.hi() < -bound) return beyond;
  return Between(a, std::fabs(a.value()) <= bound ? 1 : 0, 0, 1);
}

Bounded BoundedActivationSlope(const Declaration& declared, const ActivationFunction& f, const Bounded& open) {
  const Bounded a = open.Closed();
  if (!a.known() || std::isnan(a.value())) return Bounded::Unknown(a.value());
  switch (f.kind) {
    case Activation::kRelu:
      return BoundedReluSlope(a, f.alpha);
    case Activation::kTanh:
      return BoundedTanhSlope(BoundedTanh(declared, a));
    case Activation::kLogistic:
      return BoundedSigmoidSlope(BoundedSigmoid(declared, a));
    case Activation::kThresholdedRelu:
      return AtCorner(a, f.alpha, a.Like(0, 0), a.Like(1, 0));
    case Activation::kHardSigmoid: {
      const Bounded line = Line(f, a), flat = a.Like(0, 0), steep = a.Like(f.alpha, 0);
      if (!line.known() || std::isnan(line.value())) return Bounded::Unknown(line.value());
      if (line.hi() < 1) return AtCorner(line, 0, flat, steep);
      if (line.lo() >= 1) return flat;
      return Between(a, line.value() > 0 && line.value() < 1 ? f.alpha : 0, std::min(f.alpha, 0.f),
                     std::max(f.alpha, 0.f));
    }
    case Activation::kSoftsign:
      return SoftsignSlope(a);
    case Activation::kSoftplus:
      return BoundedSigmoid(declared, a);
    case Activation::kElu:
      return AtCorner(a, 0, Scaled(declared, f.alpha, a, [](double x) { return std::exp(x); }), a.Like(1, 0));
    case Activation::kAffine:
      return a.Like(f.alpha, 0);
    case Activation::kScaledTanh: {
      const Bounded slope = BoundedTanhSlope(BoundedTanh(declared, (Bounded(f.beta) * a).Closed()));
      return ((Bounded(f.alpha) * Bounded(f.beta)).Closed() * slope).Closed();
    }
  }
  ThrowNoSuchEnumerator("Activation", f.kind);
}

}  // namespace tandem::conformance
