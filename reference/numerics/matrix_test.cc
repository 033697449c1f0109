#include "reference/numerics/matrix.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tandem {
namespace reference {
namespace {

// Found by Batch.PermutingRowsPermutesResults: an LSTM with one hidden channel and a projection gave +0 or -0, by the
// row of the batch.
TEST(Product, OfZerosHasTheSameSignInEveryRowAndColumn) {
  for (Dim rows = 1; rows <= 11; ++rows) {
    for (Dim columns = 1; columns <= 9; ++columns) {
      const Mat<double> w = Mat<double>::Constant(rows, 1, -0.5), x = Mat<double>::Constant(1, columns, 0.0);
      const Mat<double> y = Product(w, x), z = TransposedProduct(Transposed(w), x);
      for (Eigen::Index i = 0; i < y.size(); ++i) {
        EXPECT_FALSE(std::signbit(y.data()[i])) << rows << " x " << columns << ", element " << i;
        EXPECT_FALSE(std::signbit(z.data()[i])) << rows << " x " << columns << ", element " << i;
      }
    }
  }
}

}  // namespace
}  // namespace reference
}  // namespace tandem
