// Loads a plugin and asks it for its description.
#ifndef TANDEM_CONFORMANCE_SANDBOX_WORKER_LOAD_H_
#define TANDEM_CONFORMANCE_SANDBOX_WORKER_LOAD_H_

#include <string>

#include "conformance/plugin.h"
#include "conformance/sandbox/messages/task.h"

namespace tandem::conformance {

struct LoadedPlugin {
  const tandem_plugin* functions = nullptr;
  void* library = nullptr;  // of dlopen
  bool serves_gate_functions = false;
  int known_tensors = 0;  // a problem that has others is none for it
};

// `word` is the path of a shared library that exports tandem_get_plugin, "compose:" and such a path, or "pipe:" and a command.
// Fills *report. Returns false if there is no plugin.
bool Load(const std::string& word, LoadedPlugin* plugin, DescriptionReport* report);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_WORKER_LOAD_H_
