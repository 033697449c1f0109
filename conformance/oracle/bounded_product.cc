// Matrix products of values with error bounds.
#include <algorithm>
#include <cmath>
#include <limits>

#include "conformance/oracle/bounded_numerics.h"

namespace tandem::conformance {
namespace {

// Values, closed errors and magnitudes of a matrix, so that the products run as three plain matrix products.
struct Parts {
  Parts(const Arithmetic& arithmetic, const BoundedMat& m)
      : value(m.rows(), m.cols()), error(m.rows(), m.cols()), magnitude(m.rows(), m.cols()) {
    for (Eigen::Index i = 0; i < m.size(); ++i) {
      const Bounded& b = m.data()[i];
      double e = b.ErrorIn(arithmetic);
      const double v = std::fabs(b.value());
      // Denormals-are-zero.
      if (v - e < arithmetic.underflow) e += std::min(v + e, arithmetic.underflow);
      value.data()[i] = b.value();
      error.data()[i] = e;
      magnitude.data()[i] = v + e;
      finite = finite && std::isfinite(v) && e < std::numeric_limits<double>::infinity();
      exact = exact && e == 0;
    }
  }
  DoubleMat value, error, magnitude;
  bool finite = true;
  bool exact = true;
};

// Element by element: slow, but right for NaN, infinities and unknown values.
template <class A>
BoundedMat ScalarProduct(const Arithmetic* arithmetic, const A& a, const BoundedMat& b) {
  BoundedMat product(a.rows(), b.cols());
  for (Eigen::Index j = 0; j < b.cols(); ++j) {
    for (Eigen::Index i = 0; i < a.rows(); ++i) {
      Bounded sum = Bounded(a(i, 0)).In(arithmetic) * b(0, j);
      for (Eigen::Index k = 1; k < a.cols(); ++k) sum += Bounded(a(i, k)).In(arithmetic) * b(k, j);
      product(i, j) = sum;
    }
  }
  return product;
}

BoundedMat Assemble(const Arithmetic* arithmetic, const DoubleMat& value, const DoubleMat& error,
                    const DoubleMat& magnitude, double terms) {
  BoundedMat sums(value.rows(), value.cols());
  for (Eigen::Index i = 0; i < value.size(); ++i) {
    sums.data()[i] = Bounded::OpenSum(value.data()[i], error.data()[i], magnitude.data()[i], terms, 1).In(arithmetic);
  }
  return sums;
}

DoubleMat Times(const DoubleMat& a, const DoubleMat& b) { return (a.matrix() * b.matrix()).array(); }

}  // namespace

BoundedMat BoundedProduct(const Arithmetic* arithmetic, const DoubleMat& w, const BoundedMat& x) {
  if (w.cols() == 0 || x.cols() == 0) return reference::Zeros<Bounded>(w.rows(), x.cols());
  const Parts parts(*arithmetic, x);
  if (!parts.finite || !w.isFinite().all()) return ScalarProduct(arithmetic, w, x);
  const DoubleMat size = w.abs();
  const DoubleMat magnitude = Times(size, parts.magnitude);
  DoubleMat error = parts.exact ? DoubleMat::Zero(w.rows(), x.cols()) : Times(size, parts.error);
  // Denormals-are-zero, for the weights.
  const double underflow = arithmetic->underflow;
  if ((size < underflow && size > 0).any()) error += underflow * magnitude;
  return Assemble(arithmetic, Times(w, parts.value), error, magnitude, static_cast<double>(w.cols()));
}

BoundedMat BoundedProduct(const Arithmetic* arithmetic, const BoundedMat& a, const BoundedMat& b) {
  if (a.cols() == 0) return reference::Zeros<Bounded>(a.rows(), b.cols());
  const Parts left(*arithmetic, a), right(*arithmetic, b);
  if (!left.finite || !right.finite) return ScalarProduct(arithmetic, a, b);
  const DoubleMat error = Times(left.value.abs(), right.error) + Times(left.error, right.magnitude);
  return Assemble(arithmetic, Times(left.value, right.value), error, Times(left.magnitude, right.magnitude),
                  static_cast<double>(a.cols()));
}

}  // namespace tandem::conformance
