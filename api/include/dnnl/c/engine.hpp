// Bodies of engine.h.
#ifndef DNNL_C_ENGINE_HPP
#define DNNL_C_ENGINE_HPP

#include "dnnl/c/engine.h"
#include "dnnl/c/result.hpp"

extern "C" {

TANDEM_C_API size_t dnnl_engine_get_count(dnnl_engine_kind_t kind) { return tandem_engine_get_count(kind); }
TANDEM_C_API dnnl_status_t dnnl_engine_create(dnnl_engine_t* engine, dnnl_engine_kind_t kind, size_t index) {
  return tandem_engine_create(engine, kind, index);
}
TANDEM_C_API dnnl_status_t dnnl_engine_get_kind(dnnl_engine_t engine, dnnl_engine_kind_t* kind) {
  return tandem_engine_get_kind(engine, kind);
}
TANDEM_C_API dnnl_status_t dnnl_engine_destroy(dnnl_engine_t engine) { return dnnl::detail::c_destroy(engine); }

TANDEM_C_API dnnl_status_t dnnl_stream_create(dnnl_stream_t* stream, dnnl_engine_t engine, unsigned flags) {
  return tandem_stream_create(stream, engine, flags);
}
TANDEM_C_API dnnl_status_t dnnl_stream_get_engine(const_dnnl_stream_t stream, dnnl_engine_t* engine) {
  return dnnl::detail::c_view(tandem_stream_get_engine(stream, engine), engine);
}
TANDEM_C_API dnnl_status_t dnnl_stream_wait(dnnl_stream_t stream) { return tandem_stream_wait(stream); }
TANDEM_C_API dnnl_status_t dnnl_stream_destroy(dnnl_stream_t stream) { return dnnl::detail::c_destroy(stream); }

TANDEM_C_API const dnnl_version_t* dnnl_version(void) { return tandem_version(); }
TANDEM_C_API dnnl_status_t dnnl_get_default_fpmath_mode(dnnl_fpmath_mode_t* mode) {
  return dnnl::detail::c_put(dnnl_success, mode, tandem_get_default_fpmath_mode());
}
TANDEM_C_API dnnl_status_t dnnl_set_default_fpmath_mode(dnnl_fpmath_mode_t mode) {
  return tandem_set_default_fpmath_mode(mode);
}
TANDEM_C_API dnnl_status_t dnnl_set_verbose(int level) { return tandem_set_verbose(level); }
TANDEM_C_API dnnl_status_t dnnl_get_primitive_cache_capacity(int* capacity) {
  return tandem_get_primitive_cache_capacity(capacity);
}
TANDEM_C_API dnnl_status_t dnnl_set_primitive_cache_capacity(int capacity) {
  return tandem_set_primitive_cache_capacity(capacity);
}
TANDEM_C_API dnnl_status_t dnnl_set_jit_dump(int) { return dnnl_success; }
TANDEM_C_API dnnl_status_t dnnl_set_jit_profiling_flags(unsigned) { return dnnl_success; }
TANDEM_C_API dnnl_status_t dnnl_set_jit_profiling_jitdumpdir(const char*) { return dnnl_success; }
TANDEM_C_API dnnl_status_t dnnl_set_max_cpu_isa(dnnl_cpu_isa_t isa) { return tandem_set_max_cpu_isa(isa); }
TANDEM_C_API dnnl_cpu_isa_t dnnl_get_effective_cpu_isa(void) { return tandem_get_effective_cpu_isa(); }
TANDEM_C_API dnnl_status_t dnnl_set_cpu_isa_hints(dnnl_cpu_isa_hints_t) {
  return tandem_fail(dnnl_unimplemented, "cpu_isa_hints: cannot be set");
}
TANDEM_C_API dnnl_cpu_isa_hints_t dnnl_get_cpu_isa_hints(void) { return dnnl_cpu_isa_no_hints; }

TANDEM_C_API dnnl_status_t dnnl_sgemm(char transa, char transb, dnnl_dim_t M, dnnl_dim_t N, dnnl_dim_t K, float alpha,
                                      const float* A, dnnl_dim_t lda, const float* B, dnnl_dim_t ldb, float beta,
                                      float* C, dnnl_dim_t ldc) {
  return tandem_sgemm(transa, transb, M, N, K, alpha, A, lda, B, ldb, beta, C, ldc);
}
TANDEM_C_API dnnl_status_t dnnl_gemm_u8s8s32(char transa, char transb, char offsetc, dnnl_dim_t M, dnnl_dim_t N,
                                             dnnl_dim_t K, float alpha, const uint8_t* A, dnnl_dim_t lda, uint8_t ao,
                                             const int8_t* B, dnnl_dim_t ldb, int8_t bo, float beta, int32_t* C,
                                             dnnl_dim_t ldc, const int32_t* co) {
  return tandem_gemm_u8s8s32(transa, transb, offsetc, M, N, K, alpha, A, lda, ao, B, ldb, bo, beta, C, ldc, co);
}
TANDEM_C_API dnnl_status_t dnnl_gemm_s8s8s32(char transa, char transb, char offsetc, dnnl_dim_t M, dnnl_dim_t N,
                                             dnnl_dim_t K, float alpha, const int8_t* A, dnnl_dim_t lda, int8_t ao,
                                             const int8_t* B, dnnl_dim_t ldb, int8_t bo, float beta, int32_t* C,
                                             dnnl_dim_t ldc, const int32_t* co) {
  return tandem_gemm_s8s8s32(transa, transb, offsetc, M, N, K, alpha, A, lda, ao, B, ldb, bo, beta, C, ldc, co);
}

}  // extern "C"

#endif
