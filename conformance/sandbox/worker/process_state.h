// Some state belongs to the whole process. A plugin's functions must leave it as they have found it.
#ifndef TANDEM_CONFORMANCE_SANDBOX_WORKER_PROCESS_STATE_H_
#define TANDEM_CONFORMANCE_SANDBOX_WORKER_PROCESS_STATE_H_

#include <sched.h>
#include <signal.h>
#include <sys/types.h>

#include <array>
#include <string>

namespace tandem::conformance {

// The state is the actions of signals, the mask of new files, the current folder, and the processors that the calling thread
// may use. Each is a system call, so they are read once for a task and not, as ThreadState, for each call.
class ProcessState {
 public:
  static ProcessState Read();
  // Names all that has changed since `before`, such as "action of SIGPIPE, umask". The text is empty if nothing has.
  std::string ChangesSince(const ProcessState& before) const;
  void Restore() const;

 private:
  // Libraries have handlers for these signals.
  static constexpr int kSignals[] = {SIGHUP,  SIGINT,  SIGILL,  SIGABRT, SIGFPE,  SIGSEGV, SIGBUS,
                                     SIGPIPE, SIGALRM, SIGTERM, SIGCHLD, SIGUSR1, SIGUSR2, SIGPROF};
  std::array<struct sigaction, sizeof kSignals / sizeof *kSignals> action_;
  cpu_set_t processors_;
  mode_t umask_;
  std::string folder_;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_WORKER_PROCESS_STATE_H_
