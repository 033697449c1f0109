#include "conformance/sandbox/worker.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "conformance/sandbox/deadline.h"
#include "conformance/sandbox/interrupt.h"
#include "conformance/sandbox/messages/processes.h"
#include "conformance/sandbox/runfiles.h"

namespace tandem::conformance {
namespace {

// A worker that has loaded its plugin answers a request in a millisecond.
constexpr double kRequestSeconds = 10;

// The plan has file actions and attributes of posix_spawn. Unlike fork, that may be called while there are other threads.
class SpawnPlan {
 public:
  SpawnPlan(int control, int output) {
    posix_spawn_file_actions_init(&files_);
    posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    // Only the judge writes to its stdout, because its report goes there.
    posix_spawn_file_actions_adddup2(&files_, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files_, output, STDERR_FILENO);
    posix_spawn_file_actions_adddup2(&files_, control, kControlDescriptor);
    posix_spawn_file_actions_addclosefrom_np(&files_, kControlDescriptor + 1);
    posix_spawnattr_init(&attributes_);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&files_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  // Returns the process's id, or -1 and errno. Its environment is this one's and `variables`. The emulator that TANDEM_EMULATOR
  // names (tools/cross/emulate.sh) starts a program built for another architecture.
  pid_t Start(std::vector<std::string> arguments, std::vector<std::string> variables) const {
    const char* emulator = std::getenv("TANDEM_EMULATOR");
    if (emulator != nullptr) arguments.insert(arguments.begin(), emulator);
    for (char** variable = environ; *variable != nullptr; ++variable) {
      const std::string name = NameOf(*variable);
      const auto has_name = [&](const std::string& other) { return NameOf(other) == name; };
      if (std::none_of(variables.begin(), variables.end(), has_name)) variables.push_back(*variable);
    }
    std::vector<char*> argv = Pointers(&arguments), envp = Pointers(&variables);
    pid_t pid = -1;
    errno = posix_spawn(&pid, argv[0], &files_, &attributes_, argv.data(), envp.data());
    return errno == 0 ? pid : -1;
  }

 private:
  static std::string NameOf(const std::string& variable) { return variable.substr(0, variable.find('=')); }
  static std::vector<char*> Pointers(std::vector<std::string>* words) {
    std::vector<char*> pointers;
    for (std::string& word : *words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    return pointers;
  }

  posix_spawn_file_actions_t files_;
  posix_spawnattr_t attributes_;
};

std::string InSeconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", seconds);
  return text;
}

template <size_t size>
void EndWithZero(char (&text)[size]) {
  text[size - 1] = '\0';
}

}  // namespace

Finding FindingOfEnd(int wait_status, std::string* detail) {
  if (WIFSIGNALED(wait_status)) {
    const char* name = strsignal(WTERMSIG(wait_status));
    *detail = name != nullptr ? name : "signal";
    return Finding::kSignal;
  }
  if (WEXITSTATUS(wait_status) == kExitOtherBuild) {
    *detail = "tandem_worker is of another build than tandem; bazel build //conformance/cli:tandem builds both";
    return Finding::kBadAnswer;
  }
  if (WEXITSTATUS(wait_status) != kExitNoConnection) return Finding::kExit;
  *detail = "it closed the worker's connection to the judge";
  return Finding::kBadAnswer;
}

WorkerProcess::WorkerProcess(const std::string& word, double timeout_seconds,
                             const std::vector<std::string>& variables) {
  Spawn(word, timeout_seconds, variables);
  std::string detail;
  const Finding finding = [&] {
    try {
      return AwaitDescription(timeout_seconds, &detail);
    } catch (const Interrupted&) {
      End();
      throw;
    }
  }();
  if (finding != Finding::kNone) {
    output_.Drain();
    throw PluginFailure(finding, Describe(finding, "loading and describing " + word, detail) + output_.TakeNote());
  }
  EndWithZero(description_.name);
  EndWithZero(description_.version);
  EndWithZero(description_.cpu_isa);
  EndWithZero(description_.error);
  if (description_.loaded == 0) {
    End();
    const std::string error = OneLine(description_.error);
    if (description_.is_plugin == 0) throw NoPlugin(error + output_.TakeNote());
    throw PluginFailure(Finding::kBadAnswer, Describe(Finding::kBadAnswer, "describing " + word, error));
  }
}

void WorkerProcess::Spawn(const std::string& word, double timeout_seconds, const std::vector<std::string>& variables) {
  auto [own, theirs] = SocketPair();
  // If the judge is gone, the worker ends itself, long after the judge would have ended it on an idle machine.
  const std::string seconds = std::to_string(static_cast<int>(std::ceil(std::min(timeout_seconds, 1e6))) * 20 + 10);
  const std::string program = RunfilePath("conformance/sandbox/worker/tandem_worker");
  pid_ = SpawnPlan(theirs.get(), output_end_.get()).Start({program, word, seconds, MessageFormat()}, variables);
  if (pid_ < 0) throw std::runtime_error("cannot start " + program + ": " + std::strerror(errno));
  output_end_.Close();
  control_ = std::move(own);
  process_ = OwnedFd(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
  if (!process_) {
    End();
    throw std::runtime_error("cannot watch a worker process (pidfd_open needs Linux 5.3)");
  }
}

Finding WorkerProcess::AwaitDescription(double timeout_seconds, std::string* detail) {
  Deadline deadline(timeout_seconds, pid_);
  bool connected = true;
  while (true) {
    std::vector<pollfd> fds = {
        {connected ? control_.get() : -1, POLLIN, 0}, {process_.get(), POLLIN, 0}, {output_.fd(), POLLIN, 0}};
    const bool in_time = deadline.WaitFor(&fds);
    output_.Drain();
    if (connected && fds[0].revents != 0) {
      const Received received = Receive(control_.get(), Wait::kNo, &description_);
      if (received == Received::kMessage) return Finding::kNone;
      if (received == Received::kMalformed) {
        End();
        *detail = "a message came that no worker of this build sends";
        return Finding::kBadAnswer;
      }
      connected = received == Received::kNothing;
    } else if (fds[1].revents != 0) {
      return FindingOfEnd(End(), detail);
    }
    if (!in_time) {
      End();
      *detail = deadline.stopped() ? "" : InSeconds(timeout_seconds);
      return deadline.stopped() ? Finding::kStopped : Finding::kTimeLimit;
    }
  }
}

bool WorkerProcess::Ask(const Request& request, const std::vector<int>& descriptors, Reply* reply,
                        OwnedFd* descriptor) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<OwnedFd> received;
  bool answered = Tell(request, descriptors);
  if (answered) {
    std::vector<pollfd> fds = {{control_.get(), POLLIN, 0}, {process_.get(), POLLIN, 0}};
    Deadline(kRequestSeconds, pid_, Deadline::OnInterrupt::kGoOn).WaitFor(&fds);
    answered = Receive(control_.get(), Wait::kNo, reply, &received) == Received::kMessage;
  }
  if (!answered) {
    // A plugin has stopped the worker, or has taken its messages. The worker's copies die with it.
    kill(-pid_, SIGKILL);
    kill(pid_, SIGKILL);
    return false;
  }
  if (!received.empty()) *descriptor = std::move(received[0]);
  return true;
}

int WorkerProcess::End() {
  if (pid_ < 0) return 0;
  // A stopped process does not leave its group any more.
  kill(-pid_, SIGSTOP);
  left_ = KillAll([&] { return Outside(pid_, Descendants(pid_)); });
  kill(-pid_, SIGKILL);
  kill(pid_, SIGKILL);
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  output_.Drain();
  return status;
}

TaskProcess::~TaskProcess() { End(); }

int TaskProcess::End() {
  if (worker_ == nullptr) return 0;
  const std::shared_ptr<WorkerProcess> worker = std::exchange(worker_, nullptr);
  int status = SIGKILL;
  if (copy_ == 0) {
    status = worker->End();
    left_ = worker->left();
  } else {
    Request request;
    request.kind = RequestKind::kEnd;
    request.process = copy_;
    Reply reply;
    OwnedFd none;
    // If the worker is gone, the copy has died with it.
    if (worker->Ask(request, {}, &reply, &none)) {
      status = reply.wait_status;
      EndWithZero(reply.left);
      left_ = OneLine(reply.left);
    }
  }
  output_.Drain();
  return status;
}

PluginProcesses::PluginProcesses(std::string word, double timeout_seconds)
    : word_(std::move(word)),
      timeout_seconds_(timeout_seconds),
      server_(std::make_shared<WorkerProcess>(word_, timeout_seconds)),
      description_(server_->description()) {}

PluginProcesses::PluginProcesses(const PluginProcesses& plain, const std::string& variable)
    : word_(plain.word_),
      timeout_seconds_(plain.timeout_seconds_),
      variables_({variable}),
      description_(plain.description_) {}

std::shared_ptr<PluginProcesses> PluginProcesses::LoadedWith(const std::string& variable) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::shared_ptr<PluginProcesses>& elsewhere = elsewhere_[variable];
  if (elsewhere == nullptr) elsewhere.reset(new PluginProcesses(*this, variable));
  return elsewhere;
}

// Loads the plugin again. If it was a plugin at first and is none any more, it is to blame.
std::shared_ptr<WorkerProcess> PluginProcesses::LoadAgain() const {
  try {
    return std::make_shared<WorkerProcess>(word_, timeout_seconds_, variables_);
  } catch (const NoPlugin& gone) {
    throw PluginFailure(Finding::kBadAnswer, Describe(Finding::kBadAnswer, "loading it again", gone.what()));
  }
}

std::shared_ptr<WorkerProcess> PluginProcesses::Server() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (server_ == nullptr) server_ = LoadAgain();
  return server_;
}

