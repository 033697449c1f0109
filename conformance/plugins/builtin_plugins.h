// Tandem comes with these implementations, which have names.
#ifndef TANDEM_CONFORMANCE_PLUGINS_BUILTIN_PLUGINS_H_
#define TANDEM_CONFORMANCE_PLUGINS_BUILTIN_PLUGINS_H_

#include <string>

#include "conformance/sandbox/plugin_host.h"

namespace tandem::conformance {

// The path of a oneDNN, or of a library with its C++ API and headers, follows this prefix.
constexpr char kCompiledPrefix[] = "onednn:";

// `word` is "reference", "optimized", "onednn" (the system's), "onednn:" and the path of another one (compile_adapter.sh),
// "torch", "onnxruntime", "tfjs" (over a pipe), "mutant:NAME", "exercise:NUMBER" (faulty/faulty.h), "pipe:COMMAND", "compose:"
// and one of the linked ones or a path, or the path of a plugin. Throws std::runtime_error, naming the valid words. Throws
// PluginFailure if the plugin crashes, or takes more than timeout_seconds, while it is loaded and described.
Plugin LoadPlugin(const std::string& word, double timeout_seconds = 60);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PLUGINS_BUILTIN_PLUGINS_H_
