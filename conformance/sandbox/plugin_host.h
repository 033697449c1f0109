// This is the host's side of plugin.h: it has an implementation loaded, and states a problem as plugin.h does.
#ifndef TANDEM_CONFORMANCE_SANDBOX_PLUGIN_HOST_H_
#define TANDEM_CONFORMANCE_SANDBOX_PLUGIN_HOST_H_

#include <memory>
#include <string>
#include <vector>

#include "conformance/oracle/declaration.h"
#include "conformance/problem/problem_spec.h"
#include "conformance/sandbox/worker.h"
#include "conformance/stated_problem.h"

namespace tandem::conformance {

enum class TableClaim { kWhole, kPartial };

// The plugin says whether two threads may call its functions at once.
enum class Calls { kFromManyThreads, kFromOneThread };

struct Plugin {
  std::shared_ptr<PluginProcesses> worker;  // the processes that load it
  std::vector<std::string> environment;     // "NAME=VALUE" for its processes
  Offsets offsets = Offsets::kAsGiven;
  std::string word;  // the word of --impl
  std::string name, version;
  std::string cpu_isa;  // the instruction set it uses on this machine; empty: not said
  TableClaim claim = TableClaim::kPartial;
  int readings = 1;
  Calls calls = Calls::kFromManyThreads;
  bool claims_thread_determinism = false, claims_batch_invariance = false;
  Declaration declared;

  bool Follows(Reading reading) const { return (readings >> static_cast<int>(reading)) & 1; }
};

// Loads a shared library that exports tandem_get_plugin. It is loaded and described in a process of its own: throws
// PluginFailure for failures there, std::runtime_error if the file cannot be loaded or exports no such function.
Plugin LoadPluginFile(const std::string& path, double timeout_seconds = 60);

// Returns the plugin on tensors whose outermost slices lie 2^31 elements apart (conformance/sandbox/worker/wide_offsets.h).
Plugin WithWideOffsets(const Plugin& plugin);

// Returns the tensors whose layout the notation leaves open ("any"), as 1 << Tensor.
uint64_t FreeLayouts(const ProblemSpec& spec);

// Returns `problem` as plugin.h states it, without data. The result points into `problem`'s attributes.
StatedProblem ToPluginProblem(const RnnProblem& problem, uint64_t free_layouts);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_PLUGIN_HOST_H_
