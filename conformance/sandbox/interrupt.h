// SIGHUP, SIGINT and SIGTERM end the processes of plugins at once: CatchInterrupts() lets a report of what was judged follow,
// EndAtInterrupts() ends the command.
#ifndef TANDEM_CONFORMANCE_SANDBOX_INTERRUPT_H_
#define TANDEM_CONFORMANCE_SANDBOX_INTERRUPT_H_

#include <stdexcept>

namespace tandem::conformance {

// The wait for a process was given up, because one of the signals came.
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

// From here on, the first of these signals is remembered; the second ends the process.
void CatchInterrupts();

// From here on, the first of these signals kills every process that this one has started, removes what WriteWholeFiles()
// (whole_file.h) has not completed, and ends this process with exit status 128 + its number, whatever its threads do.
void EndAtInterrupts();

// In main(): what fails because its processes were killed prints no error and chooses no exit status, but waits here for the end
// of this process, if EndAtInterrupts() is about to end it.
class LeavesTheEndToSignals {
 public:
  LeavesTheEndToSignals() = default;
  ~LeavesTheEndToSignals();
  LeavesTheEndToSignals(const LeavesTheEndToSignals&) = delete;
  LeavesTheEndToSignals& operator=(const LeavesTheEndToSignals&) = delete;
};

// The signal that came; 0 if there was none.
int Interruption();
// Throws Interrupted if one came.
void StopIfInterrupted();

// Readable from the first signal on; -1 until CatchInterrupts() was called.
int InterruptDescriptor();

// "SIGINT"; empty for 0.
const char* NameOfSignal(int signal);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_INTERRUPT_H_
