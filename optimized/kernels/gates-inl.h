// The functions of gates, as the cells and their gradients call them: sigmoid and tanh, whose code is part of each cell, or those
// that the attributes give, which are called (api/core/gate_functions.h).

// Per-target include guard.
#if defined(TANDEM_OPTIMIZED_KERNELS_GATES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_OPTIMIZED_KERNELS_GATES_INL_H_
#undef TANDEM_OPTIMIZED_KERNELS_GATES_INL_H_
#else
#define TANDEM_OPTIMIZED_KERNELS_GATES_INL_H_
#endif

#include "api/core/gate_functions.h"
#include "hwy/highway.h"
#include "optimized/kernels/activations-inl.h"
#include "optimized/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tandem {
namespace optimized {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

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
