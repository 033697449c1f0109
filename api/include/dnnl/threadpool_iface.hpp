// A thread pool of the client's own, as oneDNN's clients implement it.
#ifndef DNNL_THREADPOOL_IFACE_HPP
#define DNNL_THREADPOOL_IFACE_HPP

#include <cstdint>
#include <functional>
#include <memory>

#include "dnnl/abi.h"

namespace dnnl {
inline namespace tandem_v1 {
namespace threadpool_interop {

struct threadpool_iface {
  // parallel_for() may return before its calls have ended.
  static constexpr uint64_t ASYNCHRONOUS = TANDEM_THREADPOOL_ASYNCHRONOUS;

  virtual int get_num_threads() const = 0;
  // Says whether the calling thread is one of the pool's and has no others to use.
  virtual bool get_in_parallel() const = 0;
  // Calls fn(i, n) for each i in [0, n), on any threads, at the same time or not. If it throws, the calling thread does
  // what was not begun.
  virtual void parallel_for(int n, const std::function<void(int, int)>& fn) = 0;
  virtual uint64_t get_flags() const = 0;
  // Waits for the calls of an asynchronous pool. Never called here: an execution ends when its outputs are written.
  virtual void wait() {}
  virtual ~threadpool_iface() {}
};

}  // namespace threadpool_interop

namespace detail {

inline void threadpool_parallel_for(void* pool, int n, void (*body)(void*, int, int), void (*end)(void*),
                                    void* argument) {
#if DNNL_ENABLE_EXCEPTIONS
  try {
#endif
    // `end` is called with the last copy of the function, also if the pool drops it.
    const std::shared_ptr<void> calls(argument, end);
    static_cast<threadpool_interop::threadpool_iface*>(pool)->parallel_for(
        n, [calls, body](int i, int count) { body(calls.get(), i, count); });
#if DNNL_ENABLE_EXCEPTIONS
  } catch (...) {
  }
#endif
}

inline tandem_threadpool_t threadpool_of(threadpool_interop::threadpool_iface* pool) {
  using iface = threadpool_interop::threadpool_iface;
  tandem_threadpool_t result;
  result.pool = pool;
  result.get_num_threads = [](void* its) { return static_cast<iface*>(its)->get_num_threads(); };
  result.get_in_parallel = [](void* its) { return static_cast<iface*>(its)->get_in_parallel() ? 1 : 0; };
  result.get_flags = [](void* its) { return static_cast<iface*>(its)->get_flags(); };
  result.parallel_for = &threadpool_parallel_for;
  return result;
}

inline dnnl_status_t create_on_threadpool(dnnl_stream_t* stream, dnnl_engine_t engine,
                                          threadpool_interop::threadpool_iface* pool) {
  if (pool == nullptr) return tandem_stream_create_on_threadpool(stream, engine, nullptr);
  const tandem_threadpool_t its = threadpool_of(pool);
  return tandem_stream_create_on_threadpool(stream, engine, &its);
}

}  // namespace detail
}  // namespace tandem_v1
}  // namespace dnnl

#endif
