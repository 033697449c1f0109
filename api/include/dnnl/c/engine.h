/* Engines, streams, settings of the process, and the two matrix products of the C API. */
#ifndef DNNL_C_ENGINE_H
#define DNNL_C_ENGINE_H

#include "dnnl/c/linkage.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One engine exists: kind dnnl_cpu (or dnnl_any_engine), index 0. */
TANDEM_C_API size_t dnnl_engine_get_count(dnnl_engine_kind_t kind);
TANDEM_C_API dnnl_status_t dnnl_engine_create(dnnl_engine_t* engine, dnnl_engine_kind_t kind, size_t index);
TANDEM_C_API dnnl_status_t dnnl_engine_get_kind(dnnl_engine_t engine, dnnl_engine_kind_t* kind);
TANDEM_C_API dnnl_status_t dnnl_engine_destroy(dnnl_engine_t engine);

/* flags: of dnnl_stream_flags_t. dnnl_primitive_execute() returns when its outputs are written, so wait() has nothing to
 * wait for. */
TANDEM_C_API dnnl_status_t dnnl_stream_create(dnnl_stream_t* stream, dnnl_engine_t engine, unsigned flags);
TANDEM_C_API dnnl_status_t dnnl_stream_get_engine(const_dnnl_stream_t stream, dnnl_engine_t* engine);
TANDEM_C_API dnnl_status_t dnnl_stream_wait(dnnl_stream_t stream);
TANDEM_C_API dnnl_status_t dnnl_stream_destroy(dnnl_stream_t stream);

TANDEM_C_API const dnnl_version_t* dnnl_version(void);
/* Attributes made from now on start with this mode. */
TANDEM_C_API dnnl_status_t dnnl_get_default_fpmath_mode(dnnl_fpmath_mode_t* mode);
TANDEM_C_API dnnl_status_t dnnl_set_default_fpmath_mode(dnnl_fpmath_mode_t mode);
/* Which lines are printed on stdout (docs/verbose.md): 0 none, 1 executions, 2 creations too. */
TANDEM_C_API dnnl_status_t dnnl_set_verbose(int level);
/* How many primitives are kept to be found again when the same is created, 1024 or what the environment variable
 * ONEDNN_PRIMITIVE_CACHE_CAPACITY or DNNL_PRIMITIVE_CACHE_CAPACITY says. 0 empties the cache and switches it off. A
 * negative capacity is invalid. */
TANDEM_C_API dnnl_status_t dnnl_get_primitive_cache_capacity(int* capacity);
TANDEM_C_API dnnl_status_t dnnl_set_primitive_cache_capacity(int capacity);
/* There is no code generator to be set: these succeed and change nothing. */
TANDEM_C_API dnnl_status_t dnnl_set_jit_dump(int enable);
TANDEM_C_API dnnl_status_t dnnl_set_jit_profiling_flags(unsigned flags);
TANDEM_C_API dnnl_status_t dnnl_set_jit_profiling_jitdumpdir(const char* dir);
/* The most that computations may use, else the environment variable ONEDNN_MAX_CPU_ISA or DNNL_MAX_CPU_ISA says it. Invalid
 * once a primitive descriptor was made or get_effective_cpu_isa() was called. TANDEM_TARGET is obeyed before it. The hints
 * cannot be set. */
TANDEM_C_API dnnl_status_t dnnl_set_max_cpu_isa(dnnl_cpu_isa_t isa);
TANDEM_C_API dnnl_cpu_isa_t dnnl_get_effective_cpu_isa(void);
TANDEM_C_API dnnl_status_t dnnl_set_cpu_isa_hints(dnnl_cpu_isa_hints_t hints);
TANDEM_C_API dnnl_cpu_isa_hints_t dnnl_get_cpu_isa_hints(void);

/* Row-major matrix products; tandem_sgemm() and the two below it in dnnl/abi.h say what they compute. */
TANDEM_C_API dnnl_status_t dnnl_sgemm(char transa, char transb, dnnl_dim_t M, dnnl_dim_t N, dnnl_dim_t K, float alpha,
                                      const float* A, dnnl_dim_t lda, const float* B, dnnl_dim_t ldb, float beta,
                                      float* C, dnnl_dim_t ldc);
TANDEM_C_API dnnl_status_t dnnl_gemm_u8s8s32(char transa, char transb, char offsetc, dnnl_dim_t M, dnnl_dim_t N,
                                             dnnl_dim_t K, float alpha, const uint8_t* A, dnnl_dim_t lda, uint8_t ao,
                                             const int8_t* B, dnnl_dim_t ldb, int8_t bo, float beta, int32_t* C,
                                             dnnl_dim_t ldc, const int32_t* co);
TANDEM_C_API dnnl_status_t dnnl_gemm_s8s8s32(char transa, char transb, char offsetc, dnnl_dim_t M, dnnl_dim_t N,
                                             dnnl_dim_t K, float alpha, const int8_t* A, dnnl_dim_t lda, int8_t ao,
                                             const int8_t* B, dnnl_dim_t ldb, int8_t bo, float beta, int32_t* C,
                                             dnnl_dim_t ldc, const int32_t* co);

#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
#include "dnnl/c/engine.hpp"
#endif

#endif
