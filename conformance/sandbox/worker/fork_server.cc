#include "conformance/sandbox/worker/fork_server.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/sandbox/messages/messages.h"
#include "conformance/sandbox/messages/processes.h"
#include "conformance/sandbox/worker/task_runner.h"

namespace tandem::conformance {
namespace {

class ForkServer {
 public:
  ForkServer(const LoadedPlugin& plugin, int control) : plugin_(plugin), control_(control) {
    // Processes that ended copies leave behind become children of this process.
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    for (const ProcessRecord& process : Descendants(getpid())) since_load_.insert(process.pid);
  }

  void Serve() {
    Request request;
    std::vector<OwnedFd> descriptors;
    while (Receive(control_, Wait::kYes, &request, &descriptors) == Received::kMessage) {
      Reply reply;
      OwnedFd process;
      switch (request.kind) {
        case RequestKind::kFork:
          process = Fork(request, &descriptors, &reply);
          break;
        case RequestKind::kServe:
          // The signal comes at the end of the judge's thread that has asked: it waits for the tasks.
          prctl(PR_SET_PDEATHSIG, SIGKILL);
          Become(request, &descriptors);
          break;
        case RequestKind::kEnd:
          End(request.process, &reply);
          break;
      }
      descriptors.clear();
      if (!Send(control_, reply, process ? std::vector<int>{process.get()} : std::vector<int>{})) break;
    }
  }

 private:
  // The copy has a process group of its own: it and what it has started end together.
  OwnedFd Fork(const Request& request, std::vector<OwnedFd>* descriptors, Reply* reply) {
    std::fflush(nullptr);
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child == 0) {
      setpgid(0, 0);
      // The copy dies with this process.
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) _exit(0);
      close(control_);
      Become(request, descriptors);
    }
    if (child < 0) return OwnedFd();
    setpgid(child, child);
    children_.insert(child);
    reply->process = child;
    return OwnedFd(static_cast<int>(syscall(SYS_pidfd_open, child, 0)));
  }

  [[noreturn]] void Become(const Request& request, std::vector<OwnedFd>* descriptors) {
    if (descriptors->size() != 2) _exit(kExitNoConnection);
    for (const auto& setting : request.environment) {
      const std::string text(setting);
      const size_t equals = text.find('=');
      if (equals != std::string::npos) setenv(text.substr(0, equals).c_str(), text.substr(equals + 1).c_str(), 1);
    }
    for (int fd : {STDOUT_FILENO, STDERR_FILENO}) dup2((*descriptors)[1].get(), fd);
    (*descriptors)[1].Close();
    // Processes whose parent has ended remain in sight.
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    ServeTasks(plugin_, (*descriptors)[0].get());
  }

  void End(pid_t child, Reply* reply) {
    // This never ends another process than one of its own.
    if (children_.erase(child) == 0) return;
    // A stopped process does not leave its group any more.
    kill(-child, SIGSTOP);
    std::vector<ProcessRecord> strays = Descendants(child);
    kill(-child, SIGKILL);
    kill(child, SIGKILL);
    while (waitpid(child, &reply->wait_status, 0) < 0 && errno == EINTR) {
    }
    const std::string left = KillAll([&] {
      AddOrphans(&strays);
      return Outside(child, std::exchange(strays, {}));
    });
    std::snprintf(reply->left, sizeof reply->left, "%s", left.c_str());
    while (waitpid(-child, nullptr, WNOHANG) > 0) {
    }
  }

  // Adds the processes that ended copies have left.
  void AddOrphans(std::vector<ProcessRecord>* strays) const {
    for (const ProcessRecord& orphan : Descendants(getpid())) {
      if (orphan.parent != getpid() || children_.count(orphan.pid) != 0 || since_load_.count(orphan.pid) != 0) continue;
      strays->push_back(orphan);
      for (const ProcessRecord& process : Descendants(orphan.pid)) strays->push_back(process);
    }
  }

  const LoadedPlugin& plugin_;
  const int control_;
  std::set<pid_t> children_, since_load_;
};

}  // namespace

void ServeRequests(const LoadedPlugin& plugin, int control) { ForkServer(plugin, control).Serve(); }

}  // namespace tandem::conformance
