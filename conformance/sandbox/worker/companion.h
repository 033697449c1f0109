// A second thread that calls run() while the judged call runs.
#ifndef TANDEM_CONFORMANCE_SANDBOX_WORKER_COMPANION_H_
#define TANDEM_CONFORMANCE_SANDBOX_WORKER_COMPANION_H_

#include <atomic>
#include <string>
#include <thread>

#include "conformance/sandbox/worker/thread_limit.h"
#include "conformance/sandbox/worker/zero_execution.h"

namespace tandem::conformance {

// A companion executes the steps of a task on zeros, again and again, until it is stopped. If a plugin keeps something in
// static memory, such as a scratchpad, two calls write it at once.
class Companion {
 public:
  // Returns when the thread is about to make its first call. `execution` and `limit` must outlive this object.
  Companion(const tandem_plugin* plugin, ZeroExecution* execution, int num_steps, const ThreadLimit& limit);
  ~Companion() { Stop(); }
  Companion(const Companion&) = delete;
  Companion& operator=(const Companion&) = delete;

  // Waits for the end of the thread's last call. Returns the message of the call that failed; empty if none did.
  const std::string& Stop();

 private:
  void Loop(const tandem_plugin* plugin, ZeroExecution* execution, int num_steps);

  std::atomic<bool> begun_{false}, stop_{false};
  std::string failure_;
  std::thread thread_;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_WORKER_COMPANION_H_
