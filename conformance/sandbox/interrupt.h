// SIGHUP, SIGINT and SIGTERM end the processes of plugins at once. CatchInterrupts() lets a report of the finished problems
// follow, EndAtInterrupts() ends the command.
#ifndef TANDEM_CONFORMANCE_SANDBOX_INTERRUPT_H_
#define TANDEM_CONFORMANCE_SANDBOX_INTERRUPT_H_

#include <stdexcept>

namespace tandem::conformance {

// The wait for a process was given up, because one of the signals came.
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

// From this call on, the first of these signals is remembered; the second ends the process.
void CatchInterrupts();

// From this call on, the first of these signals kills all processes that this one has started and removes the files that
// WriteWholeFiles() (whole_file.h) has not completed. Then it ends this process with exit status 128 + its number, whatever its
// threads do.
void EndAtInterrupts();

// main() has this object. If something fails because its processes were killed, it prints no error and chooses no exit status.
// It waits here for the end of this process, if EndAtInterrupts() is about to end it.
class LeavesTheEndToSignals {
 public:
  LeavesTheEndToSignals() = default;
  ~LeavesTheEndToSignals();
  LeavesTheEndToSignals(const LeavesTheEndToSignals&) = delete;
  LeavesTheEndToSignals& operator=(const LeavesTheEndToSignals&) = delete;
};

// Returns the signal that came; 0 if there was none.
int Interruption();
// Throws Interrupted if a signal came.
void StopIfInterrupted();

// The descriptor is readable from the first signal on; -1 until CatchInterrupts() was called.
int InterruptDescriptor();

// Returns "SIGINT", ...; "" for 0.
const char* NameOfSignal(int signal);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_INTERRUPT_H_
