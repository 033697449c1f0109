// A cell has the arguments and results of this file. Letters are the specification's: x is h_{t,l-1}, `_prev` means t-1, and W,
// U, B, P, R are the weights.
//
// A cell is written once, for any arithmetic `num` of type N (numerics/numerics.h). In exact arithmetic the members of
// `num` are what the specification writes; a data type adds its roundings in them, and nowhere else:
//
//   num.Dot(W, x)             W x, a matrix product, as one term of a pre-activation: a Sum
//   num.Term(B)               a matrix that is already there, as one more term: a Sum
//   num.Sigmoid(sum), ...     the activated Sum: a matrix; gates.Recurrent and the like choose the function
//   num.Value(sum)            a Sum that no activation follows, as a matrix
//   num.StoreState(h)         h in src_layer's type: rounded to bf16 or f16, quantized to a byte in int8
//   num.StoreCellState(c)     c in src_iter_c's type
//   num.Widen(h)              the real number that a stored state stands for; the inverse of StoreState in int8
//   num.Mix(u, h, o)          u * h + (1 - u) * o
//
// So sigma(W_i x + U_i h_{t-1} + B_i) is
//
//   gates.Recurrent(i, num.Dot(W_i, x) + num.Dot(U_i, h_prev) + num.Term(B_i))
//
// The states in CellInput and CellResult are stored ones. Dot takes them as they are, because products of bytes have
// their own scales; an elementwise product takes num.Widen(h).
#ifndef TANDEM_REFERENCE_CELLS_CELL_H_
#define TANDEM_REFERENCE_CELLS_CELL_H_

#include <array>
#include <functional>
#include <tuple>
#include <utility>
#include <vector>

#include "api/core/attributes/layer_norm.h"
#include "api/core/gate_functions.h"
#include "api/core/gates.h"
#include "api/core/types.h"

namespace tandem {
namespace reference {

// One cell's weights for one layer and direction. B and P are repeated for each of the mb columns, so that every
// product and sum in an equation is elementwise; an absent bias is zero.
template <class N>
struct CellParameters {
  std::vector<typename N::WeightMatrix> W;  // [gate], each [dhc, slc]
  std::vector<typename N::WeightMatrix> U;  // [gate], each [dhc, sic]
  std::vector<typename N::Mat> B;           // [bias gate], each [dhc, mb]
  std::vector<typename N::Mat> P;           // i, f, o, each [dhc, mb]; empty without peephole
  std::vector<typename N::WeightMatrix> R;  // one, [dic, dhc]; empty without projection
  ActivationFunction activation;            // vanilla RNN
  GateFunctions functions;
  // Layer normalization: [norm], each [dhc, mb]; empty without. LayerNorm::NumNorms() has their order.
  LayerNorm norm;
  std::vector<typename N::Mat> norm_gain, norm_offset;
};

// One step reads these: stored states.
template <class N>
struct CellInput {
  typename N::Mat x;       // [slc, mb]
  typename N::Mat h_prev;  // [sic, mb]
  typename N::Mat c_prev;  // [dhc, mb], LSTM
  typename N::Mat a;       // [dhc, mb], AUGRU: the attention, repeated for each channel

  // Where a mask multiplies h_{t-1} before U does, h_prev is the product, and these are h_{t-1} itself and the mask. Else both
  // are empty.
  typename N::Mat h_kept;  // [sic, mb]
  typename N::Mat m_iter;  // [sic, mb]
  // h_{t-1}, for operations that are no product with U.
  const typename N::Mat& Kept() const { return h_kept.size() == 0 ? h_prev : h_kept; }
};

// One step gives these: stored states, and the values that backward and a trace need.
template <class N>
struct CellResult {
  std::array<typename N::Mat, 4> gate;  // activated, in the weights' order, [dhc, mb]; the unused ones are empty
  std::array<typename N::Mat, 4> pre;   // pre-activations of gates whose functions are not the specification's
  typename N::Mat linear;               // linear-before-reset: U_o h_prev + B_u'; vanilla RNN: a
  typename N::Mat h_hat;                // projection: tanh(c) * o, stored
  typename N::Mat c;                    // LSTM
  typename N::Mat h;                    // [dic, mb]

  // With zoneout, h and c are the mixed states, and these are what the cell itself computed. Else both are empty.
  typename N::Mat h_cell;  // [dic, mb]
  typename N::Mat c_cell;  // [dhc, mb]
};

// Lists the parts of a vector or an array by the gates' letters: const auto [W_u, W_r, W_o] = GruGates(p.W).
template <class Gates>
auto GruGates(const Gates& g) {
  return std::tie(g[GruGate::kUpdate], g[GruGate::kReset], g[GruGate::kCandidate]);
}
template <class Gates>
auto LstmGates(const Gates& g) {
  return std::tie(g[LstmGate::kInput], g[LstmGate::kForget], g[LstmGate::kCandidate], g[LstmGate::kOutput]);
}
template <class Gates>
auto PeepholeGates(const Gates& g) {
  return std::tie(g[LstmPeephole::kInput], g[LstmPeephole::kForget], g[LstmPeephole::kOutput]);
}

template <class N>
using CellFunction = CellResult<N> (*)(const N&, const CellParameters<N>&, const CellInput<N>&);
// The same, where more than the cell itself is called.
template <class N>
using StackCell = std::function<CellResult<N>(const N&, const CellParameters<N>&, const CellInput<N>&)>;

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_CELLS_CELL_H_
