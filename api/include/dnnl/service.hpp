// Functions about the process as a whole, and the two matrix products that RNN clients call directly.
#ifndef DNNL_SERVICE_HPP
#define DNNL_SERVICE_HPP

#include "dnnl/enums.hpp"
#include "dnnl/error.hpp"

namespace dnnl {
inline namespace tandem_v1 {

using version_t = dnnl_version_t;

inline const version_t* version() { return tandem_version(); }

// Attributes made from now on start with this mode. The process starts with that of the environment variable
// ONEDNN_DEFAULT_FPMATH_MODE or DNNL_DEFAULT_FPMATH_MODE (strict, bf16, f16, tf32, any), else strict.
inline status set_default_fpmath_mode(fpmath_mode mode) {
  return static_cast<status>(tandem_set_default_fpmath_mode(convert_to_c(mode)));
}
inline fpmath_mode get_default_fpmath_mode() { return static_cast<fpmath_mode>(tandem_get_default_fpmath_mode()); }

// Tandem's own: the same for the reading of the text (docs/readings.md). Environment: TANDEM_READING=spec|onednn; any
// other word there makes get_default_reading() and primitive_attr() throw invalid_arguments.
inline status set_default_reading(reading areading) {
  return static_cast<status>(tandem_set_default_reading(static_cast<tandem_reading_t>(areading)));
}
inline reading get_default_reading() {
  tandem_reading_t result = tandem_reading_spec;
  detail::check(tandem_get_default_reading(&result));
  return static_cast<reading>(result);
}

// Chooses the lines that are printed on stdout (docs/verbose.md): 0 none, 1 executions, 2 creations too.
inline status set_verbose(int level) { return static_cast<status>(tandem_set_verbose(level)); }

// The number of primitives that are kept to be found again when the same is created: 1024, or the value of
// ONEDNN_PRIMITIVE_CACHE_CAPACITY or DNNL_PRIMITIVE_CACHE_CAPACITY. 0 empties the cache and switches it off. Throws
// invalid_arguments for a negative one.
inline int get_primitive_cache_capacity() {
  int result = 0;
  detail::check(tandem_get_primitive_cache_capacity(&result));
  return result;
}
inline void set_primitive_cache_capacity(int capacity) { detail::check(tandem_set_primitive_cache_capacity(capacity)); }

// Knobs of other implementations. There is no code generator here to be set, so the calls succeed and change nothing.
inline status set_jit_dump(int) { return status::success; }
inline status set_jit_profiling_flags(unsigned) { return status::success; }
inline status set_jit_profiling_jitdumpdir(const std::string&) { return status::success; }
// The most that computations may use, else ONEDNN_MAX_CPU_ISA or DNNL_MAX_CPU_ISA in the environment says it. Invalid
// once a primitive descriptor was made or get_effective_cpu_isa() was called. TANDEM_TARGET is obeyed before it.
inline status set_max_cpu_isa(cpu_isa isa) {
  return static_cast<status>(tandem_set_max_cpu_isa(static_cast<dnnl_cpu_isa_t>(isa)));
}
inline cpu_isa get_effective_cpu_isa() { return static_cast<cpu_isa>(tandem_get_effective_cpu_isa()); }
inline status set_cpu_isa_hints(cpu_isa_hints) { return status::unimplemented; }
inline cpu_isa_hints get_cpu_isa_hints() { return cpu_isa_hints::no_hints; }

// Row-major matrix products; tandem_sgemm and the two below it in dnnl/abi.h say what they compute.
inline status sgemm(char transa, char transb, dnnl_dim_t M, dnnl_dim_t N, dnnl_dim_t K, float alpha, const float* A,
                    dnnl_dim_t lda, const float* B, dnnl_dim_t ldb, float beta, float* C, dnnl_dim_t ldc) {
  return static_cast<status>(tandem_sgemm(transa, transb, M, N, K, alpha, A, lda, B, ldb, beta, C, ldc));
}
inline status gemm_u8s8s32(char transa, char transb, char offsetc, dnnl_dim_t M, dnnl_dim_t N, dnnl_dim_t K,
                           float alpha, const uint8_t* A, dnnl_dim_t lda, uint8_t ao, const int8_t* B, dnnl_dim_t ldb,
                           int8_t bo, float beta, int32_t* C, dnnl_dim_t ldc, const int32_t* co) {
  return static_cast<status>(
      tandem_gemm_u8s8s32(transa, transb, offsetc, M, N, K, alpha, A, lda, ao, B, ldb, bo, beta, C, ldc, co));
}
inline status gemm_s8s8s32(char transa, char transb, char offsetc, dnnl_dim_t M, dnnl_dim_t N, dnnl_dim_t K,
                           float alpha, const int8_t* A, dnnl_dim_t lda, int8_t ao, const int8_t* B, dnnl_dim_t ldb,
                           int8_t bo, float beta, int32_t* C, dnnl_dim_t ldc, const int32_t* co) {
  return static_cast<status>(
      tandem_gemm_s8s8s32(transa, transb, offsetc, M, N, K, alpha, A, lda, ao, B, ldb, bo, beta, C, ldc, co));
}

}  // namespace tandem_v1
}  // namespace dnnl

#endif
