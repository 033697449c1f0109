#include "conformance/adapters/builtin_plugins.h"

#include <stdexcept>

#include "conformance/faulty/faulty.h"
#include "conformance/host/runfiles.h"

// The entries of the adapter over our own library (dnnl_adapter.cc).
extern "C" const tandem_plugin* tandem_reference_plugin(uint32_t host_abi);
extern "C" const tandem_plugin* tandem_optimized_plugin(uint32_t host_abi);

namespace tandem::conformance {

Plugin LoadPlugin(const std::string& word) {
  if (word == "reference") return MakePlugin(tandem_reference_plugin, word);
  if (word == "optimized") return MakePlugin(tandem_optimized_plugin, word);
  if (word == "onednn") return LoadPluginFile(RunfilePath("conformance/adapters/onednn_plugin.so"));
  if (word.compare(0, 7, "mutant:") == 0) return LoadMutant(word);
  if (word.find('/') != std::string::npos) return LoadPluginFile(word);
  throw std::runtime_error("there is no implementation \"" + word +
                           "\"; valid are reference, optimized, onednn, mutant:NAME and the path of "
                           "a plugin (with a slash in it)");
}

}  // namespace tandem::conformance
