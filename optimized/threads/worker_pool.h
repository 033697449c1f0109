// The threads that share the executions of one calling thread.
#ifndef TANDEM_OPTIMIZED_THREADS_WORKER_POOL_H_
#define TANDEM_OPTIMIZED_THREADS_WORKER_POOL_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

namespace tandem {
namespace optimized {

// Each thread of a team calls this. It does not throw.
struct TeamTask {
  void (*run)(const void* body, int thread, int team) = nullptr;
  const void* body = nullptr;
};

// Our own threads, because OpenMP's runtimes end the process where the system gives no thread and no memory for one.
// Like OpenMP's, each thread that executes has a pool of its own; its workers wait between executions as OMP_WAIT_POLICY
// says, and end with the thread, or with the library. They have no signals, and stacks of 1 MB.
class WorkerPool {
 public:
  // Null where there is no memory for it.
  static WorkerPool* OfThisThread();

  // Calls the task on the calling thread, which is thread 0, and on up to threads - 1 workers, all at the same time. The
  // team is smaller where the system gives no more threads.
  void Run(int threads, const TeamTask& task);

  WorkerPool();
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

 private:
  friend class PoolRegistry;
  class Worker;
  enum State { kIdle, kRunning, kStopped };

  bool Enter(State state);
  int Grow(int workers);
  void Stop();

  std::vector<std::unique_ptr<Worker>> workers_;
  std::atomic<State> state_{kIdle};
  std::chrono::steady_clock::time_point next_attempt_{};  // to make threads, after the system gave none
  uint32_t process_;                                      // as PoolRegistry counts them
  WorkerPool *before_ = nullptr, *after_ = nullptr;       // in the registry
};

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_THREADS_WORKER_POOL_H_
