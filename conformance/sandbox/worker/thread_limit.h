// Limits OpenMP's threads.
#ifndef TANDEM_CONFORMANCE_SANDBOX_WORKER_THREAD_LIMIT_H_
#define TANDEM_CONFORMANCE_SANDBOX_WORKER_THREAD_LIMIT_H_

#include <string>

namespace tandem::conformance {

class ThreadLimit {
 public:
  // The limit is for the runtime that `library` (of dlopen) uses; null: that of this program.
  explicit ThreadLimit(void* library);
  // 0 is as many as at first.
  void Set(int threads);
  // Limits the calling thread alone, whose number is then not that of Set(). 0 means the same as there.
  void OfThisThread(int threads) const;

 private:
  void (*set_)(int) = nullptr;
  int usual_threads_ = 1;
  std::string usual_;
  int limit_ = 0;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_WORKER_THREAD_LIMIT_H_
