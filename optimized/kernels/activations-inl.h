// Vector sigmoid, tanh and relu for f32 lanes: the gates' activation functions, for any vector width. All other activations
// are made of these and of Exp, Expm1 and Softplus.
//
// Contract, for every lane (activations_test.cc holds each target of the machine to it):
//  * Wherever the exact value is a normal number, Tanh is within 1.5 ulp of it, and Sigmoid within 2 (within 1.75 for all
//    x > -15.5). Where it is smaller (Sigmoid left of -87.33), the result lies in [0, 2^-126]. docs/numerics.md has the
//    largest errors.
//  * Exp and Expm1, of an argument up to 0, and Softplus are within 3 ulp; the rest holds as for Sigmoid.
//  * Sigmoid(+-0) = 0.5, Tanh(+-0) = +-0, Sigmoid(-inf, inf) = (0, 1), Tanh(-inf, inf) = (-1, 1), exactly; no result
//    leaves [0, 1] and [-1, 1]. NaN gives NaN.
//  * With the processor flushing subnormal numbers (FTZ, DAZ) all of this holds, but that a subnormal input of Tanh
//    gives zero.
//  * Targets with fused multiply-add give the same bits, whatever their vector width.
//
// Both have one chain of about 20 operations and a division. The latency of the chain is what a cell of few units waits
// for, the number of operations what one of many rows does. Polynomials in Horner's form, since 16 registers hold few
// coefficients.

// Per-target include guard.
#if defined(TANDEM_OPTIMIZED_KERNELS_ACTIVATIONS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_OPTIMIZED_KERNELS_ACTIVATIONS_INL_H_
#undef TANDEM_OPTIMIZED_KERNELS_ACTIVATIONS_INL_H_
#else
#define TANDEM_OPTIMIZED_KERNELS_ACTIVATIONS_INL_H_
#endif

#include "api/core/gate_functions.h"
#include "hwy/highway.h"
#include "optimized/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tandem {
namespace optimized {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The smaller (larger) of x and a finite limit, NaN if x is NaN. x86's min and max return their second operand if
// either is NaN, which saves the comparison that other machines need.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V AtMost(D d, V x, float limit) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_EMU128
  return hn::Min(hn::Set(d, limit), x);
#else
  const V bound = hn::Set(d, limit);
  return hn::IfThenElse(hn::Gt(x, bound), bound, x);
#endif
}

template <class D, class V = hn::VFromD<D>>
HWY_INLINE V AtLeast(D d, V x, float limit) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_EMU128
  return hn::Max(hn::Set(d, limit), x);
#else
  const V bound = hn::Set(d, limit);
  return hn::IfThenElse(hn::Lt(x, bound), bound, x);
#endif
}

// sigmoid(x) = c P / (c P + c exp(-r)) with x = n * ln 2 + r, n = round(x / ln 2), P = 2^n, |r| <= 0.3466.
//
// exp(-r) = 1 - r + r^2 * (a polynomial of degree 4); its minimax fit is within 3.1e-9, relatively, before the rounding of
// the coefficients to f32 (tools/fit_activations.py). Degree 3 would save one multiply-add and cost 0.9 ulp.
//  * c exp(-r) is not rounded: the denominator is (c P + c) + r * (a polynomial), where the first sum is exact for |n| < 23.
//  * c = 1.5 moves the denominators that are rounded worst, those just above a power of two, away from results just below
//    one, whose ulp is the smallest: 1.5 ulp in place of 2.
//  * Adding 1.5 * 2^23 + 127 to x / ln 2 rounds it to an integer and leaves n + 127, an f32's exponent field, in the low
//    bits, so that 2^n costs one shift.
//  * ln 2 = 355/512 - 2.12194440e-4: n * 355/512 has at most 17 significant bits, hence is exact without FMA too.
//  * x is limited to [-88.3, 88]. Left of -88.03, n is -127, whose bits are those of zero.
//  * A NaN passes through the polynomial, whatever the bits of P.
template <class V>
struct ExpTerms {
  V power;  // c P
  V p, r;   // c exp(-r) is p r + scale
  V scale;  // c
};

