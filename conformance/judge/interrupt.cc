#include "conformance/judge/interrupt.h"

#include <signal.h>
#include <unistd.h>

#include <initializer_list>

namespace tandem::conformance {
namespace {

volatile sig_atomic_t interruption = 0;

// Only what a signal handler may do.
void Remember(int number) {
  interruption = number;
  constexpr char kText[] = "\ntandem: interrupted; the problems that are running end first, a second signal ends all\n";
  const auto ignored = write(STDERR_FILENO, kText, sizeof kText - 1);
  static_cast<void>(ignored);
}

}  // namespace

void CatchInterrupts() {
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

const char* NameOfSignal(int signal) {
  return signal == SIGHUP ? "SIGHUP" : signal == SIGINT ? "SIGINT" : signal == SIGTERM ? "SIGTERM" : "";
}

}  // namespace tandem::conformance
