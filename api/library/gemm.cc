// The matrix products that RNN clients call directly. Row-major.
#include <string>
#include <vector>

#include "api/core/attributes/quantization.h"
#include "api/core/float_environment.h"
#include "api/core/types.h"
#include "api/library/guard.h"
#include "api/library/object.h"
#include "dnnl/abi.h"
#include "third_party/eigen.h"

namespace tandem {
namespace {

// `letter` as the enumeration it stands for: true if the matrix is stored transposed.
bool IsTransposed(char letter, const char* name) {
  if (letter == 'n' || letter == 'N') return false;
  if (letter == 't' || letter == 'T') return true;
  ThrowInvalid(std::string(name) + ": is '" + letter + "', but must be n or t");
}

struct GemmShape {
  bool transa, transb;
  Dim m, n, k, lda, ldb, ldc;
};

void CheckLeadingDimension(Dim ld, Dim columns, const char* name) {
  if (ld < std::max<Dim>(columns, 1)) {
    ThrowInvalid(std::string(name) + ": is " + std::to_string(ld) + ", but rows have " + std::to_string(columns) +
                 " elements");
  }
}

void Check(const GemmShape& shape) {
  if (shape.m < 0 || shape.n < 0 || shape.k < 0) {
    ThrowInvalid("gemm: M, N, K are " + std::to_string(shape.m) + ", " + std::to_string(shape.n) + ", " +
                 std::to_string(shape.k) + ", but must not be negative");
  }
  CheckLeadingDimension(shape.lda, shape.transa ? shape.m : shape.k, "lda");
  CheckLeadingDimension(shape.ldb, shape.transb ? shape.k : shape.n, "ldb");
  CheckLeadingDimension(shape.ldc, shape.n, "ldc");
}

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Stride = Eigen::OuterStride<>;
using Input = Eigen::Map<const Matrix, 0, Stride>;

// beta = 0 means that what C holds is not read, NaN included.
void Sgemm(const GemmShape& shape, float alpha, const float* a, const float* b, float beta, float* c) {
  Eigen::Map<Matrix, 0, Stride> result(c, shape.m, shape.n, Stride(shape.ldc));
  if (beta == 0.f) {
    result.setZero();
  } else if (beta != 1.f) {
    result *= beta;
  }
  if (shape.k == 0 || shape.m == 0 || shape.n == 0) return;
  const Input left(a, shape.transa ? shape.k : shape.m, shape.transa ? shape.m : shape.k, Stride(shape.lda));
  const Input right(b, shape.transb ? shape.n : shape.k, shape.transb ? shape.k : shape.n, Stride(shape.ldb));
  if (shape.transa && shape.transb) {
    result.noalias() += alpha * (left.transpose() * right.transpose());
  } else if (shape.transa) {
    result.noalias() += alpha * (left.transpose() * right);
  } else if (shape.transb) {
    result.noalias() += alpha * (left * right.transpose());
  } else {
    result.noalias() += alpha * (left * right);
  }
}

struct IntegerGemm {
  int ao, bo;
  float alpha, beta;
  char offsetc;
  const int32_t* co;