template <class D, class V = hn::VFromD<D>>
HWY_INLINE ExpTerms<V> TermsOfExp(D d, V x) {
  const hn::RebindToSigned<D> di;
  x = AtLeast(d, AtMost(d, x, 88.0f), -88.3f);
  const V magic = hn::Set(d, 12583039.0f);
  const V biased = hn::MulAdd(x, hn::Set(d, 1.44269504f), magic);
  const V n = hn::Sub(biased, magic);
  V r = hn::MulAdd(n, hn::Set(d, -0.693359375f), x);
  r = hn::MulAdd(n, hn::Set(d, 2.12194440e-4f), r);
  constexpr float kScale = 1.5f;
  const V scale = hn::Set(d, kScale);
  const V power = hn::Mul(scale, hn::BitCast(d, hn::ShiftLeft<23>(hn::BitCast(di, biased))));
  V p = hn::Set(d, kScale * 1.38145759e-3f);
  p = hn::MulAdd(p, r, hn::Set(d, kScale * -8.36872749e-3f));
  p = hn::MulAdd(p, r, hn::Set(d, kScale * 4.16683891e-2f));
  p = hn::MulAdd(p, r, hn::Set(d, kScale * -1.66665205e-1f));
  p = hn::MulAdd(p, r, hn::Set(d, kScale * 4.99999934e-1f));
  p = hn::MulAdd(p, r, hn::Set(d, -kScale));
  return {power, p, r, scale};
}

template <class D, class V = hn::VFromD<D>>
HWY_INLINE V Sigmoid(D d, V x) {
  const ExpTerms<V> e = TermsOfExp(d, x);
  return hn::Div(e.power, hn::MulAdd(e.p, e.r, hn::Add(e.power, e.scale)));
}

// exp(x) = c P / (c exp(-r)).
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V Exp(D d, V x) {
  const ExpTerms<V> e = TermsOfExp(d, x);
  return hn::Div(e.power, hn::MulAdd(e.p, e.r, e.scale));
}

// log(1 + exp(x)) = max(x, 0) + log(1 + e) with e = exp(-|x|), and log(1 + e) = 2 z (1 + z^2 / 3 + ...) with z = e / (2 + e),
// 0 <= z <= 1/3: the polynomial of degree 4 in z^2 is within 4.5e-9 (tools/fit_activations.py).
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V Softplus(D d, V x) {
  const V two = hn::Set(d, 2.0f);
  const V e = Exp(d, hn::Neg(hn::Abs(x)));
  const V z = hn::Div(e, hn::Add(two, e));
  const V w = hn::Mul(z, z);
  V p = hn::Set(d, 1.40072642e-1f);
  p = hn::MulAdd(p, w, hn::Set(d, 1.40006653e-1f));
  p = hn::MulAdd(p, w, hn::Set(d, 2.00107767e-1f));
  p = hn::MulAdd(p, w, hn::Set(d, 3.33332079e-1f));
  const V twice = hn::Mul(two, z);
  const V log1p = hn::MulAdd(hn::Mul(twice, w), p, twice);
  return hn::Add(hn::IfThenElseZero(hn::Gt(x, hn::Zero(d)), x), log1p);
}

