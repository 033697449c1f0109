// The host's side of plugin.h: loading an implementation, and stating a problem in its words.
#ifndef TANDEM_CONFORMANCE_PLUGIN_HOST_H_
#define TANDEM_CONFORMANCE_PLUGIN_HOST_H_

#include <string>
#include <vector>

#include "conformance/oracle.h"
#include "conformance/plugin.h"
#include "conformance/problem_spec.h"

namespace tandem::conformance {

enum class TableClaim { kWhole, kPartial };

struct Plugin {
  const tandem_plugin* functions = nullptr;
  std::string word;  // as --impl names it
  std::string name, version;
  TableClaim claim = TableClaim::kPartial;
  int readings = 1;
  Profile profile;

  bool Follows(Reading reading) const { return (readings >> static_cast<int>(reading)) & 1; }
};

// A plugin from its entry point. Throws std::runtime_error if it does not speak this ABI.
Plugin MakePlugin(tandem_get_plugin_function entry, const std::string& origin);
// A shared library that exports tandem_get_plugin. Throws std::runtime_error.
Plugin LoadPluginFile(const std::string& path);

// Tensors whose layout the notation leaves open ("any"), as 1 << Tensor.
unsigned FreeLayouts(const ProblemSpec& spec);

// `problem` in the plugin's words, without data. Points into `problem`'s attributes.
tandem_problem ToPluginProblem(const RnnProblem& problem, unsigned free_layouts);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PLUGIN_HOST_H_