  int32_t Offset(Dim m, Dim n) const {
    switch (offsetc) {
      case 'F':
      case 'f':
        return co[0];
      case 'C':
      case 'c':
        return co[m];
      default:
        return co[n];
    }
  }
};

void CheckOffset(const IntegerGemm& gemm) {
  if (std::string("FfCcRr").find(gemm.offsetc) == std::string::npos) {
    ThrowInvalid(std::string("offsetc: is '") + gemm.offsetc + "', but must be F, C or R");
  }
  if (gemm.co == nullptr) ThrowInvalid("co: is null, but must hold the offsets of C");
}

// A null matrix is refused even if no element of it would be read, as in oneDNN.
template <class A, class B, class C>
void CheckMatrices(const A* a, const B* b, const C* c) {
  NotNull(a, "gemm: A");
  NotNull(b, "gemm: B");
  NotNull(c, "gemm: C");
}

// Products are summed in 64 bits, so that no K overflows; the scaling is in double, where 32-bit
// integers are exact; one rounding and saturation at the end.
template <class A>
void Run(const GemmShape& shape, const IntegerGemm& gemm, const A* a, const int8_t* b, int32_t* c) {
  std::vector<int64_t> row(shape.n);
  for (Dim m = 0; m < shape.m; ++m) {
    row.assign(shape.n, 0);
    for (Dim k = 0; k < shape.k; ++k) {
      const int64_t left = a[shape.transa ? k * shape.lda + m : m * shape.lda + k] - gemm.ao;
      const int8_t* right = shape.transb ? b + k : b + k * shape.ldb;
      const Dim step = shape.transb ? shape.ldb : 1;
      for (Dim n = 0; n < shape.n; ++n) row[n] += left * (right[n * step] - gemm.bo);
    }
    int32_t* out = c + m * shape.ldc;
    for (Dim n = 0; n < shape.n; ++n) {
      double value = static_cast<double>(gemm.alpha) * static_cast<double>(row[n]);
      if (gemm.beta != 0.f) value += static_cast<double>(gemm.beta) * out[n];
      out[n] = SaturateAndRound<int32_t>(value + gemm.Offset(m, n));
    }
  }
}

template <class A>
dnnl_status_t TryIntegerGemm(char transa, char transb, GemmShape shape, const IntegerGemm& gemm, const A* a,
                             const int8_t* b, int32_t* c) {
  return Guard([&] {
    shape.transa = IsTransposed(transa, "transa");
    shape.transb = IsTransposed(transb, "transb");
    Check(shape);
    CheckOffset(gemm);
    CheckMatrices(a, b, c);
    const FloatEnvironment environment(Subnormals::kKept);
    Run(shape, gemm, a, b, c);
  });
}

}  // namespace
}  // namespace tandem

using namespace tandem;

dnnl_status_t tandem_sgemm(char transa, char transb, dnnl_dim_t M, dnnl_dim_t N, dnnl_dim_t K, float alpha,
                           const float* A, dnnl_dim_t lda, const float* B, dnnl_dim_t ldb, float beta, float* C,
                           dnnl_dim_t ldc) {
  return Guard([&] {
    const GemmShape shape{IsTransposed(transa, "transa"), IsTransposed(transb, "transb"), M, N, K, lda, ldb, ldc};
    Check(shape);
    CheckMatrices(A, B, C);
    const FloatEnvironment environment(Subnormals::kKept);
    Sgemm(shape, alpha, A, B, beta, C);
  });
}

dnnl_status_t tandem_gemm_u8s8s32(char transa, char transb, char offsetc, dnnl_dim_t M, dnnl_dim_t N, dnnl_dim_t K,
                                  float alpha, const uint8_t* A, dnnl_dim_t lda, uint8_t ao, const int8_t* B,
                                  dnnl_dim_t ldb, int8_t bo, float beta, int32_t* C, dnnl_dim_t ldc,
                                  const int32_t* co) {
  return TryIntegerGemm(transa, transb, {false, false, M, N, K, lda, ldb, ldc}, {ao, bo, alpha, beta, offsetc, co}, A,
                        B, C);
}

dnnl_status_t tandem_gemm_s8s8s32(char transa, char transb, char offsetc, dnnl_dim_t M, dnnl_dim_t N, dnnl_dim_t K,
                                  float alpha, const int8_t* A, dnnl_dim_t lda, int8_t ao, const int8_t* B,
                                  dnnl_dim_t ldb, int8_t bo, float beta, int32_t* C, dnnl_dim_t ldc,
                                  const int32_t* co) {
  return TryIntegerGemm(transa, transb, {false, false, M, N, K, lda, ldb, ldc}, {ao, bo, alpha, beta, offsetc, co}, A,
                        B, C);
}
