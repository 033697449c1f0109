// SIGHUP, SIGINT and SIGTERM end the processes of plugins at once, so that a report of what was judged can follow.
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