std::unique_ptr<TaskProcess> PluginProcesses::Take(const std::vector<std::string>& environment) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (auto idle = idle_.begin(); idle != idle_.end(); ++idle) {
      if (idle->environment != environment) continue;
      std::unique_ptr<TaskProcess> process = std::move(idle->process);
      idle_.erase(idle);
      return process;
    }
  }
  return Start(environment);
}

void PluginProcesses::GiveBack(const std::vector<std::string>& environment, std::unique_ptr<TaskProcess> process) {
  if (word_.compare(0, sizeof kPipePrefix - 1, kPipePrefix) != 0) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  idle_.push_back({environment, std::move(process)});
}

std::unique_ptr<TaskProcess> PluginProcesses::Start(const std::vector<std::string>& environment) {
  Request request;
  if (environment.size() > kMostSettings) throw std::runtime_error("too many settings for a worker process");
  for (size_t i = 0; i < environment.size(); ++i) {
    if (environment[i].size() >= kLongestSetting) throw std::runtime_error("too long: " + environment[i]);
    std::memcpy(request.environment[i], environment[i].data(), environment[i].size());
  }
  // If a plugin has ended the worker since it was loaded, it is loaded once more.
  for (int attempt = 0; attempt < 2; ++attempt) {
    auto [own, theirs] = SocketPair();
    std::unique_ptr<TaskProcess> started(new TaskProcess);
    started->tasks_ = std::move(own);
    const std::vector<int> descriptors = {theirs.get(), started->output_end_.get()};
    if (description_.forks == 0) {
      // A copy of a process with threads does not have them, so each executor's process loads the plugin itself.
      started->worker_ = LoadAgain();
      request.kind = RequestKind::kServe;
      started->worker_->Tell(request, descriptors);
      started->output_end_.Close();
      return started;
    }
    const std::shared_ptr<WorkerProcess> server = Server();
    Reply reply;
    if (server->Ask(request, descriptors, &reply, &started->copy_process_)) {
      if (reply.process <= 0 || !started->copy_process_) throw std::runtime_error("cannot fork a worker process");
      started->worker_ = server;
      started->copy_ = reply.process;
      started->output_end_.Close();
      return started;
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    if (server_ == server) server_ = nullptr;
  }
  throw PluginFailure(Finding::kBadAnswer, Describe(Finding::kBadAnswer, "the worker",
                                                    "it ends or hangs whenever a process is asked of it"));
}

}  // namespace tandem::conformance
