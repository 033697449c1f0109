// Layers, time and directions; int8; layer normalization.
#include "reference/teaching/table/equations.h"

namespace tandem {
namespace reference {
namespace {

constexpr char kStack[] = "reference/stack/stack.h";
constexpr char kBackward[] = "reference/stack/stack_backward.h";
constexpr char kInt8[] = "reference/numerics/numerics_int8.h";
constexpr char kDynamic[] = "reference/numerics/numerics_dynamic.h";
constexpr char kState[] = "[dic, mb]";
constexpr char kCell[] = "[dhc, mb]";

std::vector<Equation> StackForward() {
  return {
      {"STACK.1",
       {{"h_{t,l} = Cell(h_{t,l-1}, h_{t-1,l})"}},
       kState,
       kStack,
       "One step of one layer: its x is the output of the layer below, its {h'} that of the step before."},
      {"STACK.2",
       {{"(h_{t,l}, c_{t,l}) = Cell(h_{t,l-1}, h_{t-1,l}, c_{t-1,l})"}},
       "[dic + dhc, mb]",
       kStack,
       "LSTM passes a cell state to the next step, but not to the next layer."},
      {"STACK.3",
       {{"dst_layer_t = [h→_{t,L-1}; h←_{t,L-1}]"}},
       "[2 dic, mb]",
       kStack,
       "bidirectional_concat: the channels of left2right come first."},
      {"STACK.4", {{"dst_layer_t = h→_{t,L-1} + h←_{t,L-1}"}}, kState, kStack, "bidirectional_sum."},
      {"STACK.5", {{"dst_layer_t = h_{t,L-1}"}}, kState, kStack, "One direction only."},
      {"STACK.6", {{"h_{t,-1} = src_layer_t"}}, "[slc, mb]", kStack, "The first layer reads the input."},
      {"STACK.7",
       {{"h_{-1,l} = src_iter_l"}},
       "[sic, mb]",
       kStack,
       "The first step reads the initial state; 0 where `src_iter` is absent. right2left: at t = T - 1."},
      {"STACK.8", {{"c_{-1,l} = src_iter_c_l"}}, kCell, kStack, "LSTM; as [STACK.7]."},
      {"STACK.9",
       {{"dst_iter_l = h_{T-1,l}"}},
       kState,
       kStack,
       "The state after the last step of each layer. right2left: after t = 0."},
      {"STACK.10", {{"dst_iter_c_l = c_{T-1,l}"}}, kCell, kStack, "LSTM; as [STACK.9]."},
  };
}

std::vector<Equation> StackBackward() {
  return {
      {"STACK.B1",
       {{"[dx→_{t,L}; dx←_{t,L}] = diff_dst_layer_t"}},
       "[2 dic, mb]",
       kBackward,
       "bidirectional_concat: each direction gets its half, as if a layer L, above the last one, had sent it."},
      {"STACK.B2",
       {{"dx_{t,L} = diff_dst_layer_t"}},
       kState,
       kBackward,
       "Otherwise: each direction gets all of it. The derivative of a sum with respect to either addend is 1."},
      {"STACK.B3",
       {{"dh_{t,l} = dx_{t,l+1} + dh'_{t+1,l}"}},
       kState,
       kBackward,
       "{h_{t,l}} is read by the layer above and by the step after; the parts are added."},
      {"STACK.B4",
       {{"diff_src_layer_t = dx→_{t,0} + dx←_{t,0}", "", "two directions"},
        {"diff_src_layer_t = dx_{t,0}", "", "one direction"}},
       "[slc, mb]",
       kBackward,
       "Both directions read `src_layer`; the parts are added."},
      {"STACK.B5",
       {{"dh'_{T,l} = diff_dst_iter_l"}},
       kState,
       kBackward,
       "`dst_iter` is the state after the last step; 0 where `diff_dst_iter` is absent."},
      {"STACK.B6", {{"dc'_{T,l} = diff_dst_iter_c_l"}}, kCell, kBackward, "LSTM; as [STACK.B5]."},
      {"STACK.B7",
       {{"dc_{t,l} = dc'_{t+1,l}"}},
       kCell,
       kBackward,
       "LSTM: what a step's {dc} begins with. [LSTM.B2] adds the step's own part."},
      {"STACK.B8",
       {{"diff_src_iter_l = dh'_{0,l}"}},
       "[sic, mb]",
       kBackward,
       "What the first step sends back belongs to the initial state."},
      {"STACK.B9", {{"diff_src_iter_c_l = dc'_{0,l}"}}, kCell, kBackward, "LSTM; as [STACK.B8]."},
  };
}

}  // namespace

std::vector<Equation> StackEquations() {
  std::vector<Equation> all = StackForward();
  for (Equation& equation : StackBackward()) all.push_back(std::move(equation));
  return all;
}

std::vector<Equation> Int8Equations() {
  return {
      {"INT8.1",
       {{"q = sat(round(s * (x + z)))", "", "spec"}, {"q = sat(round(s * x + z))", "", "onednn"}},
       "as x",
       kInt8,
       "A real number becomes a byte: ties to even, then saturation."},
      {"INT8.2",
       {{"x = q / s - z", "", "spec"}, {"x = (q - z) / s", "", "onednn"}},
       "as q",
       kInt8,
       "The real number that a byte stands for."},
      {"INT8.3",
       {{"p = (q_W q_h - Z * Σ_k q_W) / (w * s)"}},
       kCell,
       kInt8,
       "The product W h of the cells. In both readings the real number of a byte is {(q - Z) / s}, and that of a "
       "weight is {q_W / w}; Z leaves the sum as a factor. The sums are exact integers."},
      {"INT8.4",
       {{"q = sat(round(q_1 + q_2 - Z))"}},
       "[dic, mb]",
       kInt8,
       "Reading `spec`, bidirectional_sum: the two real numbers are added and quantized once. An f32 `dst_layer` holds "
       "their sum."},
      {"INT8.5",
       {{"q = sat(q_1 + q_2)"}},
       "[dic, mb]",
       kInt8,
       "Reading `onednn`, bidirectional_sum: the bytes are added. An f32 `dst_layer` holds {(q - 2 * Z) / s}."},
      {"INT8.6",
       {{"W = q_W / w"}},
       "[dhc, slc]",
       "reference/numerics/numerics.h",
       "Weights in s8 beside data in a floating type. The same holds for U and the projection."},
      {"INT8.7",
       {{"s = (max(h) - min(h)) / 255"}},
       "[1, mb]",
       kDynamic,
       "Dynamic quantization of f32 data beside s8 weights. h is what a product reads: {x}, {h'}, {r * h'} or {h^}. "
       "max and "
       "min run over the channels of one row of the minibatch, and 0. Rows with {s} below 2^-100 count as zeros."},
      {"INT8.8", {{"Z = sat(round(-min(h) / s))"}}, "[1, mb]", kDynamic, "The byte of 0: ties to even."},
      {"INT8.9", {{"q_h = sat(round(h / s) + Z)"}}, "as h", kDynamic, "Ties to even, then saturation to 0 and 255."},
      {"INT8.10",
       {{"p = s * (q_W q_h - Z * Σ_k q_W) / w"}},
       kCell,
       kDynamic,
       "The product W h of the cells. {W x} and {U h'} have scales of their own; each is a real number when they are "
       "added."},
  };
}

// Of v: W x, U h', their sum, or c.
std::vector<Equation> NormEquations() {
  constexpr char kNorm[] = "reference/numerics/layer_norm.h";
  constexpr char kShape[] = "[m, mb]";
  constexpr char kChannels[] = "[dhc, mb]";
  return {
      {"NORM.1",
       {{"z = v - mean(v)"}},
       kShape,
       kNorm,
       "Of each row of the minibatch by itself; {mean(v)} is over its m numbers. m is dhc, or with the scope row dhc "
       "times the number of gates."},
      {"NORM.2",
       {{"s = sqrt(mean(z²) + epsilon)"}},
       "[1, mb]",
       kNorm,
       "{mean(z²)} is the variance of the m numbers themselves: it is divided by m, not by m - 1. epsilon keeps {s} "
       "above 0 where they are all equal."},
      {"NORM.3", {{"v^ = z / s"}}, kShape, kNorm, "Mean 0, and a variance of nearly 1."},
      {"NORM.4",
       {{"y = norm_gain * v^ + norm_offset"}},
       kChannels,
       kNorm,
       "Each channel has a gain and an offset, in each norm of each layer and direction."},
      {"NORM.B1",
       {{"diff_norm_offset += Σ_n Δ"}},
       "[dhc, 1]",
       kNorm,
       "{Δ} is the gradient by {y}. The offset is added in every row with factor 1."},
      {"NORM.B2", {{"diff_norm_gain += Σ_n Δ * v^"}}, "[dhc, 1]", kNorm, "{v^} is the factor of the gain in [NORM.4]."},
      {"NORM.B3", {{"dv^ = Δ * norm_gain"}}, kChannels, kNorm, "As [NORM.B2], for the other factor."},
      {"NORM.B4",
       {{"dv = (dv^ - mean(dv^) - v^ * mean(dv^ * v^)) / s"}},
       kShape,
       kNorm,
       "Of {v^ = z / s} each {v} changes its own numerator, by the mean all numerators, and by {s} all quotients. "
       "{s} changes by {v^ / m} where one {v} changes by 1, so that the third part is {v^} times the mean of "
       "{dv^ * v^}."},
  };
}

}  // namespace reference
}  // namespace tandem
