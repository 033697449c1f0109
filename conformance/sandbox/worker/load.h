// Loads a plugin and asks it for its description.
#ifndef TANDEM_CONFORMANCE_SANDBOX_WORKER_LOAD_H_
#define TANDEM_CONFORMANCE_SANDBOX_WORKER_LOAD_H_

#include <string>

#include "conformance/plugin.h"
#include "conformance/sandbox/messages/task.h"
#include "conformance/stated_problem.h"

namespace tandem::conformance {

// The parts of problems that a plugin knows.
struct Known {
  int tensors = 0;  // the first ones
  bool gate_functions = false;
};

struct LoadedPlugin {
  const tandem_plugin* functions = nullptr;
  void* library = nullptr;  // the handle of dlopen()
  Known knows;
};

// `word` is the path of a shared library that exports tandem_get_plugin, "compose:" and such a path, or "pipe:" and a command.
// Fills *report. Returns false if there is no plugin.
bool Load(const std::string& word, LoadedPlugin* plugin, DescriptionReport* report);

// Names a part of the problem that a plugin does not know; null if it knows all.
const char* LackOf(const Known& known, const StatedProblem& stated);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_WORKER_LOAD_H_
