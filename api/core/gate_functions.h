// The functions of a cell's gates. The specification's cells have sigmoid and tanh; the attributes may give others, as files of
// ONNX and Keras have them (docs/numerics.md, "Activations of gates").
#ifndef TANDEM_API_CORE_GATE_FUNCTIONS_H_
#define TANDEM_API_CORE_GATE_FUNCTIONS_H_

#include <tuple>

#include "api/core/activation.h"
#include "api/core/cell.h"

namespace tandem {

// The three places of a cell that have a function.
//
//   kRecurrent  i, f and o of LSTM; u and r of GRU
//   kCandidate  c~ of LSTM; o of GRU
//   kOutput     h_t = o * output(c_t) of LSTM
enum class GatePlace { kRecurrent, kCandidate, kOutput };
constexpr const char* ToString(GatePlace place) {
  switch (place) {
    case GatePlace::kRecurrent:
      return "recurrent";
    case GatePlace::kCandidate:
      return "candidate";
    case GatePlace::kOutput:
      return "output";
  }
  return nullptr;
}
inline constexpr auto kGatePlaces = AllOf<GatePlace>();

// The forget gate of LSTM: of its own weights, or f = 1 - i.
enum class ForgetGate { kOwn, kRestOfInput };

struct GateFunctions {
  ActivationFunction recurrent = {Activation::kLogistic};
  ActivationFunction candidate = {Activation::kTanh};
  ActivationFunction output = {Activation::kTanh};
  float clip = 0.f;  // pre-activations of gates are clipped to [-clip, clip]; 0: they are not
  ForgetGate forget = ForgetGate::kOwn;

  const ActivationFunction& At(GatePlace place) const {
    return place == GatePlace::kRecurrent ? recurrent : place == GatePlace::kCandidate ? candidate : output;
  }
  ActivationFunction& At(GatePlace place) {
    return place == GatePlace::kRecurrent ? recurrent : place == GatePlace::kCandidate ? candidate : output;
  }
};

inline auto Fields(const ActivationFunction& f) { return std::tie(f.kind, f.alpha, f.beta); }
inline auto Fields(const GateFunctions& f) { return std::tie(f.recurrent, f.candidate, f.output, f.clip, f.forget); }

inline bool operator==(const ActivationFunction& a, const ActivationFunction& b) { return Fields(a) == Fields(b); }
inline bool operator==(const GateFunctions& a, const GateFunctions& b) { return Fields(a) == Fields(b); }

// The same function: numbers that it does not use do not count.
constexpr bool IsSame(const ActivationFunction& a, const ActivationFunction& b) {
  return a.kind == b.kind && (!UsesAlpha(a.kind) || a.alpha == b.alpha) && (!UsesBeta(a.kind) || a.beta == b.beta);
}
inline bool HaveDefaultActivations(const GateFunctions& f) {
  const GateFunctions defaults;
  return IsSame(f.recurrent, defaults.recurrent) && IsSame(f.candidate, defaults.candidate) &&
         IsSame(f.output, defaults.output);
}
// The gates of the specification.
inline bool AreDefault(const GateFunctions& f) {
  return HaveDefaultActivations(f) && f.clip == 0.f && f.forget == ForgetGate::kOwn;
}

}  // namespace tandem

#endif  // TANDEM_API_CORE_GATE_FUNCTIONS_H_
