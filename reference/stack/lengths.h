// Rows of different lengths: what a step leaves alone. Nothing here does anything where all rows have n_iter steps.
#ifndef TANDEM_REFERENCE_STACK_LENGTHS_H_
#define TANDEM_REFERENCE_STACK_LENGTHS_H_

#include <vector>

#include "reference/cells/cell_backward.h"

namespace tandem {
namespace reference {

// Columns of the minibatch.
using Columns = std::vector<Dim>;

template <class Mat>
void SetZero(const Columns& columns, Mat* m) {
  for (const Dim n : columns) {
    for (Dim j = 0; n < m->cols() && j < m->rows(); ++j) (*m)(j, n) = typename Mat::Scalar(0.0);
  }
}

template <class Mat>
void CopyColumns(const Columns& columns, const Mat& from, Mat* to) {
  for (const Dim n : columns) {
    if (n < from.cols()) to->col(n) = from.col(n);
  }
}

// A row without a step at this time has no part in it: zeros give no gradient, whatever lies in the workspace.
template <class N>
void SetZero(const Columns& columns, SavedStep<N>* step) {
  for (typename N::Mat* m : {&step->in.x, &step->in.h_prev, &step->in.c_prev, &step->in.a, &step->out.linear,
                             &step->out.h_hat, &step->out.c, &step->out.h}) {
    SetZero(columns, m);
  }
  for (typename N::Mat& gate : step->out.gate) SetZero(columns, &gate);
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_STACK_LENGTHS_H_
