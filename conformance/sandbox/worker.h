// The judge sees the processes of plugins through this. Nothing that they do or send can end or change this process.
#ifndef TANDEM_CONFORMANCE_SANDBOX_WORKER_H_
#define TANDEM_CONFORMANCE_SANDBOX_WORKER_H_

#include <sys/types.h>

#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "conformance/sandbox/captured_output.h"
#include "conformance/sandbox/finding.h"
#include "conformance/sandbox/messages/messages.h"
#include "conformance/sandbox/messages/task.h"

namespace tandem::conformance {

// The implementation crashed, hung or gave no valid answer before its first problem: on loading or in describe().
class PluginFailure : public std::runtime_error {
 public:
  PluginFailure(Finding finding, const std::string& message) : std::runtime_error(message), finding_(finding) {}
  Finding finding() const { return finding_; }

 private:
  Finding finding_;
};

// No plugin has this word: there is no such file, or the command ends before it describes itself.
class NoPlugin : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Returns what the end of a process means, with its detail for Describe().
Finding FindingOfEnd(int wait_status, std::string* detail);

// This is a tandem_worker that has loaded a plugin. It is killed with its owner.
class WorkerProcess {
 public:
  // The process has `variables`, "NAME=VALUE", in its environment from its start on. Throws PluginFailure if the plugin does
  // something wrong, NoPlugin if `word` names none.
  WorkerProcess(const std::string& word, double timeout_seconds, const std::vector<std::string>& variables = {});
  ~WorkerProcess() { End(); }
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  const DescriptionReport& description() const { return description_; }
  int process() const { return process_.get(); }  // readable once it has ended
  pid_t group() const { return pid_; }            // the group of the process and of those that it starts
  // Returns false, and kills the worker, if it does not answer. *descriptor came with the reply. Several threads may call this.
  bool Ask(const Request& request, const std::vector<int>& descriptors, Reply* reply, OwnedFd* descriptor);
  // Sends a request that has no reply.
  bool Tell(const Request& request, const std::vector<int>& descriptors) {
    return Send(control_.get(), request, descriptors);
  }
  // Kills the process, all of its group, and processes that it has started outside of it. Returns its wait status.
  int End();
  // After End() this has the names of processes that it had started outside of its group.
  const std::string& left() const { return left_; }

 private:
  void Spawn(const std::string& word, double timeout_seconds, const std::vector<std::string>& variables);
  // Returns the finding, with its detail in *detail. After kNone description_ is filled.
  Finding AwaitDescription(double timeout_seconds, std::string* detail);

  std::mutex mutex_;  // it lets one request pass at a time
  pid_t pid_ = -1;
  OwnedFd control_, process_;
  OwnedFd output_end_;  // the process's side, until it has been started
  CapturedOutput output_{&output_end_};
  DescriptionReport description_;
  std::string left_;
};

class PluginProcesses;

// This process does tasks for one executor.
class TaskProcess {
 public:
  ~TaskProcess();
  TaskProcess(const TaskProcess&) = delete;
  TaskProcess& operator=(const TaskProcess&) = delete;

  int tasks() const { return tasks_.get(); }                                             // the socket
  int process() const { return copy_ != 0 ? copy_process_.get() : worker_->process(); }  // readable once it has ended
  pid_t group() const { return copy_ != 0 ? copy_ : worker_->group(); }                  // the group of the processes
  CapturedOutput& output() { return output_; }
  // Ends the process as WorkerProcess::End() does.
  int End();
  const std::string& left() const { return left_; }

  int tasks_done = 0;

 private:
  friend class PluginProcesses;
  TaskProcess() = default;

  OwnedFd tasks_, copy_process_;
  OwnedFd output_end_;
  CapturedOutput output_{&output_end_};
  std::shared_ptr<WorkerProcess> worker_;
  pid_t copy_ = 0;  // a copy of worker_; 0: worker_ itself
  std::string left_;
};

// The processes for one plugin come from here. Several threads may call its functions.
class PluginProcesses {
 public:
  // Takes and throws the same as that of WorkerProcess.
  PluginProcesses(std::string word, double timeout_seconds);

  // Returns processes of the same plugin that have `variable`, "NAME=VALUE", from their start on: many libraries read their
  // environment when they are loaded. The first task loads the plugin, and fails if that fails.
  std::shared_ptr<PluginProcesses> LoadedWith(const std::string& variable);

  const std::string& word() const { return word_; }
  // Returns the first description.
  const DescriptionReport& description() const { return description_; }
  // `environment` has "NAME=VALUE", set before the plugin's first task. Throws PluginFailure if the plugin had to be loaded
  // again and that failed, std::runtime_error if the system gives no process.
  std::unique_ptr<TaskProcess> Start(const std::vector<std::string>& environment);
  // Returns a new process, or one that was given back: commands behind a pipe take seconds to start.
  std::unique_ptr<TaskProcess> Take(const std::vector<std::string>& environment);
  void GiveBack(const std::vector<std::string>& environment, std::unique_ptr<TaskProcess> process);

 private:
  struct Idle {
    std::vector<std::string> environment;
    std::unique_ptr<TaskProcess> process;
  };
  PluginProcesses(const PluginProcesses& plain, const std::string& variable);
  std::shared_ptr<WorkerProcess> LoadAgain() const;
  std::shared_ptr<WorkerProcess> Server();

  const std::string word_;
  const double timeout_seconds_;
  const std::vector<std::string> variables_;
  std::mutex mutex_;  // it guards server_, idle_ and elsewhere_
  std::shared_ptr<WorkerProcess> server_;
  std::vector<Idle> idle_;
  std::map<std::string, std::shared_ptr<PluginProcesses>> elsewhere_;
  DescriptionReport description_;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_WORKER_H_
