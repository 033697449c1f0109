// Streams whose executions run on a thread pool of the client's own.
#ifndef DNNL_THREADPOOL_HPP
#define DNNL_THREADPOOL_HPP

#include "dnnl/engine.hpp"
#include "dnnl/service.hpp"
#include "dnnl/threadpool_iface.hpp"

namespace dnnl {
inline namespace tandem_v1 {
namespace threadpool_interop {

// The pool must outlive the stream. Null: the library's own threads.
inline stream make_stream(const engine& aengine, threadpool_iface* threadpool) {
  dnnl_stream_t result = nullptr;
  detail::check(detail::create_on_threadpool(&result, aengine.get(), threadpool));
  return stream(result);
}

// Null for a stream without one.
inline threadpool_iface* get_threadpool(const stream& astream) {
  void* result = nullptr;
  detail::check(tandem_stream_get_threadpool(astream.get(), &result));
  return static_cast<threadpool_iface*>(result);
}

// The most threads that primitives made by the calling thread are planned for; 0, as at first: those of OpenMP.
inline status set_max_concurrency(int threads) { return static_cast<status>(tandem_set_max_concurrency(threads)); }
inline int get_max_concurrency() { return tandem_get_max_concurrency(); }

// The matrix products use one thread.
inline status sgemm(char transa, char transb, dnnl_dim_t M, dnnl_dim_t N, dnnl_dim_t K, float alpha, const float* A,
                    dnnl_dim_t lda, const float* B, dnnl_dim_t ldb, float beta, float* C, dnnl_dim_t ldc,
                    threadpool_iface*) {
  return dnnl::sgemm(transa, transb, M, N, K, alpha, A, lda, B, ldb, beta, C, ldc);
}

}  // namespace threadpool_interop
}  // namespace tandem_v1
}  // namespace dnnl

#endif
