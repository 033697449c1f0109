// Vector sigmoid, tanh and relu for f32 lanes: the gates' activation functions, for any vector width.
//
// Contract, for every lane (activations_test.cc holds each target of the machine to it):
//  * Sigmoid and Tanh are within 4 ulp of the exact value wherever that value is a normal number (2.48 is the worst
//    over all f32). Where it is smaller (Sigmoid left of -87.33), the result lies in [0, 2^-126].
//  * Sigmoid(+-0) = 0.5, Tanh(+-0) = +-0, Sigmoid(-inf, inf) = (0, 1), Tanh(-inf, inf) = (-1, 1), exactly; no result
//    leaves [0, 1] and [-1, 1]. NaN gives NaN.
//  * With the processor flushing subnormal numbers (FTZ, DAZ) all of this holds, but that a subnormal input of Tanh
//    gives zero.
//  * Targets with fused multiply-add give the same bits, whatever their vector width.

// Per-target include guard.
#if defined(TANDEM_OPTIMIZED_KERNELS_ACTIVATIONS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_OPTIMIZED_KERNELS_ACTIVATIONS_INL_H_
#undef TANDEM_OPTIMIZED_KERNELS_ACTIVATIONS_INL_H_
#else
#define TANDEM_OPTIMIZED_KERNELS_ACTIVATIONS_INL_H_
#endif

#include "hwy/highway.h"

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

// 1 + exp(-x), the denominator of the sigmoid; in [1, inf].
//
// exp(-x) = 2^n * exp(-r) with n = round(-x / ln 2) and r = x + n * ln 2, |r| <= 0.3466. exp(-r) is a polynomial of
// degree 6 with constant term 1 (so that x = 0 is exact); the other coefficients are the minimax fit of the relative
// error, 2.0e-9 before their rounding to f32 (tools/fit_activations.py). Degree 5 would save one multiply-add of 10 and
// cost 0.9 ulp.
//  * Adding 1.5 * 2^23 + 127 to -x / ln 2 rounds it to an integer and leaves n + 127, an f32's exponent field, in the
//    low bits, so that 2^n costs one shift.
//  * ln 2 = 355/512 - 2.12194440e-4: n * 355/512 has at most 17 significant bits, hence is exact without FMA too.
//  * x is limited to [-88.7228, 87]. Left of -88.376, n is 128, whose bits are those of infinity, and the sigmoid is
//    exactly 0 there; at 87, 1 + exp(-x) has long been exactly 1.
//  * A NaN passes through the polynomial, whatever the bits of 2^n.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V SigmoidDenominator(D d, V x) {
  const hn::RebindToSigned<D> di;
  x = AtLeast(d, AtMost(d, x, 87.0f), -88.7228394f);
  const V magic = hn::Set(d, 12583039.0f);
  const V biased = hn::MulAdd(x, hn::Set(d, -1.44269504f), magic);
  const V n = hn::Sub(biased, magic);
  V r = hn::MulAdd(n, hn::Set(d, 0.693359375f), x);
  r = hn::MulAdd(n, hn::Set(d, -2.12194440e-4f), r);
  V p = hn::Set(d, 1.38435810e-3f);
  p = hn::MulAdd(p, r, hn::Set(d, -8.37419554e-3f));
  p = hn::MulAdd(p, r, hn::Set(d, 4.16680053e-2f));
  p = hn::MulAdd(p, r, hn::Set(d, -1.66664308e-1f));
  p = hn::MulAdd(p, r, hn::Set(d, 4.99999942e-1f));
  p = hn::MulAdd(p, r, hn::Set(d, -1.00000003f));
  p = hn::MulAdd(p, r, hn::Set(d, 1.0f));
  const V power = hn::BitCast(d, hn::ShiftLeft<23>(hn::BitCast(di, biased)));
  return hn::MulAdd(p, power, hn::Set(d, 1.0f));
}

template <class D, class V = hn::VFromD<D>>
HWY_INLINE V Sigmoid(D d, V x) {
  return hn::Div(hn::Set(d, 1.0f), SigmoidDenominator(d, x));
}

// tanh(x) = sign(x) * h / (h + 1) with h = (exp(2|x|) - 1) / 2, which unlike exp(2|x|) keeps its relative accuracy near
// 0.
//
// exp(2|x|) = 2^n * exp(2s), n = round(2|x| / ln 2), |s| <= 0.1733, so h = 2^n * (exp(2s) - 1) / 2 + (2^n - 1) / 2,
// where (exp(2s) - 1) / 2 is s + s^2 * (a polynomial of degree 4); its minimax fit is within 1.3e-8, relatively
// (tools/fit_activations.py).
//  * For tiny x, n is 0 and h is x itself.
//  * The larger n is, the less an error of h changes the quotient, which is why s needs no second constant for ln 2.
//  * |x| is limited to 11: from 9.02 on the result is exactly 1, since h + 1 rounds to h or to its neighbour.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V Tanh(D d, V x) {
  const hn::RebindToSigned<D> di;
  const V a = AtMost(d, hn::Abs(x), 11.0f);
  const V magic = hn::Set(d, 12583039.0f);
  const V biased = hn::MulAdd(a, hn::Set(d, 2.88539008f), magic);
  const V n = hn::Sub(biased, magic);
  const V s = hn::MulAdd(n, hn::Set(d, -0.34657359f), a);
  V t = hn::Set(d, 4.44240543e-2f);
  t = hn::MulAdd(t, s, hn::Set(d, 1.33864754e-1f));
  t = hn::MulAdd(t, s, hn::Set(d, 3.33337606e-1f));
  t = hn::MulAdd(t, s, hn::Set(d, 6.66661737e-1f));
  t = hn::MulAdd(t, s, hn::Set(d, 9.99999963e-1f));
  const V q = hn::MulAdd(hn::Mul(s, s), t, s);
  const V half = hn::Set(d, 0.5f);
  const V power = hn::BitCast(d, hn::ShiftLeft<23>(hn::BitCast(di, biased)));
  const V h = hn::MulAdd(power, q, hn::MulSub(power, half, half));
  return hn::CopySignToAbs(hn::Div(h, hn::Add(h, hn::Set(d, 1.0f))), x);
}

// x where x > 0, alpha * x elsewhere (NaN included).
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V Relu(D d, V x, V alpha) {
  return hn::IfThenElse(hn::Gt(x, hn::Zero(d)), x, hn::Mul(alpha, x));
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace optimized
}  // namespace tandem
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
