// Runs a plugin on one problem in a child process, twice: buffers against an upper guard page, then against a lower
// one, each time with other bytes in everything it must not read. A crash, a hang or a write outside the outputs
// becomes a verdict.
#ifndef TANDEM_CONFORMANCE_SANDBOX_RUNNER_H_
#define TANDEM_CONFORMANCE_SANDBOX_RUNNER_H_

#include <array>
#include <string>
#include <vector>

#include "conformance/oracle/implementation.h"
#include "conformance/sandbox/executor.h"
#include "conformance/sandbox/plugin_host.h"

namespace tandem::conformance {

// Whether other bits in the second run are a finding. They are allowed where it has another number of threads.
enum class OtherBits { kFound, kAllowed };

struct RunOptions {
  double timeout_seconds = 60;
  unsigned free_layouts = 0;  // FreeLayouts(spec)
  int misalign = 0;           // elements
  // "NAME=VALUE", set in the child before the plugin's first call.
  std::vector<std::string> environment;
  // Of the first and the second run; 0: as many as the implementation likes.
  std::array<int, 2> threads = {0, 0};
  OtherBits other_bits = OtherBits::kFound;
  // Of a backward problem: what runs before the backward step.
  Interlude interlude = Interlude::kNone;
  // During the second run; not with Offsets::kWide.
  Company company = Company::kAlone;
  // Of a forward problem whose states can be handed on (HandsStatesOn): how often it is executed in one process and in
  // the same buffers, each time on the states that the execution before has left. RunIsolated then returns the states
  // that the last execution started from, and its outputs.
  int executions = 1;
  // Receives the outputs of the second run, if the status is kOk; RunIsolated returns those of the first.
  TensorSet* second_outputs = nullptr;
  // Where to run; made for the same plugin and environment. Null: in a process for this execution alone.
  Executor* executor = nullptr;
};

struct ExecutionReport {
  RunStatus status = RunStatus::kOk;
  // kPass, kNotSupported, kFail, kNondeterministic, kTimeout or kCrash.
  Outcome outcome;
  Finding finding = Finding::kNone;  // kNone also for a refusal
  std::string message;               // why it is not kPass
  int64_t heap_bytes = 0;            // that the worker's heap holds afterwards
};

// `tensors` holds the inputs and receives the outputs of the first run (and, for a backward problem, dst_layer,
// dst_iter and dst_iter_c of the forward_training run before it). They are unchanged unless the status is kOk.
ExecutionReport RunIsolated(const Plugin& plugin, const RnnProblem& problem, const RunOptions& options,
                            TensorSet* tensors);

// Only supports(): kNotSupported with the reason, or kOk. `executor` may be that of earlier questions.
ExecutionReport AskIsolated(const Plugin& plugin, const RnnProblem& problem, unsigned free_layouts, Executor* executor);

// As RunIsolated, in the form in which the checks call it. The worst report of all calls is kept in *worst if it is given.
Implementation AsImplementation(const Plugin& plugin, const RunOptions& options, ExecutionReport* worst = nullptr);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_RUNNER_H_
