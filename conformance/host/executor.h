// A child process in which a plugin runs, and the memory that both share.
#ifndef TANDEM_CONFORMANCE_HOST_EXECUTOR_H_
#define TANDEM_CONFORMANCE_HOST_EXECUTOR_H_

#include <sys/types.h>

#include <array>
#include <string>
#include <vector>

#include "conformance/host/child.h"

namespace tandem::conformance {

// How a task ended.
struct ChildEnd {
  bool answered = false;
  bool timed_out = false;
  int wait_status = 0;  // if the process has ended
};

// Used by one thread. The process is forked when a task needs one and is kept until it crashes, hangs or the executor
// is destroyed: a fork and its page faults take as long as a small problem.
class Executor {
 public:
  Executor(const Plugin& plugin, std::vector<std::string> environment);
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  // Empties the arenas; each then has room for `bytes`.
  void Reserve(size_t bytes);
  GuardedArena& arena(int run) { return arenas_[run]; }
  ChildTask& task() { return mailbox_->task; }
  const ChildReport& report() const { return mailbox_->report; }

  // Runs the task that was filled in since Reserve(). Throws std::runtime_error if the system cannot start a process.
  ChildEnd Run(double timeout_seconds);

  // How many tasks the current process has done.
  int tasks_done() const { return tasks_done_; }

 private:
  void Start();
  void Stop();
  // Waits for the process, which has ended or is about to.
  int Reap();

  const Plugin plugin_;
  const std::vector<std::string> environment_;
  Mailbox* mailbox_ = nullptr;
  std::array<GuardedArena, kNumRuns> arenas_;
  pid_t child_ = -1;
  int child_fd_ = -1;  // readable once the process has ended
  int commands_ = -1, answers_ = -1;
  int tasks_done_ = 0;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_HOST_EXECUTOR_H_
