// The four GRU cells.
#include "reference/teaching/table/equations.h"

namespace tandem {
namespace reference {
namespace {

constexpr char kGru[] = "reference/cells/gru.h";
constexpr char kLbr[] = "reference/cells/lbr_gru.h";
constexpr char kAugru[] = "reference/cells/augru.h";
constexpr char kGruBackward[] = "reference/cells/gru_backward.h";
constexpr char kLbrBackward[] = "reference/cells/lbr_gru_backward.h";
constexpr char kAugruBackward[] = "reference/cells/augru_backward.h";
constexpr char kGate[] = "[dhc, mb]";

std::vector<Equation> PlainGru() {
  return {
      {"GRU.1", {{"u = σ(W_u x + U_u h' + B_u)"}}, kGate, kGru, "The update gate: how much of the old state stays."},
      {"GRU.2",
       {{"r = σ(W_r x + U_r h' + B_r)"}},
       kGate,
       kGru,
       "The reset gate: how much of the old state the candidate sees."},
      {"GRU.3",
       {{"o = tanh(W_o x + U_o (r * h') + B_o)"}},
       kGate,
       kGru,
       "The candidate. {r * h'} is stored as a state before {U_o} multiplies it."},
      {"GRU.4",
       {{"h = u * h' + (1 - u) * o"}},
       kGate,
       kGru,
       "A weighted mean of old state and candidate. Some libraries exchange {u} and {1 - u}."},
      {"GRU.B1",
       {{"Δ_u = dh * (h' - o) * u * (1 - u)"}},
       kGate,
       kGruBackward,
       "In [GRU.4] the factor of {u} is {h' - o}; {u * (1 - u)} is the slope of σ."},
      {"GRU.B2",
       {{"Δ_o = dh * (1 - u) * (1 - o²)"}},
       kGate,
       kGruBackward,
       "In [GRU.4] the factor of {o} is {1 - u}; {1 - o²} is the slope of tanh."},
      {"GRU.B3",
       {{"s = U_oᵀ Δ_o"}},
       kGate,
       kGruBackward,
       "The gradient with respect to the product {r * h'}, which {U_o} multiplies in [GRU.3]."},
      {"GRU.B4", {{"Δ_r = s * h' * r * (1 - r)"}}, kGate, kGruBackward, "In {r * h'} the factor of {r} is {h'}."},
      {"GRU.B5", {{"dW_g += Δ_g xᵀ", "u r o"}}, "[dhc, slc]", kGruBackward, "As [RNN.B2], for each gate."},
      {"GRU.B6",
       {{"dU_g += Δ_g h'ᵀ", "u r"}},
       "[dhc, sic]",
       kGruBackward,
       "As [RNN.B3], for the gates that read {h'} itself."},
      {"GRU.B7", {{"dU_o += Δ_o (r * h')ᵀ"}}, "[dhc, sic]", kGruBackward, "{U_o} multiplied {r * h'}."},
      {"GRU.B8", {{"dB_g += Σ_n Δ_g", "u r o"}}, "[dhc, 1]", kGruBackward, "As [RNN.B4], for each gate."},
      {"GRU.B9", {{"dx = Σ_g W_gᵀ Δ_g", "u r o"}}, "[slc, mb]", kGruBackward, "{x} enters all three pre-activations."},
      {"GRU.B10",
       {{"dh' = dh * u + s * r + U_uᵀ Δ_u + U_rᵀ Δ_r"}},
       "[sic, mb]",
       kGruBackward,
       "{h'} is read four times: in [GRU.4] with the factor {u}, in {r * h'} with the factor {r}, and by the gates {u} "
       "and {r}."},
  };
}

std::vector<Equation> LinearBeforeReset() {
  return {
      {"LBR.1", {{"u = σ(W_u x + U_u h' + B_u)"}}, kGate, kLbr, "As [GRU.1]."},
      {"LBR.2", {{"r = σ(W_r x + U_r h' + B_r)"}}, kGate, kLbr, "As [GRU.2]."},
      {"LBR.3",
       {{"o = tanh(W_o x + r * (U_o h' + B_u') + B_o)"}},
       kGate,
       kLbr,
       "The reset gate acts after {U_o}, on the product and its own bias {B_u'}, the fourth row of `bias`."},
      {"LBR.4", {{"h = u * h' + (1 - u) * o"}}, kGate, kLbr, "As [GRU.4]."},
      {"LBR.B1",
       {{"Δ_r = (U_o h' + B_u') * Δ_o * r * (1 - r)"}},
       kGate,
       kLbrBackward,
       "In [LBR.3] the factor of {r} in the pre-activation of {o} is {U_o h' + B_u'}. {Δ_u} and {Δ_o} are [GRU.B1] and "
       "[GRU.B2]."},
      {"LBR.B2",
       {{"Δ_u' = Δ_o * r"}},
       kGate,
       kLbrBackward,
       "The gradient with respect to {U_o h' + B_u'}: in [LBR.3] its factor is {r}."},
      {"LBR.B3", {{"dW_g += Δ_g xᵀ", "u r o"}}, "[dhc, slc]", kLbrBackward, "As [GRU.B5]."},
      {"LBR.B4",
       {{"dU_g += Δ_g h'ᵀ", "u r"}, {"dU_o += Δ_u' h'ᵀ"}},
       "[dhc, sic]",
       kLbrBackward,
       "{U_o} multiplies {h'} inside the reset gate, so its gradient has [LBR.B2]."},
      {"LBR.B5", {{"dB_g += Σ_n Δ_g", "u r o u'"}}, "[dhc, 1]", kLbrBackward, "Four rows of bias, one gradient each."},
      {"LBR.B6", {{"dx = Σ_g W_gᵀ Δ_g", "u r o"}}, "[slc, mb]", kLbrBackward, "As [GRU.B9]."},
      {"LBR.B7",
       {{"dh' = dh * u + U_uᵀ Δ_u + U_rᵀ Δ_r + U_oᵀ Δ_u'"}},
       "[sic, mb]",
       kLbrBackward,
       "{h'} is read by [LBR.4] with the factor {u}, and by the three products with U."},
  };
}

std::vector<Equation> WithAttention() {
  return {
      {"AUGRU.1",
       {{"u~ = (1 - a) * u"}},
       kGate,
       kAugru,
       "{a} is one number for each step and row of the minibatch: attention 1 forgets the old state."},
      {"AUGRU.2",
       {{"h = u~ * h' + (1 - u~) * o"}},
       kGate,
       kAugru,
       "As [GRU.4], with {u~} for {u}. {o} is [GRU.3] or [LBR.3]."},
      {"AUGRU.B1",
       {{"du~ = dh * (h' - o)"}},
       kGate,
       kAugruBackward,
       "Reading `spec`. In [AUGRU.2] the factor of {u~} is {h' - o}."},
      {"AUGRU.B2",
       {{"Δ_u = du~ * (1 - a) * u * (1 - u)"}},
       kGate,
       kAugruBackward,
       "Reading `spec`. In [AUGRU.1] the factor of {u} is {1 - a}. In [GRU.B2], [GRU.B10] and [LBR.B7], {u~} takes the "
       "place of {u}."},
      {"AUGRU.B3",
       {{"da = -Σ_channels du~ * u"}},
       "[1, mb]",
       kAugruBackward,
       "Reading `spec`. In [AUGRU.1] the factor of {a} is {-u}, in every channel."},
      {"AUGRU.B4",
       {{"t = dh * (h' - o) * u * (1 - u)"}},
       kGate,
       kAugruBackward,
       "Reading `onednn`: what oneDNN computes. It is the gradient of the forward equations only at {a = 0}: {u} stays "
       "in [GRU.B2], [GRU.B10] and [LBR.B7]."},
      {"AUGRU.B5", {{"Δ_u = t * (1 - a)"}}, kGate, kAugruBackward, "Reading `onednn`. The same as [AUGRU.B2]."},
      {"AUGRU.B6",
       {{"da = -Σ_channels t * u"}},
       "[1, mb]",
       kAugruBackward,
       "Reading `onednn`. Differs from [AUGRU.B3] by the factor {u * (1 - u)}."},
  };
}

}  // namespace

std::vector<Equation> GruEquations() {
  std::vector<Equation> all = PlainGru();
  for (const auto part : {&LinearBeforeReset, &WithAttention}) {
    for (Equation& equation : part()) all.push_back(std::move(equation));
  }
  return all;
}

}  // namespace reference
}  // namespace tandem
