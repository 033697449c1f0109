// SIGHUP, SIGINT and SIGTERM end a campaign after the problems that are running, so that its report tells what was judged.
#ifndef TANDEM_CONFORMANCE_JUDGE_INTERRUPT_H_
#define TANDEM_CONFORMANCE_JUDGE_INTERRUPT_H_

namespace tandem::conformance {

// From here on, the first of these signals is remembered; the second ends the process.
void CatchInterrupts();

// The signal that came; 0 if there was none.
int Interruption();

// "SIGINT"; empty for 0.
const char* NameOfSignal(int signal);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_JUDGE_INTERRUPT_H_
