#include "conformance/sandbox/worker/faults.h"

#include <signal.h>
#include <sys/socket.h>

#include "conformance/sandbox/worker/fault_access.h"

namespace tandem::conformance {
namespace {

// The context is global, because a signal handler can find it in no other way.
FaultContext* g_context = nullptr;

void OnFault(int signal, siginfo_t* info, void* context) {
  TaskReport* report = &g_context->report;
  for (int i = 0; i < kNumNamedSpans; ++i) {
    const FaultContext::Buffer& buffer = g_context->buffer[i];
    if (buffer.arena == nullptr) continue;
    const Side side = buffer.arena->SideOf(buffer.span, info->si_addr);
    if (side == Side::kElsewhere) continue;
    report->fault = static_cast<int32_t>(side == Side::kInside ? MemoryFault::kReadOnly : MemoryFault::kGuardPage);
    report->span = i;
    report->access = static_cast<int32_t>(AccessOf(context));
    report->side = static_cast<int32_t>(side);
  }
  (void)!send(g_context->socket, report, sizeof *report, MSG_NOSIGNAL);
  // The default action ends the process, so that the judge sees the signal.
  ::signal(signal, SIG_DFL);
  raise(signal);
}

}  // namespace

void CatchFaults(FaultContext* context) {
  g_context = context;
  static uint8_t stack[64 * 1024];
  stack_t alternate = {};
  alternate.ss_sp = stack;
  alternate.ss_size = sizeof stack;
  sigaltstack(&alternate, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = OnFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (int signal : {SIGSEGV, SIGBUS}) sigaction(signal, &action, nullptr);
}

}  // namespace tandem::conformance
