// A backward cell has the arguments and results of this file. diff_y is the gradient of the loss with respect to y; delta is that
// with respect to a pre-activation.
#ifndef TANDEM_REFERENCE_CELLS_CELL_BACKWARD_H_
#define TANDEM_REFERENCE_CELLS_CELL_BACKWARD_H_

#include <vector>

#include "reference/cells/cell.h"
#include "reference/cells/gate_functions.h"

namespace tandem {
namespace reference {

// A step as forward saw it: its inputs, and its results as the workspace keeps them.
template <class N>
struct SavedStep {
  CellInput<N> in;
  CellResult<N> out;
};

// The results as the workspace keeps them. h, c and h_hat are stored states already.
template <class N>
CellResult<N> Saved(const N& num, CellResult<N> result) {
  for (typename N::Mat& gate : result.gate) gate = num.StoreGate(gate);
  for (typename N::Mat& a : result.pre) a = num.StoreGate(a);
  result.linear = num.StoreGate(result.linear);
  return result;
}

// The values that arrive at a step.
template <class N>
struct CellDiffInput {
  typename N::Mat diff_h;  // [dic, mb], from the layer above and from the next step
  typename N::Mat diff_c;  // [dhc, mb], LSTM, from the next step
};

// The gradients that leave it, to the layer below and to the step before.
template <class N>
struct CellDiffResult {
  typename N::Mat diff_x;       // [slc, mb]
  typename N::Mat diff_h_prev;  // [sic, mb]
  typename N::Mat diff_c_prev;  // [dhc, mb], LSTM
  typename N::Mat diff_a;       // [1, mb], AUGRU
};

// Gradients of one (l, d)'s weights, summed over time and minibatch; indices as in CellParameters.
template <class N>
struct ParameterGradients {
  std::vector<typename N::WeightGradient> W;            // [gate], each [dhc, slc]
  std::vector<typename N::WeightGradient> U;            // [gate], each [dhc, sic]
  std::vector<typename N::Mat> B;                       // [bias gate], each [dhc, 1]
  std::vector<typename N::Mat> P;                       // i, f, o, each [dhc, 1]; empty without peephole
  std::vector<typename N::WeightGradient> R;            // one, [dic, dhc]; empty without projection
  std::vector<typename N::Mat> norm_gain, norm_offset;  // [norm], each [dhc, 1]; empty without layer normalization
};

template <class N>
using CellBackwardFunction = CellDiffResult<N> (*)(const N&, const CellParameters<N>&, const SavedStep<N>&,
                                                   const CellDiffInput<N>&, ParameterGradients<N>*);

// One gate's pre-activation is a_g = W_g x + U_g h + B_g, with gradient delta_g [dhc, mb]. Over all gates
// diff_x = sum_g W_g^T delta_g, and the same with U for diff_h.
template <class N>
typename N::Sum SumOverGates(const N& num, const std::vector<typename N::WeightMatrix>& w,
                             const std::vector<typename N::Mat>& delta) {
  typename N::Sum sum = num.DotTransposed(w[0], delta[0]);
  for (size_t gate = 1; gate < delta.size(); ++gate) sum = sum + num.DotTransposed(w[gate], delta[gate]);
  return sum;
}

// A part of diff_h_prev that came through U, and so through the mask of h_{t-1}.
template <class N>
typename N::Sum ThroughMask(const N& num, const CellInput<N>& in, const typename N::Sum& sum) {
  return in.m_iter.size() == 0 ? sum : num.Term(in.m_iter * num.Value(sum));  // [MASK.B2]
}

// diff_W_g += delta_g x^T.
template <class N>
void AddOuterProducts(const N& num, const std::vector<typename N::Mat>& delta, const typename N::Mat& x,
                      std::vector<typename N::WeightGradient>* diff_w) {
  for (size_t gate = 0; gate < delta.size(); ++gate) num.AddOuter(delta[gate], x, &(*diff_w)[gate]);
}

// diff_B_g += sum_n delta_g.
template <class N>
void AddBiasGradients(const N& num, const std::vector<typename N::Mat>& delta, std::vector<typename N::Mat>* diff_b) {
  for (size_t gate = 0; gate < delta.size(); ++gate) num.AddColumns(delta[gate], &(*diff_b)[gate]);
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_CELLS_CELL_BACKWARD_H_
