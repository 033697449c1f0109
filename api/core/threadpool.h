// The client's threads, as the executions of a calling thread see them.
#ifndef TANDEM_API_CORE_THREADPOOL_H_
#define TANDEM_API_CORE_THREADPOOL_H_

#include "dnnl/abi.h"

namespace tandem {

// While it lives, executions of the calling thread run on `pool`; null: on the library's threads.
class ThreadPoolScope {
 public:
  explicit ThreadPoolScope(const tandem_threadpool_t* pool);
  ~ThreadPoolScope();
  ThreadPoolScope(const ThreadPoolScope&) = delete;
  ThreadPoolScope& operator=(const ThreadPoolScope&) = delete;

  static const tandem_threadpool_t* Current();

 private:
  const tandem_threadpool_t* const before_;
};

// The most threads that primitives made by the calling thread are planned for; 0: it was not said.
int MaxConcurrency();
void SetMaxConcurrency(int threads);

}  // namespace tandem

#endif  // TANDEM_API_CORE_THREADPOOL_H_
