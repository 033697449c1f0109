#include "conformance/faulty/faulty.h"

#include <iterator>
#include <stdexcept>
#include <vector>

#include "conformance/faulty/faulty_plugin.h"
#include "conformance/sandbox/runfiles.h"
#include "conformance/sandbox/runner.h"

namespace tandem::conformance {
namespace {

constexpr char kPrefix[] = "mutant:";
constexpr char kExercisePrefix[] = "exercise:";

// In the order of docs/exercises/find_the_bug_tasks.txt, from plain to hidden.
constexpr Mutation kExercises[] = {Mutation::kUpdateGateComplemented, Mutation::kPeepholeOldC,
                                   Mutation::kLbrBiasOutsideReset,    Mutation::kDstIterWrongEnd,
                                   Mutation::kCompensationLayerOnly,  Mutation::kGruOuterUsesH};

RunResult RunHere(const tandem_plugin* plugin, const RnnProblem& problem, std::vector<uint8_t>* workspace,
                  TensorSet* tensors) {
  StatedProblem p = ToPluginProblem(problem, 0);
  tandem_requirements needs = {};
  needs.size = sizeof needs;
  char message[256] = {};
  if (plugin->supports(plugin, p.get(), &needs, message, sizeof message) != tandem_ok) {
    return {RunStatus::kNotSupported, message};
  }
  for (int i = 0; i < kNumTensors; ++i) p.tensor[i].data = tensors->tensor[i].data();
  workspace->resize(needs.workspace_bytes);
  std::vector<uint8_t> scratchpad(needs.scratchpad_bytes);
  const tandem_plugin_memory memory = {sizeof memory,    0, workspace->data(), workspace->size(), scratchpad.data(),
                                       scratchpad.size()};
  if (plugin->run(plugin, p.get(), &memory, message, sizeof message) != tandem_ok) return {RunStatus::kError, message};
  return {};
}

}  // namespace

Plugin MutantPlugin(Mutation mutation) {
  // One worker for all of them: its copies are told which bug they have.
  static const Plugin any = LoadPluginFile(RunfilePath("conformance/faulty/mutant_plugin.so"));
  Plugin plugin = any;
  plugin.name = InfoOf(mutation).name;
  plugin.version = InfoOf(mutation).text;
  plugin.environment = {std::string("TANDEM_MUTANT=") + InfoOf(mutation).name};
  plugin.word = std::string(kPrefix) + InfoOf(mutation).name;
  return plugin;
}

Plugin LoadMutant(const std::string& word) {
  const MutationInfo* info = FindMutation(word.substr(sizeof kPrefix - 1).c_str());
  if (info == nullptr) {
    throw std::runtime_error("there is no \"" + word + "\"; ./tandem mutants --list prints the names");
  }
  return MutantPlugin(info->mutation);
}

Plugin LoadExercise(const std::string& word) {
  for (size_t i = 0; i < std::size(kExercises); ++i) {
    if (word != kExercisePrefix + std::to_string(i + 1)) continue;
    Plugin plugin = MutantPlugin(kExercises[i]);
    plugin.name = plugin.word = word;
    plugin.version = "one mistake";
    return plugin;
  }
  throw std::runtime_error("there is no \"" + word +
                           "\"; they are exercise:1 to exercise:" + std::to_string(std::size(kExercises)));
}

Implementation MakeFaulty(Mutation mutation) {
  return [mutation](const RnnProblem& problem, TensorSet* tensors) -> RunResult {
    const tandem_plugin* plugin = FaultyPlugin(mutation);
    std::vector<uint8_t> workspace;
    if (problem.IsBackward()) {
      const RunResult forward = RunHere(plugin, ForwardOf(problem), &workspace, tensors);
      if (forward.status != RunStatus::kOk) return forward;
    }
    return RunHere(plugin, problem, &workspace, tensors);
  };
}

}  // namespace tandem::conformance