// tanh(|x|) with |x| = n * ln(2) / 2 + s, n >= 0, s in [-0.0434, 0.3033], t = tanh(s) and Q = 2^-n is
//
//     ((1 - Q) + (1 + Q) t) / ((1 + Q) + (1 - Q) t) = (1 - Q) + Q * ((3 - Q) t - (1 - Q)) / ((1 + Q) + (1 - Q) t)
//
// 1 - Q is exact, and what is added to it is so small that its errors hardly count.
//  * Where n is 0, up to |x| = 0.3033, this is 0 + 1 * (2 t / 2) = t without any further rounding.
//  * t = s + s^3 * (a polynomial of degree 2 in s^2), within 1.3e-8 relatively (tools/fit_activations.py).
//  * -4 |x| / (ln(2) / 2), rounded to an integer, has a multiple of 4 above it as soon as its two low bits are
//    cleared: 511, of which 3 is in these, makes the four integers from -3 to 0 one n. This is cheaper than to move x.
//  * |x| is limited to 11: from 9.02 on the result is exactly 1.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V Tanh(D d, V x) {
  const hn::RebindToSigned<D> di;
  const V a = AtMost(d, hn::Abs(x), 11.0f);
  constexpr float kMagic = 12582912.0f + 4 * 127;  // 1.5 * 2^23 and the exponent field of Q = 1
  const V rounded = hn::MulAdd(a, hn::Set(d, -11.5415603f), hn::Set(d, kMagic + 3));
  const auto biased = hn::And(hn::BitCast(di, rounded), hn::Set(di, ~3));
  const V n4 = hn::Sub(hn::BitCast(d, biased), hn::Set(d, kMagic));
  const V s = hn::MulAdd(n4, hn::Set(d, 0.34657359f / 4), a);
  const V z = hn::Mul(s, s);
  V t = hn::Set(d, -5.02884834e-2f);
  t = hn::MulAdd(t, z, hn::Set(d, 1.33140106e-1f));
  t = hn::MulAdd(t, z, hn::Set(d, -3.33330423e-1f));
  t = hn::MulAdd(hn::Mul(z, s), t, s);
  const V one = hn::Set(d, 1.0f);
  const V q = hn::BitCast(d, hn::ShiftLeft<21>(biased));
  const V base = hn::Sub(one, q);
  const V numerator = hn::MulSub(hn::Sub(hn::Set(d, 3.0f), q), t, base);
  const V denominator = hn::MulAdd(base, t, hn::Add(one, q));
  return hn::CopySignToAbs(hn::MulAdd(q, hn::Div(numerator, denominator), base), x);
}

// exp(x) - 1 = 2 t / (1 - t) with t = tanh(x / 2), for x up to 0, where nothing cancels.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V Expm1(D d, V x) {
  const V t = Tanh(d, hn::Mul(hn::Set(d, 0.5f), x));
  return hn::Div(hn::Add(t, t), hn::Sub(hn::Set(d, 1.0f), t));
}

// x where x > 0, alpha * x elsewhere (NaN included).
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V Relu(D d, V x, V alpha) {
  return hn::IfThenElse(hn::Gt(x, hn::Zero(d)), x, hn::Mul(alpha, x));
}

// y (1 - y), the derivative of the sigmoid with value y.
template <class V>
HWY_INLINE V SigmoidSlope(V y) {
  return hn::NegMulAdd(y, y, y);
}
// 1 - y^2, that of tanh.
template <class V>
HWY_INLINE V TanhSlope(V y) {
  return hn::NegMulAdd(y, y, hn::Set(hn::DFromV<V>(), 1.f));
}

// Every activation by its number. One function of each target, which cells whose own code has not the activation call for each
// vector.
template <class D, class V = hn::VFromD<D>>
HWY_NOINLINE V ActivationOf(D d, const ActivationFunction& f, V x) {
  const V zero = hn::Zero(d), one = hn::Set(d, 1.f), alpha = hn::Set(d, f.alpha), beta = hn::Set(d, f.beta);
  switch (f.kind) {
    case Activation::kRelu:
      return Relu(d, x, alpha);
    case Activation::kTanh:
      return Tanh(d, x);
    case Activation::kLogistic:
      return Sigmoid(d, x);
    case Activation::kThresholdedRelu:
      return hn::IfThenElse(hn::Le(x, alpha), zero, x);
    case Activation::kHardSigmoid:
      return AtLeast(d, AtMost(d, hn::MulAdd(alpha, x, beta), 1.f), 0.f);
    case Activation::kSoftsign:
      return hn::Div(x, hn::Add(one, hn::Abs(x)));
    case Activation::kSoftplus:
      return Softplus(d, x);
    case Activation::kElu:
      return hn::IfThenElse(hn::Gt(x, zero), x, hn::Mul(alpha, Expm1(d, x)));
    case Activation::kAffine:
      return hn::MulAdd(alpha, x, beta);
    case Activation::kScaledTanh:
      return hn::Mul(alpha, Tanh(d, hn::Mul(beta, x)));
  }
  return x;
}

