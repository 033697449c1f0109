// Rows of different lengths: what a step leaves alone. Nothing here does anything where all rows have n_iter steps.
#ifndef TANDEM_REFERENCE_STACK_LENGTHS_H_
#define TANDEM_REFERENCE_STACK_LENGTHS_H_

#include <vector>

#include "reference/cells/cell_backward.h"
#include "reference/numerics/matrix.h"

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
    if (n < from.cols() && n < to->cols()) to->col(n) = from.col(n);
  }
}

template <class Mat>
Mat TakeColumns(const Columns& columns, const Mat& m) {
  return m.size() == 0 ? Mat() : Mat(m(Eigen::all, columns));
}

// A matrix of `cols` columns: those of `part` at `columns`, and zeros. Without rows it is empty.
template <class Mat>
Mat SpreadColumns(const Columns& columns, const Mat& part, Dim rows, Dim cols) {
  if (rows == 0) return Mat();
  Mat m = Mat::Constant(rows, cols, typename Mat::Scalar(0.0));
  for (size_t i = 0; i < columns.size(); ++i) m.col(columns[i]) = part.col(static_cast<Dim>(i));
  return m;
}

// Calls visit(m) for every matrix of a step.
template <class N, class Visit>
void ForEachMatrix(SavedStep<N>* step, Visit visit) {
  for (typename N::Mat* m :
       {&step->in.x, &step->in.h_prev, &step->in.c_prev, &step->in.a, &step->in.h_kept, &step->in.m_iter,
        &step->out.linear, &step->out.h_hat, &step->out.c, &step->out.h, &step->out.h_cell, &step->out.c_cell}) {
    visit(m);
  }
  for (typename N::Mat& gate : step->out.gate) visit(&gate);
  for (typename N::Mat& a : step->out.pre) visit(&a);
}

template <class N>
void SetZero(const Columns& columns, SavedStep<N>* step) {
  ForEachMatrix(step, [&](typename N::Mat* m) { SetZero(columns, m); });
}

template <class N>
SavedStep<N> TakeColumns(const Columns& columns, SavedStep<N> step) {
  ForEachMatrix(&step, [&](typename N::Mat* m) { *m = TakeColumns(columns, *m); });
  return step;
}

// B, P and the gains for another number of rows.
template <class N>
void RepeatFor(Dim rows, CellParameters<N>* p) {
  for (auto* repeated : {&p->B, &p->P, &p->norm_gain, &p->norm_offset}) {
    for (typename N::Mat& m : *repeated) {
      if (m.cols() != rows) m = RepeatColumn(typename N::Mat(m.col(0)), rows);
    }
  }
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_STACK_LENGTHS_H_
