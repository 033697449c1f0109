// Vanilla RNN; LSTM forward, with peephole and projection.
#include "reference/teaching/table/equations.h"

namespace tandem {
namespace reference {
namespace {

constexpr char kRnn[] = "reference/cells/vanilla_rnn.h";
constexpr char kRnnBackward[] = "reference/cells/vanilla_rnn_backward.h";
constexpr char kLstm[] = "reference/cells/lstm.h";
constexpr char kGate[] = "[dhc, mb]";

}  // namespace

std::vector<Equation> VanillaAndLstmEquations() {
  return {
      {"RNN.1",
       {{"a = W x + U h' + B"}},
       kGate,
       kRnn,
       "The pre-activation. The gradient needs it, but that of tanh and logistic does not."},
      {"RNN.2",
       {{"h = tanh(a)", "", "tanh"},
        {"h = σ(a)", "", "logistic"},
        {"h = positive(a, a, alpha * a)", "", "relu"},
        {"h = step(a - alpha) * a", "", "thresholded_relu"},
        {"h = clip(alpha * a + beta)", "", "hard_sigmoid"},
        {"h = a / (1 + abs(a))", "", "softsign"},
        {"h = log(1 + exp(a))", "", "softplus"},
        {"h = positive(a, a, alpha * (exp(a) - 1))", "", "elu"},
        {"h = alpha * a + beta", "", "affine"},
        {"h = alpha * tanh(beta * a)", "", "scaled_tanh"}},
       kGate,
       kRnn,
       "One activation for all channels, chosen when the primitive is created. {step(a)} is 1 where {a} is above 0, "
       "else 0; "
       "{clip(a)} limits {a} to 0 and 1."},
      {"RNN.B1",
       {{"Δ = dh * (1 - h²)", "", "tanh"},
        {"Δ = dh * h * (1 - h)", "", "logistic"},
        {"Δ = dh * positive(a, 1, alpha)", "", "relu"},
        {"Δ = dh * step(a - alpha)", "", "thresholded_relu"},
        {"Δ = dh * alpha * inside(alpha * a + beta)", "", "hard_sigmoid"},
        {"Δ = dh / (1 + abs(a))²", "", "softsign"},
        {"Δ = dh * σ(a)", "", "softplus"},
        {"Δ = dh * positive(a, 1, alpha * exp(a))", "", "elu"},
        {"Δ = dh * alpha", "", "affine"},
        {"Δ = dh * alpha * beta * (1 - tanh(beta * a)²)", "", "scaled_tanh"}},
       kGate,
       kRnnBackward,
       "The chain rule through the activation. With {h = tanh(a)} the slope is {1 - h²}, with {h = σ(a)} it is "
       "{h * (1 - h)}: both need only the result. The others take theirs from {a}. relu's cannot be told from {h}: "
       "with a "
       "negative {alpha}, {h} is positive on both sides of zero. {inside(a)} is 1 where {a} lies between 0 and 1, else "
       "0."},
      {"RNN.B2",
       {{"dW += Δ xᵀ"}},
       "[dhc, slc]",
       kRnnBackward,
       "{a} is linear in W, with {x} as its factor; every step and every row of the minibatch adds its part. The "
       "matrix "
       "product is the sum over the minibatch."},
      {"RNN.B3", {{"dU += Δ h'ᵀ"}}, "[dhc, sic]", kRnnBackward, "As [RNN.B2], with the state that U multiplied."},
      {"RNN.B4",
       {{"dB += Σ_n Δ"}},
       "[dhc, 1]",
       kRnnBackward,
       "The bias is added in every row of the minibatch with factor 1."},
      {"RNN.B5",
       {{"dx = Wᵀ Δ"}},
       "[slc, mb]",
       kRnnBackward,
       "Channel k of {x} enters channel j of {a} with the factor W[j, k]; the sum over j is the product with {Wᵀ}."},
      {"RNN.B6", {{"dh' = Uᵀ Δ"}}, "[sic, mb]", kRnnBackward, "As [RNN.B5], for the state of the step before."},

      {"LSTM.1",
       {{"i = σ(W_i x + U_i h' + B_i)"}},
       kGate,
       kLstm,
       "The input gate: how much of the candidate is stored."},
      {"LSTM.2",
       {{"f = σ(W_f x + U_f h' + B_f)"}},
       kGate,
       kLstm,
       "The forget gate: how much of the old cell state stays."},
      {"LSTM.3", {{"c~ = tanh(W_c~ x + U_c~ h' + B_c~)"}}, kGate, kLstm, "The candidate: what this step would store."},
      {"LSTM.4", {{"c = f * c' + i * c~"}}, kGate, kLstm, "The cell state, a mixture with two independent weights."},
      {"LSTM.5",
       {{"o = σ(W_o x + U_o h' + B_o)"}},
       kGate,
       kLstm,
       "The output gate: how much of the cell state is shown."},
      {"LSTM.6", {{"h = tanh(c) * o"}}, kGate, kLstm, "The hidden state, which the next step and the next layer read."},

      {"PEEP.1",
       {{"i = σ(W_i x + U_i h' + P_i * c' + B_i)"}},
       kGate,
       kLstm,
       "The gate also sees the old cell state, channel by channel."},
      {"PEEP.2", {{"f = σ(W_f x + U_f h' + P_f * c' + B_f)"}}, kGate, kLstm, "As [PEEP.1]."},
      {"PEEP.3", {{"c~ = tanh(W_c~ x + U_c~ h' + B_c~)"}}, kGate, kLstm, "The candidate has no peephole."},
      {"PEEP.4", {{"c = f * c' + i * c~"}}, kGate, kLstm, "As [LSTM.4]."},
      {"PEEP.5",
       {{"o = σ(W_o x + U_o h' + P_o * c + B_o)"}},
       kGate,
       kLstm,
       "This gate sees the new cell state, before it is rounded for storage."},
      {"PEEP.6", {{"h = tanh(c) * o"}}, kGate, kLstm, "As [LSTM.6]."},
      {"PROJ.1",
       {{"h = R h^"}},
       "[dic, mb]",
       kLstm,
       "{h^ = tanh(c) * o} is what [LSTM.6] or [PEEP.6] gives. R multiplies every step: the next step and the next "
       "layer read the projected h."},
  };
}

}  // namespace reference
}  // namespace tandem
