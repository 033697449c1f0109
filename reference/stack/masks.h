// Masks of a stack: what multiplies the input of a step and the state before it (dropout), and what mixes the state before a step
// with the step's own (zoneout). docs/rnn_masks.md has the equations. Nothing here does anything where no mask is given.
#ifndef TANDEM_REFERENCE_STACK_MASKS_H_
#define TANDEM_REFERENCE_STACK_MASKS_H_

#include <utility>
#include <vector>

#include "reference/cells/cell_backward.h"

namespace tandem {
namespace reference {

// The masks of one step. A matrix without elements stands for ones (layer, iter) or zeros (zoneout).
template <class N>
struct StepMasks {
  typename N::Mat layer;           // [slc, mb]
  typename N::Mat iter;            // [sic, mb]
  typename N::Mat zoneout_iter;    // [dic, mb]
  typename N::Mat zoneout_iter_c;  // [dhc, mb]
};

// Index (l, d) of a vector is l * n_dir + d, index (l, d, t) is (l * n_dir + d) * n_iter + t. Vectors may be empty.
template <class N>
struct StackMasks {
  std::vector<typename N::Mat> layer;           // [(l, d, t)]
  std::vector<typename N::Mat> iter;            // [(l, d)]: the same in all steps
  std::vector<typename N::Mat> zoneout_iter;    // [(l, d, t)]
  std::vector<typename N::Mat> zoneout_iter_c;  // [(l, d, t)]

  bool given() const { return !layer.empty() || !iter.empty() || !zoneout_iter.empty() || !zoneout_iter_c.empty(); }
  StepMasks<N> At(size_t stack, size_t step) const {
    return {Of(layer, step), Of(iter, stack), Of(zoneout_iter, step), Of(zoneout_iter_c, step)};
  }

 private:
  static typename N::Mat Of(const std::vector<typename N::Mat>& masks, size_t index) {
    return masks.empty() ? typename N::Mat() : masks[index];
  }
};

// The inputs as the cell sees them. The products with the masks are stored states, as every factor of W and U is.
template <class N>
CellInput<N> MaskedInput(const N& num, const StepMasks<N>& masks, const CellInput<N>& in) {
  CellInput<N> seen = in;
  if (masks.layer.size() > 0) seen.x = num.StoreState(masks.layer * in.x);  // [MASK.1]
  if (masks.iter.size() > 0) {
    seen.h_kept = in.h_prev;
    seen.m_iter = masks.iter;
    seen.h_prev = num.StoreState(masks.iter * in.h_prev);  // [MASK.2]
  }
  return seen;
}

// Mixes the states before the step with those that the cell made of them, and keeps the latter for backward.
template <class N>
void MixStates(const N& num, const StepMasks<N>& masks, const CellInput<N>& in, CellResult<N>* result) {
  if (masks.zoneout_iter_c.size() > 0) {
    result->c_cell = std::move(result->c);
    result->c = num.StoreCellState(num.Mix(masks.zoneout_iter_c, in.c_prev, result->c_cell));  // [MASK.4]
  }
  if (masks.zoneout_iter.size() > 0) {
    result->h_cell = std::move(result->h);
    result->h = num.StoreState(num.Mix(masks.zoneout_iter, in.h_prev, result->h_cell));  // [MASK.3]
  }
}

// cell(num, parameters, input) is one step.
template <class N, class Cell>
CellResult<N> RunMaskedCell(const N& num, const Cell& cell, const CellParameters<N>& parameters,
                            const StepMasks<N>& masks, const CellInput<N>& in) {
  CellResult<N> result = cell(num, parameters, MaskedInput(num, masks, in));
  MixStates(num, masks, in, &result);
  return result;
}

// A saved step as the cell itself saw it: the masked inputs, and its states before they were mixed.
template <class N>
SavedStep<N> StepOfCell(const N& num, const StepMasks<N>& masks, SavedStep<N> saved) {
  saved.in = MaskedInput(num, masks, saved.in);
  if (masks.zoneout_iter.size() > 0) saved.out.h = saved.out.h_cell;
  if (masks.zoneout_iter_c.size() > 0) saved.out.c = saved.out.c_cell;
  return saved;
}

// The part of the arriving gradients that reaches the cell's own states.
template <class N>
CellDiffInput<N> DiffOfCell(const StepMasks<N>& masks, CellDiffInput<N> diff) {
  const typename N::Real one(1.0);
  if (masks.zoneout_iter.size() > 0) diff.diff_h = (one - masks.zoneout_iter) * diff.diff_h;      // [MASK.B3]
  if (masks.zoneout_iter_c.size() > 0) diff.diff_c = (one - masks.zoneout_iter_c) * diff.diff_c;  // [MASK.B4]
  return diff;
}

// From the gradients that leave the cell to those that leave the step. The cell has multiplied diff_h_prev by m_iter itself,
// because only it knows which part of it came through U.
template <class N>
void AddMaskGradients(const StepMasks<N>& masks, const CellDiffInput<N>& diff, CellDiffResult<N>* result) {
  if (masks.layer.size() > 0) result->diff_x = masks.layer * result->diff_x;  // [MASK.B1]
  if (masks.zoneout_iter.size() > 0) {
    result->diff_h_prev = result->diff_h_prev + masks.zoneout_iter * diff.diff_h;  // [MASK.B5]
  }
  if (masks.zoneout_iter_c.size() > 0) {
    result->diff_c_prev = result->diff_c_prev + masks.zoneout_iter_c * diff.diff_c;  // [MASK.B6]
  }
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_STACK_MASKS_H_
