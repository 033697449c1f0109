#include "conformance/sandbox/interrupt.h"

#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "conformance/sandbox/messages/processes.h"
#include "conformance/sandbox/whole_file.h"

namespace tandem::conformance {
namespace {

volatile sig_atomic_t interruption = 0, last_signal = 0;
int event = -1, ending = -1;
// These processes are below this one, but it has not started them. A shell has some if this program takes its place (`exec`).
std::vector<pid_t>& inherited = *new std::vector<pid_t>;

void Notify(int descriptor) {
  constexpr uint64_t kOne = 1;
  (void)!write(descriptor, &kOne, sizeof kOne);
}

// A signal handler may do no more than this.
void Remember(int number) {
  interruption = number;
  Notify(event);
  constexpr char kText[] = "\ntandem: interrupted; a report of what was judged follows, a second signal ends all\n";
  (void)!write(STDERR_FILENO, kText, sizeof kText - 1);
}

void WakeTheEnd(int number) {
  last_signal = number;
  Notify(ending);
}

// This is a thread, because a handler may not look for processes, and because the others may be busy for minutes.
void* AwaitTheEnd(void*) {
  uint64_t count;
  while (read(ending, &count, sizeof count) < 0 && errno == EINTR) {
  }
  GiveUpFiles();
  // Workers are in sessions of their own. Processes that they have started come to this process when they are gone.
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  KillAll([] {
    std::vector<ProcessRecord> processes = Descendants(getpid());
    const auto foreign = [](const ProcessRecord& record) {
      return std::count(inherited.begin(), inherited.end(), record.pid) != 0;
    };
    processes.erase(std::remove_if(processes.begin(), processes.end(), foreign), processes.end());
    return processes;
  });
  while (waitpid(-1, nullptr, WNOHANG) > 0) {
  }
  // exit() would destroy objects that the other threads still use.
  _exit(128 + last_signal);
}

void HandleInterrupts(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  for (const int number : {SIGINT, SIGTERM}) sigaction(number, &action, nullptr);
  // nohup has SIGHUP ignored.
  struct sigaction before = {};
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
}

}  // namespace

void CatchInterrupts() {
  if (event < 0) event = eventfd(0, EFD_CLOEXEC);
  HandleInterrupts(Remember);
}

void EndAtInterrupts() {
  ending = eventfd(0, EFD_CLOEXEC);
  for (const ProcessRecord& record : Descendants(getpid())) inherited.push_back(record.pid);
  pthread_t thread;
  // Without a thread, the system's way to end at a signal stays.
  if (ending < 0 || pthread_create(&thread, nullptr, AwaitTheEnd, nullptr) != 0) return;
  pthread_detach(thread);
  HandleInterrupts(WakeTheEnd);
}

LeavesTheEndToSignals::~LeavesTheEndToSignals() {
  while (last_signal != 0) pause();
}

int Interruption() { return interruption; }

void StopIfInterrupted() {
  if (interruption != 0) throw Interrupted();
}

int InterruptDescriptor() { return event; }

const char* NameOfSignal(int signal) {
  return signal == SIGHUP ? "SIGHUP" : signal == SIGINT ? "SIGINT" : signal == SIGTERM ? "SIGTERM" : "";
}

}  // namespace tandem::conformance
