#include "conformance/sandbox/interrupt.h"

#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>
#include <initializer_list>

namespace tandem::conformance {
namespace {

volatile sig_atomic_t interruption = 0;
int event = -1;

// Only what a signal handler may do.
void Remember(int number) {
  interruption = number;
  constexpr uint64_t kOne = 1;
  (void)!write(event, &kOne, sizeof kOne);
  constexpr char kText[] = "\ntandem: interrupted; a report of what was judged follows, a second signal ends all\n";
  (void)!write(STDERR_FILENO, kText, sizeof kText - 1);
}

}  // namespace

void CatchInterrupts() {
  if (event < 0) event = eventfd(0, EFD_CLOEXEC);
  struct sigaction action = {};
  action.sa_handler = Remember;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  for (const int number : {SIGINT, SIGTERM}) sigaction(number, &action, nullptr);
  // nohup has it ignored.
  struct sigaction before = {};
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
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