// The derivative at the pre-activation; at a corner it is that of numerics.md.
template <class D, class V = hn::VFromD<D>>
HWY_NOINLINE V SlopeOf(D d, const ActivationFunction& f, V x) {
  const V zero = hn::Zero(d), one = hn::Set(d, 1.f), alpha = hn::Set(d, f.alpha), beta = hn::Set(d, f.beta);
  switch (f.kind) {
    case Activation::kRelu:
      return hn::IfThenElse(hn::Gt(x, zero), one, alpha);
    case Activation::kTanh:
      return TanhSlope(Tanh(d, x));
    case Activation::kLogistic:
      return SigmoidSlope(Sigmoid(d, x));
    case Activation::kThresholdedRelu:
      return hn::IfThenElse(hn::Le(x, alpha), zero, one);
    case Activation::kHardSigmoid: {
      const V y = hn::MulAdd(alpha, x, beta);
      return hn::IfThenElseZero(hn::And(hn::Gt(y, zero), hn::Lt(y, one)), alpha);
    }
    case Activation::kSoftsign: {
      const V root = hn::Div(one, hn::Add(one, hn::Abs(x)));
      return hn::Mul(root, root);
    }
    case Activation::kSoftplus:
      return Sigmoid(d, x);
    case Activation::kElu:
      return hn::IfThenElse(hn::Gt(x, zero), one, hn::Mul(alpha, Exp(d, x)));
    case Activation::kAffine:
      return alpha;
    case Activation::kScaledTanh:
      return hn::Mul(hn::Mul(alpha, beta), TanhSlope(Tanh(d, hn::Mul(beta, x))));
  }
  return zero;
}

// ---- The functions of gates, as the cells and their gradients call them: sigmoid and tanh, whose code is part of each cell, or those
// that the attributes give, which are called (api/core/gate_functions.h).

// A gate's value and its derivative at the pre-activation.
struct GateSlope {
  F32Vec value, slope;
};

// NaN is beyond no bound, and stays.
HWY_INLINE F32Vec Clipped(const GateFunctions& gates, F32Vec a) {
  if (gates.clip == 0.f) return a;
  const F32Tag d;
  return AtLeast(d, AtMost(d, a, gates.clip), -gates.clip);
}

// Zero beyond the clip.
HWY_INLINE F32Vec SlopeWithin(const GateFunctions& gates, const ActivationFunction& f, F32Vec a) {
  const F32Tag d;
  const F32Vec slope = SlopeOf(d, f, Clipped(gates, a));
  if (gates.clip == 0.f) return slope;
  return hn::IfThenZeroElse(hn::Gt(hn::Abs(a), hn::Set(d, gates.clip)), slope);
}

// The specification's functions. Training keeps the values of the gates.
struct SpecGates {
  explicit HWY_INLINE SpecGates(const GateFunctions*) {}

  HWY_INLINE F32Vec Recurrent(F32Vec a) const { return Sigmoid(F32Tag(), a); }
  HWY_INLINE F32Vec Candidate(F32Vec a) const { return Tanh(F32Tag(), a); }
  HWY_INLINE F32Vec Output(F32Vec c) const { return Tanh(F32Tag(), c); }
  HWY_INLINE F32Vec Forget(F32Vec a, F32Vec /*i*/) const { return Recurrent(a); }
  HWY_INLINE F32Vec Kept(F32Vec /*a*/, F32Vec value) const { return value; }
  // u h_{t-1} + (1 - u) o of GRU. Its o is a tanh: o - u o costs one operation less than (1 - u) o.
  HWY_INLINE F32Vec Blend(F32Vec u, F32Vec o, F32Vec h_prev) const {
    return hn::MulAdd(u, h_prev, hn::NegMulAdd(u, o, o));
  }

