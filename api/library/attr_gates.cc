// Attributes that say which functions the gates of an RNN have.
#include <string>

#include "api/core/names.h"
#include "api/library/attr.h"
#include "api/library/guard.h"

using namespace tandem;

namespace tandem {
namespace {

GatePlace PlaceOf(tandem_gate_place_t place) {
  const int value = static_cast<int>(place);
  if (value >= 0 && value < CountOf<GatePlace>()) return static_cast<GatePlace>(value);
  ThrowInvalid("place of a gate: is " + std::to_string(value) + ", which is no tandem_gate_place_t");
}

Activation ActivationOf(dnnl_alg_kind_t algorithm, GatePlace place) {
  for (const ActivationTraits& traits : kActivationTraits) {
    if (traits.alg_kind == algorithm) return traits.activation;
  }
  ThrowInvalid(std::string("rnn_activations: ") + ToString(place) + " is " +
               NameOrNumber(tandem_alg_kind2str(algorithm), algorithm) + ", which is no activation of RNN");
}

}  // namespace
}  // namespace tandem

dnnl_status_t tandem_attr_set_rnn_activation(dnnl_primitive_attr_t attr, tandem_gate_place_t place,
                                             dnnl_alg_kind_t algorithm, float alpha, float beta) {
  return Guard([&] {
    const GatePlace at = PlaceOf(place);
    NotNull(attr, "attributes").value.rnn_gates.At(at) = {ActivationOf(algorithm, at), alpha, beta};
  });
}

dnnl_status_t tandem_attr_get_rnn_activation(const_dnnl_primitive_attr_t attr, tandem_gate_place_t place,
                                             dnnl_alg_kind_t* algorithm, float* alpha, float* beta) {
  return Guard([&] {
    const ActivationFunction& function = NotNull(attr, "attributes").value.rnn_gates.At(PlaceOf(place));
    *algorithm = TraitsOf(function.kind).alg_kind;
    *alpha = function.alpha;
    *beta = function.beta;
  });
}

dnnl_status_t tandem_attr_set_rnn_clip(dnnl_primitive_attr_t attr, float clip) {
  return Guard([&] { NotNull(attr, "attributes").value.rnn_gates.clip = clip; });
}

dnnl_status_t tandem_attr_get_rnn_clip(const_dnnl_primitive_attr_t attr, float* clip) {
  return Guard([&] { *clip = NotNull(attr, "attributes").value.rnn_gates.clip; });
}
