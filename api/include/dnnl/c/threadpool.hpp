// Bodies of threadpool.h.
#ifndef DNNL_C_THREADPOOL_HPP
#define DNNL_C_THREADPOOL_HPP

#include "dnnl/c/result.hpp"
#include "dnnl/c/threadpool.h"
#include "dnnl/threadpool_iface.hpp"

extern "C" {

TANDEM_C_API dnnl_status_t dnnl_threadpool_interop_stream_create(dnnl_stream_t* stream, dnnl_engine_t engine,
                                                                 void* threadpool) {
  auto* const pool = static_cast<dnnl::threadpool_interop::threadpool_iface*>(threadpool);
  return dnnl::detail::create_on_threadpool(stream, engine, pool);
}
TANDEM_C_API dnnl_status_t dnnl_threadpool_interop_stream_get_threadpool(dnnl_stream_t stream, void** threadpool) {
  return tandem_stream_get_threadpool(stream, threadpool);
}
TANDEM_C_API dnnl_status_t dnnl_threadpool_interop_set_max_concurrency(int max_concurrency) {
  return tandem_set_max_concurrency(max_concurrency);
}
TANDEM_C_API dnnl_status_t dnnl_threadpool_interop_get_max_concurrency(int* max_concurrency) {
  return dnnl::detail::c_put(dnnl_success, max_concurrency, tandem_get_max_concurrency());
}
TANDEM_C_API dnnl_status_t dnnl_threadpool_interop_sgemm(char transa, char transb, dnnl_dim_t M, dnnl_dim_t N,
                                                         dnnl_dim_t K, float alpha, const float* A, dnnl_dim_t lda,
                                                         const float* B, dnnl_dim_t ldb, float beta, float* C,
                                                         dnnl_dim_t ldc, void*) {
  return tandem_sgemm(transa, transb, M, N, K, alpha, A, lda, B, ldb, beta, C, ldc);
}

}  // extern "C"

#endif
