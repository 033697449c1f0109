// Functions of gates: a clip and a coupled forget gate. The functions themselves are those of [RNN.2] and [RNN.B1].
#include "reference/teaching/table/equations.h"

namespace tandem {
namespace reference {

std::vector<Equation> GateEquations() {
  constexpr char kPlace[] = "reference/cells/gate_functions.h";
  constexpr char kGate[] = "[dhc, mb]";
  return {
      {"GATE.1",
       {{"a^ = limit(a, clip)"}},
       kGate,
       kPlace,
       "{limit(a, clip)} is {a} where it lies between {-clip} and {clip}, else the nearer of the two. {a} is the whole "
       "pre-activation, with its peephole; a gate's function takes {a^} in its place."},
      {"GATE.2",
       {{"f = 1 - i"}},
       kGate,
       kPlace,
       "The coupled forget gate, in place of [LSTM.2] or [PEEP.2]: what is stored takes the place of what was. Its "
       "bias has no effect, nor have its weights, unless a norm takes the products of all gates."},
      {"GATE.B1",
       {{"Δ = da^ * (1 - step(abs(a) - clip))"}},
       kGate,
       kPlace,
       "{da^} is the gradient by {a^}: that of the gate times the slope of its function at {a^}. Beyond the clip {a^} "
       "does not change with {a}; at the clip the slope is 1."},
      {"GATE.B2",
       {{"di = dc * c~ - df"}},
       kGate,
       kPlace,
       "The coupled forget gate: {df = dc * c'} reaches {i} through [GATE.2], with the factor -1. {f} has no {Δ_f}: "
       "its "
       "weights get no gradient."},
  };
}

}  // namespace reference
}  // namespace tandem
