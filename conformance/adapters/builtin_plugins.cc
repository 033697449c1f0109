#include "conformance/adapters/builtin_plugins.h"

#include <stdexcept>

#include "conformance/faulty/faulty.h"
#include "conformance/host/runfiles.h"

namespace tandem::conformance {

Plugin LoadPlugin(const std::string& word) {
  if (word == "reference" || word == "optimized" || word == "onednn") {
    return LoadPluginFile(RunfilePath("conformance/adapters/" + word + "_plugin.so"));
  }
  if (word.compare(0, 7, "mutant:") == 0) return LoadMutant(word);
  if (word.compare(0, sizeof kPipePrefix - 1, kPipePrefix) == 0) return LoadPluginFile(word);
  if (word.find('/') != std::string::npos) return LoadPluginFile(word);
  throw std::runtime_error("there is no implementation \"" + word +
                           "\"; valid are reference, optimized, onednn, mutant:NAME, pipe:COMMAND "
                           "and the path of a plugin (with a slash in it)");
}

}  // namespace tandem::conformance
