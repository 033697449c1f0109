// The host's side of plugin.h: loads an implementation, and states a problem as plugin.h does.
#ifndef TANDEM_CONFORMANCE_HOST_PLUGIN_HOST_H_
#define TANDEM_CONFORMANCE_HOST_PLUGIN_HOST_H_

#include <stdexcept>
#include <string>
#include <vector>

#include "conformance/host/finding.h"
#include "conformance/oracle/profile.h"
#include "conformance/plugin.h"
#include "conformance/problem/problem_spec.h"

namespace tandem::conformance {

enum class TableClaim { kWhole, kPartial };

// The implementation crashed or hung before it was given a problem: in its constructors, on loading, or in describe().
class PluginFailure : public std::runtime_error {
 public:
  PluginFailure(Finding finding, const std::string& message) : std::runtime_error(message), finding_(finding) {}
  Finding finding() const { return finding_; }

 private:
  Finding finding_;
};

struct Plugin {
  const tandem_plugin* functions = nullptr;
  void* library = nullptr;  // of dlopen; null if it is part of this program
  std::string word;         // as --impl names it
  std::string name, version;
  std::string cpu_isa;  // the instruction set it uses on this machine; empty: not said
  TableClaim claim = TableClaim::kPartial;
  int readings = 1;
  bool claims_thread_determinism = false, claims_batch_invariance = false;
  Profile profile;

  bool Follows(Reading reading) const { return (readings >> static_cast<int>(reading)) & 1; }
};

// A plugin from its functions or its entry point. Throws std::runtime_error if it does not speak this ABI.
Plugin MakePlugin(const tandem_plugin* functions, const std::string& origin);
Plugin MakePlugin(tandem_get_plugin_function entry, const std::string& origin);
// A shared library that exports tandem_get_plugin. It is first loaded and described in a child process: throws
// PluginFailure if that crashes or hangs, std::runtime_error if the file is no plugin.
Plugin LoadPluginFile(const std::string& path);

// Tensors whose layout the notation leaves open ("any"), as 1 << Tensor.
unsigned FreeLayouts(const ProblemSpec& spec);

// `problem` as plugin.h states it, without data. Points into `problem`'s attributes.
tandem_problem ToPluginProblem(const RnnProblem& problem, unsigned free_layouts);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_HOST_PLUGIN_HOST_H_
