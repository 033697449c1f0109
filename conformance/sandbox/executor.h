// An executor has a process in which a plugin does tasks, and the memory that both sides share.
#ifndef TANDEM_CONFORMANCE_SANDBOX_EXECUTOR_H_
#define TANDEM_CONFORMANCE_SANDBOX_EXECUTOR_H_

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "conformance/sandbox/finding.h"
#include "conformance/sandbox/messages/task.h"
#include "conformance/sandbox/plugin_host.h"
#include "conformance/sandbox/worker.h"

namespace tandem::conformance {

struct TaskEnd {
  bool answered = false;
  // If it was not answered, these say how it ended.
  Finding finding = Finding::kNone;
  std::string detail;
  // This is the last valid report of the worker: its answer, or how far it came.
  TaskReport report;
  // The process ended before the task had begun, because of something that an earlier task has left.
  bool between_tasks = false;
  std::string printed;  // the plugin's text and what it left behind, as an addition to a sentence
};

// One thread uses an Executor. The process is started when a task needs one. It is kept until it crashes, hangs or the executor
// is destroyed, because a fork and its page faults take as long as a small problem.
class Executor {
 public:
  // The process is its own; with kAny a command behind a pipe may have done tasks of other executors.
  enum class Process { kFresh, kAny };
  Executor(const Plugin& plugin, const std::vector<std::string>& environment, Process process = Process::kAny);
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  // Empties the task and its memory, which then has room for bytes[kind] bytes of each kind.
  void Reserve(const std::array<size_t, kNumArenas>& bytes);
  GuardedArena& arena(ArenaKind kind) { return shared_[static_cast<size_t>(kind)].arena; }
  // The worker cannot change this task.
  Task& task() { return task_; }

  // Runs the task that was filled in since Reserve(). Throws std::runtime_error if the system cannot start a process.
  TaskEnd Run(double timeout_seconds);

  // Returns the group of the current process; there is one after a task that was answered.
  pid_t group() const { return process_->group(); }
  // Returns how many tasks the current process has done.
  int tasks_done() const { return process_ != nullptr ? process_->tasks_done : 0; }
  // Returns the time that all Run() so far took.
  double seconds() const { return seconds_; }

 private:
  struct SharedArena {
    OwnedFd fd;
    GuardedArena arena;
  };
  // The judge waits for the first report, the answer, or the end of a process that can report no more.
  enum class Awaited { kReceipt, kAnswer, kEnd };
  static SharedArena MakeShared(ArenaKind kind, size_t bytes);

  TaskEnd RunTask(double timeout_seconds);
  bool SendTask();
  void Await(double timeout_seconds, TaskEnd* end);
  // Says what it means that the time is over.
  static void GiveUp(double timeout_seconds, Awaited awaited, bool stopped, TaskEnd* end);
  // Takes the reports that have come. Returns false if the connection is closed.
  bool TakeReports(TaskEnd* end);
  // Describes the end of a process that has ended, or ends it.
  void Stop(TaskEnd* end);

  const std::shared_ptr<PluginProcesses> worker_;
  std::vector<std::string> environment_;
  const Process use_;
  std::array<SharedArena, kNumArenas> shared_;
  Task task_;
  std::unique_ptr<TaskProcess> process_;
  bool process_has_arenas_ = false;
  double seconds_ = 0;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_EXECUTOR_H_
