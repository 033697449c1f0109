// The host's side of plugin.h: loading an implementation, and stating a problem in its words.
#ifndef TANDEM_CONFORMANCE_HOST_PLUGIN_HOST_H_
#define TANDEM_CONFORMANCE_HOST_PLUGIN_HOST_H_

#include <stdexcept>
#include <string>
#include <vector>

#include "conformance/judgement/verdict.h"
#include "conformance/oracle/profile.h"
#include "conformance/plugin.h"
#include "conformance/problem/problem_spec.h"

namespace tandem::conformance {

enum class TableClaim { kWhole, kPartial };

// The implementation came to grief before it was given a problem: in its constructors, on loading, or in describe().
class PluginFailure : public std::runtime_error {
 public:
  PluginFailure(Verdict verdict, const std::string& message) : std::runtime_error(message), verdict_(verdict) {}
  Verdict verdict() const { return verdict_; }

 private:
  Verdict verdict_;
};

struct Plugin {
  const tandem_plugin* functions = nullptr;
  void* library = nullptr;  // of dlopen; null if it is part of this program
  std::string word;         // as --impl names it
  std::string name, version;
  TableClaim claim = TableClaim::kPartial;
  int readings = 1;
  bool claims_thread_determinism = false, claims_batch_invariance = false;
  Profile profile;

  bool Follows(Reading reading) const { return (readings >> static_cast<int>(reading)) & 1; }
};

// A plugin from its functions or its entry point. Throws std::runtime_error if it does not speak this ABI.
Plugin MakePlugin(const tandem_plugin* functions, const std::string& origin);
Plugin MakePlugin(tandem_get_plugin_function entry, const std::string& origin);
// A shared library that exports tandem_get_plugin. Loads and describes it in a child process first: throws
// PluginFailure if that does not come back, std::runtime_error if the file is no plugin.
Plugin LoadPluginFile(const std::string& path);

// Tensors whose layout the notation leaves open ("any"), as 1 << Tensor.
unsigned FreeLayouts(const ProblemSpec& spec);

// `problem` in the plugin's words, without data. Points into `problem`'s attributes.
tandem_problem ToPluginProblem(const RnnProblem& problem, unsigned free_layouts);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_HOST_PLUGIN_HOST_H_
