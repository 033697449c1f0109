// The matrix products at the C level, in every storage of both matrices, against triple loops.
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <limits>
#include <vector>

#include "api/tests/expect_error_testing.h"
#include "dnnl.h"

namespace tandem {
namespace testing {
namespace {

constexpr dnnl_dim_t M = 5, N = 7, K = 9, kGap = 2;

// A matrix with gaps between its rows, stored as it is or transposed.
template <class T>
struct Matrix {
  Matrix(dnnl_dim_t rows, dnnl_dim_t columns, bool is_transposed, int modulus, int shift)
      : transposed(is_transposed), ld((is_transposed ? rows : columns) + kGap) {
    data.resize(ld * (is_transposed ? columns : rows));
    for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<T>(static_cast<int>(i * 7 % modulus) - shift);
  }
  T At(dnnl_dim_t row, dnnl_dim_t column) const {
    return transposed ? data[column * ld + row] : data[row * ld + column];
  }
  char Letter() const { return transposed ? 'T' : 'n'; }

  bool transposed;
  dnnl_dim_t ld;
  std::vector<T> data;
};

// Small integers: every partial sum is exact, in any order.
TEST(Sgemm, IsAlphaABPlusBetaC) {
  for (const bool transa : {false, true}) {
    for (const bool transb : {false, true}) {
      const Matrix<float> a(M, K, transa, 13, 6), b(K, N, transb, 11, 5);
      Matrix<float> c(M, N, false, 9, 4);
      const Matrix<float> old = c;
      ASSERT_EQ(dnnl_sgemm(a.Letter(), b.Letter(), M, N, K, 0.5f, a.data.data(), a.ld, b.data.data(), b.ld, 2.f,
                           c.data.data(), c.ld),
                dnnl_success);
      for (dnnl_dim_t m = 0; m < M; ++m) {
        for (dnnl_dim_t n = 0; n < N; ++n) {
          float sum = 0;
          for (dnnl_dim_t k = 0; k < K; ++k) sum += a.At(m, k) * b.At(k, n);
          EXPECT_EQ(c.At(m, n), 0.5f * sum + 2.f * old.At(m, n)) << m << ", " << n;
        }
        for (dnnl_dim_t gap = N; gap < c.ld; ++gap) EXPECT_EQ(c.At(m, gap), old.At(m, gap));
      }
    }
  }
}

TEST(Sgemm, DoesNotReadCWhenBetaIsZero) {
  const float a = 2.f, b = 3.f;
  float c = std::numeric_limits<float>::quiet_NaN();
  ASSERT_EQ(dnnl_sgemm('N', 'N', 1, 1, 1, 1.f, &a, 1, &b, 1, 0.f, &c, 1), dnnl_success);
  EXPECT_EQ(c, 6.f);
}

// The product does as execute() does, and the caller's mode is as before.
TEST(Sgemm, RoundsToNearestInAnyMode) {
  const float a[] = {1.f, 0x1p-24f}, b[] = {1.f, 1.f};
  const uint8_t bytes[] = {5};
  const int8_t weights[] = {1};
  const int32_t zero = 0;
  float c = 0.f;
  int32_t product = 0;
  std::fesetround(FE_UPWARD);
  const dnnl_status_t status = dnnl_sgemm('N', 'N', 1, 1, 2, 1.f, a, 2, b, 1, 0.f, &c, 1);
  const dnnl_status_t other =
      dnnl_gemm_u8s8s32('N', 'N', 'F', 1, 1, 1, 0.5f, bytes, 1, 0, weights, 1, 0, 0.f, &product, 1, &zero);
  const int mode = std::fegetround();
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(status, dnnl_success);
  EXPECT_EQ(other, dnnl_success);
  EXPECT_EQ(mode, FE_UPWARD);
  EXPECT_EQ(c, 1.f);
  EXPECT_EQ(product, 2);
}

TEST(Sgemm, RefusesWrongLettersAndRowsTooLong) {
  float x[4] = {};
  EXPECT_EQ(dnnl_sgemm('x', 'N', 1, 1, 1, 1.f, x, 1, x, 1, 0.f, x, 1), dnnl_invalid_arguments);
  EXPECT_EQ(dnnl_sgemm('N', 'N', 1, 2, 1, 1.f, x, 1, x, 1, 0.f, x, 2), dnnl_invalid_arguments);
  EXPECT_EQ(dnnl_sgemm('N', 'N', -1, 1, 1, 1.f, x, 1, x, 1, 0.f, x, 1), dnnl_invalid_arguments);
  EXPECT_STREQ(tandem_last_error(), "gemm: M, N, K are -1, 1, 1, but must not be negative");
}

// 64-bit integers as the exact result; offsets of C for the whole, for rows and for columns.
template <class A, class Gemm>
void ExpectExact(const Gemm& gemm) {
  std::vector<int32_t> co(M + N);
  for (size_t i = 0; i < co.size(); ++i) co[i] = static_cast<int32_t>(100 * i) - 300;
  for (const char offsetc : {'F', 'C', 'R'}) {
    for (const bool trans : {false, true}) {
      const Matrix<A> a(M, K, trans, 251, 0);
      const Matrix<int8_t> b(K, N, !trans, 255, 127);
      Matrix<int32_t> c(M, N, false, 1000, 500);
      const Matrix<int32_t> old = c;
      ASSERT_EQ(gemm(a.Letter(), b.Letter(), offsetc, M, N, K, 1.f, a.data.data(), a.ld, A{3}, b.data.data(), b.ld,
                     int8_t{-2}, 1.f, c.data.data(), c.ld, co.data()),
                dnnl_success);
      for (dnnl_dim_t m = 0; m < M; ++m) {
        for (dnnl_dim_t n = 0; n < N; ++n) {
          int64_t want = old.At(m, n) + co[offsetc == 'F' ? 0 : offsetc == 'C' ? m : n];
          for (dnnl_dim_t k = 0; k < K; ++k) want += (int64_t{a.At(m, k)} - 3) * (int64_t{b.At(k, n)} + 2);
          EXPECT_EQ(c.At(m, n), want) << offsetc << ": " << m << ", " << n;
        }
      }
    }
  }
}

TEST(GemmU8S8S32, IsExact) { ExpectExact<uint8_t>(dnnl_gemm_u8s8s32); }
TEST(GemmS8S8S32, IsExact) { ExpectExact<int8_t>(dnnl_gemm_s8s8s32); }

TEST(GemmU8S8S32, SaturatesAndRoundsToEven) {
  const uint8_t a = 5;
  const int8_t b = 1;
  const int32_t co = 0;
  int32_t c = 0;
  ASSERT_EQ(dnnl_gemm_u8s8s32('N', 'N', 'F', 1, 1, 1, 0.5f, &a, 1, 0, &b, 1, 0, 0.f, &c, 1, &co), dnnl_success);
  EXPECT_EQ(c, 2);
  ASSERT_EQ(dnnl_gemm_u8s8s32('N', 'N', 'F', 1, 1, 1, 1e30f, &a, 1, 0, &b, 1, 0, 0.f, &c, 1, &co), dnnl_success);
  EXPECT_EQ(c, std::numeric_limits<int32_t>::max());
  EXPECT_EQ(dnnl_gemm_u8s8s32('N', 'N', 'X', 1, 1, 1, 1.f, &a, 1, 0, &b, 1, 0, 0.f, &c, 1, &co),
            dnnl_invalid_arguments);
}

}  // namespace
}  // namespace testing
}  // namespace tandem
