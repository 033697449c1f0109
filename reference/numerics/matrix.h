// The container of the equations: a matrix with one column for each row of the minibatch.
#ifndef TANDEM_REFERENCE_NUMERICS_MATRIX_H_
#define TANDEM_REFERENCE_NUMERICS_MATRIX_H_

#include <type_traits>

#include "api/core/types.h"
#include "third_party/eigen.h"

namespace tandem {
namespace reference {

// [channels, mb]. An Eigen array, so that `*` is the elementwise product, as in the specification's equations.
//
// Do not copy-assign to a matrix of another size: Eigen then frees the old elements before it allocates the new ones,
// and if that fails, frees them again. Move a new matrix in (tests/allocation_failure_test.cc).
template <class Real>
using Mat = Eigen::Array<Real, Eigen::Dynamic, Eigen::Dynamic>;

// Makes every zero +0. Eigen starts a sum at 0 where it computes several columns at a time, elsewhere at the first
// product: a sum of -0 would have the sign that its column's place gives it.
template <class Real>
Mat<Real> WithPositiveZeros(Mat<Real> m) {
  m += Real(0.0);
  return m;
}

// w x. Eigen's product for float and double. For any other scalar (an error bound, a derivative) a sum in ascending k.
template <class Real>
Mat<Real> Product(const Mat<Real>& w, const Mat<Real>& x) {
  if constexpr (std::is_floating_point<Real>::value) {
    return WithPositiveZeros<Real>((w.matrix() * x.matrix()).array());
  } else {
    Mat<Real> y = Mat<Real>::Constant(w.rows(), x.cols(), Real(0.0));
    for (Dim n = 0; n < x.cols(); ++n) {
      for (Dim j = 0; j < w.rows(); ++j) {
        for (Dim k = 0; k < w.cols(); ++k) y(j, n) += w(j, k) * x(k, n);
      }
    }
    return y;
  }
}

template <class Real>
Mat<Real> Transposed(const Mat<Real>& m) {
  return m.transpose();
}

// w^T x and x y^T.
template <class Real>
Mat<Real> TransposedProduct(const Mat<Real>& w, const Mat<Real>& x) {
  if constexpr (std::is_floating_point<Real>::value) {
    return WithPositiveZeros<Real>((w.matrix().transpose() * x.matrix()).array());
  } else {
    return Product(Transposed(w), x);
  }
}

template <class Real>
Mat<Real> OuterProduct(const Mat<Real>& x, const Mat<Real>& y) {
  return Product(x, Transposed(y));
}

template <class Real>
Mat<Real> Zeros(Dim rows, Dim cols) {
  return Mat<Real>::Constant(rows, cols, Real(0.0));
}

// `column` [channels, 1] repeated for each of mb columns.
template <class Real>
Mat<Real> RepeatColumn(const Mat<Real>& column, Dim mb) {
  return column.replicate(1, mb);
}

// `row` [1, mb] repeated for each channel.
template <class Real>
Mat<Real> RepeatRow(const Mat<Real>& row, Dim channels) {
  return row.replicate(channels, 1);
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_NUMERICS_MATRIX_H_
