/* Thread pools of the client's own in the C API: `threadpool` points to a dnnl::threadpool_interop::threadpool_iface of
 * C++. A pool in C is a tandem_threadpool_t (dnnl/abi.h). */
#ifndef DNNL_C_THREADPOOL_H
#define DNNL_C_THREADPOOL_H

#include "dnnl/c/linkage.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A stream whose executions run on the pool, which must outlive it; NULL: on the library's threads. */
TANDEM_C_API dnnl_status_t dnnl_threadpool_interop_stream_create(dnnl_stream_t* stream, dnnl_engine_t engine,
                                                                 void* threadpool);
/* NULL for a stream without one. */
TANDEM_C_API dnnl_status_t dnnl_threadpool_interop_stream_get_threadpool(dnnl_stream_t stream, void** threadpool);
/* The most threads that primitives made by the calling thread are planned for; 0, as at first: those of OpenMP. */
TANDEM_C_API dnnl_status_t dnnl_threadpool_interop_set_max_concurrency(int max_concurrency);
TANDEM_C_API dnnl_status_t dnnl_threadpool_interop_get_max_concurrency(int* max_concurrency);
/* tandem_sgemm(), on one thread. */
TANDEM_C_API dnnl_status_t dnnl_threadpool_interop_sgemm(char transa, char transb, dnnl_dim_t M, dnnl_dim_t N,
                                                         dnnl_dim_t K, float alpha, const float* A, dnnl_dim_t lda,
                                                         const float* B, dnnl_dim_t ldb, float beta, float* C,
                                                         dnnl_dim_t ldc, void* threadpool);

#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
#include "dnnl/c/threadpool.hpp"
#endif

#endif
