// The rules for the functions of gates that the attributes give (api/core/gate_functions.h).
#include <cmath>
#include <string>

#include "api/core/error.h"
#include "api/core/names.h"
#include "api/core/rnn/rnn_checks.h"
#include "api/core/text/text.h"

namespace tandem {
namespace {

bool IsLstmOrGru(Cell cell) { return HasCellState(cell) || (BlendsState(cell) && !HasAttention(cell)); }

std::string NameOf(const RnnProblem& problem) { return ToString(problem.cell); }

void CheckFinite(const char* name, GatePlace place, float value) {
  if (std::isfinite(value)) return;
  ThrowInvalid(std::string("rnn_activations: ") + name + " of " + ToString(place) + " is " + NumberText(value) +
               ", but must be finite");
}

void CheckActivations(const RnnProblem& problem) {
  const GateFunctions& gates = problem.attr.rnn_gates;
  if (HaveDefaultActivations(gates)) return;
  if (!IsLstmOrGru(problem.cell)) {
    const char* const why =
        HasActivation(problem.cell) ? "the activation of vanilla_rnn stands in its descriptor" : "has no other gates";
    ThrowUnimplemented("rnn_activations: are set, but the cell is " + NameOf(problem) + ", and only LSTM, GRU and " +
                       "LBR-GRU take them (" + why + ")");
  }
  for (const GatePlace place : kGatePlaces) {
    const ActivationFunction& function = gates.At(place);
    if (UsesAlpha(function.kind)) CheckFinite("alpha", place, function.alpha);
    if (UsesBeta(function.kind)) CheckFinite("beta", place, function.beta);
  }
  if (!HasCellState(problem.cell) && !IsSame(gates.output, GateFunctions().output)) {
    ThrowInvalid(std::string("rnn_activations: output is ") + ToString(gates.output.kind) + ", but " + NameOf(problem) +
                 " has no function of an output");
  }
}

void CheckClip(const RnnProblem& problem) {
  const float clip = problem.attr.rnn_gates.clip;
  if (!std::isfinite(clip) || clip < 0.f) {
    ThrowInvalid("rnn_clip: is " + NumberText(clip) + ", but must be finite and not negative");
  }
  if (clip != 0.f && HasAttention(problem.cell)) {
    ThrowUnimplemented("rnn_clip: is set, but the cell is " + NameOf(problem) + ", whose gates are not clipped");
  }
}

void CheckForgetGate(const RnnProblem& problem) {
  if (problem.attr.rnn_gates.forget == ForgetGate::kOwn || HasCellState(problem.cell)) return;
  ThrowUnimplemented("rnn_input_forget: is set, but the cell is " + NameOf(problem) + ", which has no forget gate");
}

}  // namespace

void CheckGates(const RnnProblem& problem) {
  CheckActivations(problem);
  CheckClip(problem);
  CheckForgetGate(problem);
  if (problem.IsInt8() && !AreDefault(problem.attr.rnn_gates)) {
    ThrowUnimplemented("rnn_activations, rnn_clip and rnn_input_forget: one is set, but src_layer is " +
                       std::string(ToString(problem.SrcType())) + ": they take floating data");
  }
}

}  // namespace tandem
