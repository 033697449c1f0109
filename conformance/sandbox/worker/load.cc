#include "conformance/sandbox/worker/load.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "conformance/sandbox/pipe/command.h"
#include "conformance/sandbox/pipe/pipe_plugin.h"
#include "conformance/sandbox/worker/composed_plugin.h"

namespace tandem::conformance {
namespace {

// These are the sizes of the first plugins of this ABI. A member that a plugin does not have is 0.
constexpr uint32_t kFirstDescription = offsetof(tandem_description, tensor_count) + sizeof(int32_t);
constexpr int32_t kFirstTensors = 24;

void CheckFunctions(const tandem_plugin* functions) {
  if (functions == nullptr || functions->abi != TANDEM_PLUGIN_ABI || functions->size < sizeof(tandem_plugin)) {
    throw ProtocolError("it does not speak plugin ABI " + std::to_string(TANDEM_PLUGIN_ABI));
  }
  if (functions->describe == nullptr || functions->supports == nullptr || functions->run == nullptr) {
    throw ProtocolError("one of its functions is null");
  }
}

LoadedPlugin Open(const std::string& path) {
  LoadedPlugin plugin;
  if (path.compare(0, sizeof kComposePrefix - 1, kComposePrefix) == 0) {
    plugin = Open(path.substr(sizeof kComposePrefix - 1));
    plugin.functions = ComposedPlugin(plugin.functions);
    return plugin;
  }
  if (path.compare(0, sizeof kPipePrefix - 1, kPipePrefix) == 0) {
    plugin.functions = PipePlugin(path.substr(sizeof kPipePrefix - 1), WhenCommandEnds::kEndProcess);
    return plugin;
  }
  // The library is never closed: threads that it started may run until the process ends.
  plugin.library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (plugin.library == nullptr) throw std::runtime_error("cannot load implementation " + path + ": " + dlerror());
  const auto entry = reinterpret_cast<tandem_get_plugin_function>(dlsym(plugin.library, "tandem_get_plugin"));
  if (entry == nullptr) throw std::runtime_error(path + " exports no tandem_get_plugin");
  plugin.functions = entry(TANDEM_PLUGIN_ABI);
  CheckFunctions(plugin.functions);
  return plugin;
}

template <size_t size>
void Copy(const char* from, char (&to)[size]) {
  if (from != nullptr) std::snprintf(to, size, "%s", from);
}

void Describe(LoadedPlugin* plugin, DescriptionReport* report) {
  const tandem_plugin* functions = plugin->functions;
  const tandem_description* given = functions->describe(functions);
  if (given == nullptr || given->size < kFirstDescription) throw ProtocolError("it gives no description");
  if (given->name == nullptr || given->name[0] == '\0') throw ProtocolError("its description has no name");
  tandem_description* description = &report->description;
  std::memcpy(description, given, std::min<size_t>(given->size, sizeof *description));
  Copy(description->name, report->name);
  Copy(description->version, report->version);
  Copy(description->cpu_isa, report->cpu_isa);
  description->name = description->version = description->cpu_isa = nullptr;
  plugin->knows.gate_functions = description->serves_gate_functions != 0;
  plugin->knows.tensors = description->tensor_count > 0 ? description->tensor_count : kFirstTensors;
}

}  // namespace

const char* LackOf(const Known& known, const StatedProblem& stated) {
  for (int i = known.tensors; i < kNumTensors; ++i) {
    if (stated.tensor[i].ndims != 0) return ToString(static_cast<Tensor>(i));
  }
  return HasGateFunctions(stated.problem) && !known.gate_functions ? "functions of gates" : nullptr;
}

bool Load(const std::string& word, LoadedPlugin* plugin, DescriptionReport* report) {
  try {
    *plugin = Open(word);
    Describe(plugin, report);
    report->loaded = 1;
  } catch (const ProtocolError& error) {
    report->is_plugin = 1;
    Copy(error.what(), report->error);
  } catch (const CommandEnded& end) {
    const char* when = end.never_started() ? ", as a shell does that finds no program" : " before it described itself";
    const std::string first = end.first_line().empty() ? "" : "; its stdout begins with \"" + end.first_line() + "\"";
    Copy(("cannot start implementation " + word + ": " + end.what() + when + first).c_str(), report->error);
  } catch (const std::runtime_error& error) {
    Copy(error.what(), report->error);
  }
  return report->loaded != 0;
}

}  // namespace tandem::conformance
