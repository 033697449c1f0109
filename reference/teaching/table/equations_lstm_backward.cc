// LSTM backward, with peephole and projection.
#include "reference/teaching/table/equations.h"

namespace tandem {
namespace reference {
namespace {

constexpr char kPlace[] = "reference/cells/lstm_backward.h";
constexpr char kGate[] = "[dhc, mb]";
constexpr char kGates[] = "i f c~ o";

}  // namespace

std::vector<Equation> LstmBackwardEquations() {
  return {
      {"LSTM.B1",
       {{"Δ_o = dh * tanh(c) * o * (1 - o)"}},
       kGate,
       kPlace,
       "From [LSTM.6], {h} is linear in {o} with the factor {tanh(c)}; {o * (1 - o)} is the slope of σ at the gate."},
      {"LSTM.B2",
       {{"dc += dh * o * (1 - tanh(c)²)"}},
       kGate,
       kPlace,
       "{c} is read twice: by step t + 1, whose part [STACK.B7] has put into {dc}, and by [LSTM.6], where the slope of "
       "{tanh(c)} is {1 - tanh(c)²}. The two parts are added."},
      {"LSTM.B3", {{"Δ_f = dc * c' * f * (1 - f)"}}, kGate, kPlace, "In [LSTM.4] the factor of {f} is {c'}."},
      {"LSTM.B4", {{"Δ_i = dc * c~ * i * (1 - i)"}}, kGate, kPlace, "In [LSTM.4] the factor of {i} is {c~}."},
      {"LSTM.B5",
       {{"Δ_c~ = dc * i * (1 - c~²)"}},
       kGate,
       kPlace,
       "In [LSTM.4] the factor of {c~} is {i}; {1 - c~²} is the slope of tanh."},
      {"LSTM.B6",
       {{"dc' = dc * f"}},
       kGate,
       kPlace,
       "In [LSTM.4] the factor of {c'} is {f}. On the path from c to {c'} nothing else multiplies the gradient: where "
       "f is "
       "near 1 it stays. The other path to the step before is {dh'} [LSTM.B11]."},
      {"LSTM.B7", {{"dW_g += Δ_g xᵀ", kGates}}, "[dhc, slc]", kPlace, "As [RNN.B2], for each gate."},
      {"LSTM.B8", {{"dU_g += Δ_g h'ᵀ", kGates}}, "[dhc, sic]", kPlace, "As [RNN.B3], for each gate."},
      {"LSTM.B9", {{"dB_g += Σ_n Δ_g", kGates}}, "[dhc, 1]", kPlace, "As [RNN.B4], for each gate."},
      {"LSTM.B10",
       {{"dx = Σ_g W_gᵀ Δ_g", kGates}},
       "[slc, mb]",
       kPlace,
       "{x} enters all four pre-activations; the parts are added."},
      {"LSTM.B11",
       {{"dh' = Σ_g U_gᵀ Δ_g", kGates}},
       "[sic, mb]",
       kPlace,
       "As [LSTM.B10], for the state of the step before."},

      {"PEEP.B1", {{"Δ_o = dh * tanh(c) * o * (1 - o)"}}, kGate, kPlace, "As [LSTM.B1]."},
      {"PEEP.B2",
       {{"dc += Δ_o * P_o"}},
       kGate,
       kPlace,
       "{c} is read a third time: in [PEEP.5] it enters o's pre-activation with the factor {P_o}."},
      {"PEEP.B3",
       {{"dc' += Σ_g Δ_g * P_g", "i f"}},
       kGate,
       kPlace,
       "In [PEEP.1] and [PEEP.2] {c'} enters two pre-activations."},
      {"PEEP.B4",
       {{"dP_i += Σ_n Δ_i * c'"}},
       "[dhc, 1]",
       kPlace,
       "{P_i} multiplies {c'} channel by channel, in every row of the minibatch."},
      {"PEEP.B5", {{"dP_f += Σ_n Δ_f * c'"}}, "[dhc, 1]", kPlace, "As [PEEP.B4]."},
      {"PEEP.B6",
       {{"dP_o += Σ_n Δ_o * c"}},
       "[dhc, 1]",
       kPlace,
       "As [PEEP.B4], with the cell state that [PEEP.5] read: the new one."},
      {"PROJ.B1", {{"dR += dh h^ᵀ"}}, "[dic, dhc]", kPlace, "As [RNN.B2]: {h} is linear in R with the factor {h^}."},
      {"PROJ.B2",
       {{"dh^ = Rᵀ dh"}},
       kGate,
       kPlace,
       "This takes the place of {dh} in [LSTM.B1], [PEEP.B1] and [LSTM.B2]."},
  };
}

}  // namespace reference
}  // namespace tandem
