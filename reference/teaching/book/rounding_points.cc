#include "reference/teaching/book/rounding_points.h"

#include "reference/numerics/numerics.h"

namespace tandem {
namespace reference {
namespace {

bool Always(const RnnProblem&) { return true; }
bool OfLstm(const RnnProblem& p) { return HasCellState(p.cell); }
bool OfGates(const RnnProblem& p) { return !HasActivation(p.cell); }
bool OfGru(const RnnProblem& p) { return BlendsState(p.cell); }
bool OfResetState(const RnnProblem& p) { return BlendsState(p.cell) && !IsLinearBeforeReset(p.cell); }
bool OfProjection(const RnnProblem& p) { return p.HasProjection(); }
bool OfSum(const RnnProblem& p) { return p.direction == Direction::kBidirectionalSum; }
bool OfBackward(const RnnProblem& p) { return p.IsBackward(); }
bool OfFpmath(const RnnProblem& p) { return EffectiveFpmathMode(p) != FpmathMode::kStrict; }

}  // namespace

const std::vector<RoundingPoint>& RoundingPoints() {
  static const std::vector<RoundingPoint>* const points = new std::vector<RoundingPoint>{
      {"{W_g x}, {U_g h'}", "[LSTM.1], [GRU.1], ...", "f32, summed in any order", "exact integers, then f32 [INT8.3]",
       "Dot", Always},
      {"the whole pre-activation", "[LSTM.1], [GRU.1], ...", "f32; not rounded to x before the activation", "f32",
       "Term", Always},
      {"gates", "[LSTM.1] to [LSTM.5], [GRU.1] to [GRU.3]", "f32 within the step", "f32", "Sigmoid", OfGates},
      {"{c}", "[LSTM.4], [PEEP.4]",
       "the type of `src_iter_c`, for the next step and backward; {tanh(c)} and {P_o * c} use it before", "f32",
       "StoreCellState", OfLstm},
      {"{h}", "[LSTM.6], [RNN.2], [GRU.4]", "x, before the next step or layer reads it", "a byte [INT8.1]",
       "StoreState", Always},
      {"{r * h'}", "[GRU.3], [GRU.B7]", "x, before the product with {U_o}", "a byte [INT8.1]", "StoreState",
       OfResetState},
      {"{h^}", "[PROJ.1]", "x, before the product with R; the projected h is x again", "a byte; so is the projected h",
       "StoreState", OfProjection},
      {"{h'} in {u * h' + (1 - u) * o}", "[GRU.4], [AUGRU.2]", "widened", "the real number of the byte [INT8.2]",
       "Widen", OfGru},
      {"{h→ + h←}", "[STACK.4]", "x: both are x already, their sum is rounded again", "[INT8.4], [INT8.5]",
       "LayerOutputSum", OfSum},
      {"gates and {U_o h' + B_u'} that backward reads", "[LSTM.B1], [GRU.B1], ...", "x, in the workspace",
       "no backward", "StoreGate", OfBackward},
      {"{Δ_g}, and {dh} before {Rᵀ}", "[LSTM.B7] to [LSTM.B11], [PROJ.B1], ...",
       "x, before products and sums over the minibatch; f32 in elementwise uses", "no backward", "StoreDelta",
       OfBackward},
      {"{dx}, {dh'}, {dc'}, sums over t and n", "[LSTM.B6] to [LSTM.B11], ...", "f32", "no backward", "AddOuter",
       OfBackward},
      {"both operands of a product of f32 tensors", "[LSTM.1], ...", "bf16, f16 or tf32 under an fpmath mode",
       "not affected", "RoundOperand", OfFpmath},
  };
  return *points;
}

}  // namespace reference
}  // namespace tandem
