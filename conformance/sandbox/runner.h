// Runs a plugin on one problem in a child process, twice. Buffers lie against an upper guard page, then against a lower one.
// Other bytes fill everything that it must not read. A crash, a hang or a stray write becomes a verdict.
#ifndef TANDEM_CONFORMANCE_SANDBOX_RUNNER_H_
#define TANDEM_CONFORMANCE_SANDBOX_RUNNER_H_

#include <array>
#include <string>
#include <vector>

#include "conformance/oracle/implementation.h"
#include "conformance/sandbox/executor.h"
#include "conformance/sandbox/plugin_host.h"

namespace tandem::conformance {

// Other bits in the second run are a finding, or they are allowed, because it has another number of threads.
enum class OtherBits { kFound, kAllowed };

struct RunOptions {
  double timeout_seconds = 60;
  uint64_t free_layouts = 0;  // FreeLayouts(spec)
  int misalign = 0;           // number of elements
  // The child has these "NAME=VALUE" before the plugin's first call.
  std::vector<std::string> environment;
  // These are for the first and the second run. 0 is as many as the implementation likes.
  std::array<int, 2> threads = {0, 0};
  OtherBits other_bits = OtherBits::kFound;
  // This runs before the backward step of a backward problem.
  Interlude interlude = Interlude::kNone;
  // This runs during the second run; not with Offsets::kWide.
  Company company = Company::kAlone;
  // A forward problem whose states can be handed on (HandsStatesOn) is executed this often in the same buffers, each time on
  // the states of the execution before. RunIsolated then returns the last execution's first states and outputs.
  int executions = 1;
  // This receives the outputs of the second run, if the status is kOk; RunIsolated returns those of the first.
  TensorSet* second_outputs = nullptr;
  // The execution runs here, in an executor for the same plugin and environment. Null: a process for this execution alone.
  Executor* executor = nullptr;
};

struct ExecutionReport {
  RunStatus status = RunStatus::kOk;
  // The verdict is kPass, kNotSupported, kFail, kNondeterministic, kTimeout or kCrash.
  Outcome outcome;
  Finding finding = Finding::kNone;  // kNone for a refusal, too
  std::string message;               // why it is not kPass
  int64_t heap_bytes = 0;            // the worker's heap after the run
};

// `tensors` holds the inputs and receives the outputs of the first run (and, for a backward problem, dst_layer,
// dst_iter and dst_iter_c of the forward_training run before it). They are unchanged unless the status is kOk.
ExecutionReport RunIsolated(const Plugin& plugin, const RnnProblem& problem, const RunOptions& options,
                            TensorSet* tensors);

// Asks only supports(): kNotSupported with the reason, or kOk. `executor` may be that of earlier questions.
ExecutionReport AskIsolated(const Plugin& plugin, const RnnProblem& problem, uint64_t free_layouts, Executor* executor);

// Returns RunIsolated in the form in which the checks call it. If `worst` is given, it keeps the worst report of all calls.
Implementation AsImplementation(const Plugin& plugin, const RunOptions& options, ExecutionReport* worst = nullptr);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_RUNNER_H_