  // Of what training has kept.
  HWY_INLINE GateSlope RecurrentSlope(F32Vec kept) const { return {kept, SigmoidSlope(kept)}; }
  HWY_INLINE GateSlope CandidateSlope(F32Vec kept) const { return {kept, TanhSlope(kept)}; }
  HWY_INLINE GateSlope ForgetSlope(F32Vec kept, F32Vec /*i*/) const { return RecurrentSlope(kept); }
  HWY_INLINE GateSlope OutputSlope(F32Vec c) const {
    const F32Vec value = Tanh(F32Tag(), c);
    return {value, TanhSlope(value)};
  }
  HWY_INLINE F32Vec OfForget(F32Vec diff_f, F32Vec slope) const { return hn::Mul(diff_f, slope); }
  // The gradient that reaches i from a coupled f.
  HWY_INLINE F32Vec WithForget(F32Vec diff_i, F32Vec /*diff_f*/) const { return diff_i; }
};

// Those of the attributes. Training keeps the pre-activations.
class OwnGates {
 public:
  explicit HWY_INLINE OwnGates(const GateFunctions* gates) : gates_(*gates) {}

  HWY_INLINE F32Vec Recurrent(F32Vec a) const { return Value(gates_.recurrent, a); }
  HWY_INLINE F32Vec Candidate(F32Vec a) const { return Value(gates_.candidate, a); }
  HWY_INLINE F32Vec Output(F32Vec c) const { return ActivationOf(F32Tag(), gates_.output, c); }
  HWY_INLINE F32Vec Forget(F32Vec a, F32Vec i) const { return IsCoupled() ? RestOf(i) : Recurrent(a); }
  HWY_INLINE F32Vec Kept(F32Vec a, F32Vec /*value*/) const { return a; }
  HWY_INLINE F32Vec Blend(F32Vec u, F32Vec o, F32Vec h_prev) const { return Mixed(u, h_prev, o); }

  HWY_INLINE GateSlope RecurrentSlope(F32Vec kept) const { return Slope(gates_.recurrent, kept); }
  HWY_INLINE GateSlope CandidateSlope(F32Vec kept) const { return Slope(gates_.candidate, kept); }
  HWY_INLINE GateSlope ForgetSlope(F32Vec kept, F32Vec i) const {
    return IsCoupled() ? GateSlope{RestOf(i), hn::Zero(F32Tag())} : RecurrentSlope(kept);
  }
  HWY_INLINE GateSlope OutputSlope(F32Vec c) const { return {Output(c), SlopeOf(F32Tag(), gates_.output, c)}; }
  // A coupled f has no gradient, even where c_{t-1} is infinite.
  HWY_INLINE F32Vec OfForget(F32Vec diff_f, F32Vec slope) const {
    return IsCoupled() ? hn::Zero(F32Tag()) : hn::Mul(diff_f, slope);
  }
  HWY_INLINE F32Vec WithForget(F32Vec diff_i, F32Vec diff_f) const {
    return IsCoupled() ? hn::Sub(diff_i, diff_f) : diff_i;
  }

 private:
  HWY_INLINE bool IsCoupled() const { return gates_.forget == ForgetGate::kRestOfInput; }
  HWY_INLINE F32Vec RestOf(F32Vec i) const { return hn::Sub(hn::Set(F32Tag(), 1.f), i); }
  HWY_INLINE F32Vec Value(const ActivationFunction& f, F32Vec a) const {
    return ActivationOf(F32Tag(), f, Clipped(gates_, a));
  }
  HWY_INLINE GateSlope Slope(const ActivationFunction& f, F32Vec a) const {
    return {Value(f, a), SlopeWithin(gates_, f, a)};
  }

  const GateFunctions& gates_;
};

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace optimized
}  // namespace tandem
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
