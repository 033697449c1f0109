#include "conformance/plugins/builtin_plugins.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <stdexcept>

#include "conformance/faulty/faulty.h"
#include "conformance/sandbox/runfiles.h"

namespace tandem::conformance {
namespace {

// The build makes or links these libraries.
constexpr const char* kLinked[] = {"reference", "optimized", "streams", "onednn"};

// Libraries of other languages run over a pipe.
constexpr char kPython[] = "\"${TANDEM_PYTHON:-/usr/bin/python3}\" -B";  // Debian's has Debian's packages
struct Script {
  const char *word, *program, *file, *argument;
};
constexpr Script kScripts[] = {
    {"torch", kPython, "torch_adapter.py", ""},
    {"torch-bf16", kPython, "torch_adapter.py", " bf16"},
    {"onnxruntime", "node", "onnxruntime_adapter.mjs", ""},
    {"tfjs", "node", "others/tfjs_adapter.mjs", ""},
    {"armnn", kPython, "others/armnn_adapter.py", ""},
    {"opencv", kPython, "others/opencv_adapter.py", ""},
};

struct Ended {
  bool well;
  std::string said;
};

// Runs a command of the shell, without an input. Returns how it ends, and all that it prints.
Ended RunInShell(const std::string& command) {
  FILE* const output = popen((command + " 2>&1 </dev/null").c_str(), "r");
  if (output == nullptr) throw std::runtime_error("cannot start a shell: " + command);
  Ended ended = {};
  for (int c; (c = std::fgetc(output)) != EOF;) ended.said += static_cast<char>(c);
  ended.well = pclose(output) == 0;
  return ended;
}

// Returns the text as a word of the shell.
std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

Plugin LoadScript(const Script& script, double timeout_seconds) {
  const std::string file = RunfilePath(std::string("conformance/plugins/") + script.file);
  const std::string command = script.program + (" " + Quoted(file)) + script.argument;
  // A script ends with its stdin. It fails if its library is not installed, and says how to install it.
  const Ended ended = RunInShell(command);
  if (!ended.well) {
    throw std::runtime_error(std::string("the implementation \"") + script.word + "\" does not start: " + ended.said);
  }
  return LoadPluginFile(kPipePrefix + command, timeout_seconds);
}

// Loads the adapter, compiled for the library at `path`.
Plugin LoadCompiled(const std::string& path, double timeout_seconds) {
  if (path.empty()) throw std::runtime_error("--impl=onednn: has no path: type --impl=onednn:PATH, or --impl=onednn");
  const Ended ended =
      RunInShell("/bin/sh " + Quoted(RunfilePath("conformance/plugins/compile_adapter.sh")) + " " + Quoted(path));
  const std::string said = ended.said.substr(0, ended.said.find_last_not_of('\n') + 1);
  if (!ended.well) throw std::runtime_error("--impl=" + (kCompiledPrefix + path) + ": " + said);
  return LoadPluginFile(said, timeout_seconds);
}

bool IsLinked(const std::string& word) { return std::count(std::begin(kLinked), std::end(kLinked), word) > 0; }

std::string LinkedFile(const std::string& word) { return RunfilePath("conformance/plugins/" + word + "_plugin.so"); }

Plugin LoadLinked(const std::string& word, double timeout_seconds) {
  try {
    return LoadPluginFile(LinkedFile(word), timeout_seconds);
  } catch (const std::runtime_error& error) {
    if (word != "onednn") throw;
    throw std::runtime_error(std::string(error.what()) +
                             "; --impl=onednn is oneDNN 2 from the system (libdnnl2 of Debian 12); "
                             "another one needs its folder, for example --impl=onednn:/usr");
  }
}

Plugin LoadComposed(const std::string& part, double timeout_seconds) {
  if (!IsLinked(part) && part.find('/') == std::string::npos) {
    throw std::runtime_error(
        "--impl=compose: needs the path of a plugin, with a slash in it: --impl=compose:./vendor.so");
  }
  return LoadPluginFile(kComposePrefix + (IsLinked(part) ? LinkedFile(part) : part), timeout_seconds);
}

// Returns the words that name one implementation each, without mutants, commands and paths.
std::string BuiltinWords() {
  std::string words;
  for (const char* linked : kLinked) words += std::string(linked) + ", ";
  for (const Script& script : kScripts) words += std::string(script.word) + ", ";
  return words;
}

}  // namespace

Plugin LoadPlugin(const std::string& word, double timeout_seconds) {
  if (IsLinked(word)) return LoadLinked(word, timeout_seconds);
  const size_t compose = sizeof kComposePrefix - 1;
  if (word.compare(0, compose, kComposePrefix) == 0) return LoadComposed(word.substr(compose), timeout_seconds);
  const size_t compiled = sizeof kCompiledPrefix - 1;
  if (word.compare(0, compiled, kCompiledPrefix) == 0) return LoadCompiled(word.substr(compiled), timeout_seconds);
  for (const Script& script : kScripts) {
    if (word == script.word) return LoadScript(script, timeout_seconds);
  }
  if (word.compare(0, 7, "mutant:") == 0) return LoadMutant(word);
  if (word.compare(0, 9, "exercise:") == 0) return LoadExercise(word);
  if (word == kPipePrefix) throw std::runtime_error("--impl=pipe: has no command: type --impl=\"pipe:COMMAND\"");
  if (word.compare(0, sizeof kPipePrefix - 1, kPipePrefix) == 0) return LoadPluginFile(word, timeout_seconds);
  if (word.find('/') != std::string::npos) return LoadPluginFile(word, timeout_seconds);
  throw std::runtime_error("there is no implementation \"" + word + "\"; valid are " + BuiltinWords() +
                           "onednn:PATH, mutant:NAME, exercise:NUMBER, pipe:COMMAND, compose:PATH and the path of a "
                           "plugin (with a slash in it)");
}

}  // namespace tandem::conformance
