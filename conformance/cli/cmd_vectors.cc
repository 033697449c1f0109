#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "conformance/cli/cli.h"
#include "conformance/cli/runs/memory_budget.h"
#include "conformance/cli/terminal.h"
#include "conformance/plugins/builtin_plugins.h"
#include "conformance/sandbox/runner.h"
#include "conformance/vectors/vectors.h"

namespace tandem::conformance {
namespace {

struct VectorsWords {
  std::string directory = "vectors";
  std::string inputs;
  std::string outputs;
  std::string implementation;
  std::vector<std::string> only;
  MemoryBudget memory;
};

std::vector<GoldenCase> CasesToExport(const VectorsWords& words, const std::vector<std::string>& problem_words) {
  if (problem_words.empty()) {
    if (!words.inputs.empty()) throw UsageError("--inputs needs the problem that its tensors belong to");
    return GoldenCases();
  }
  const std::vector<ProblemSpec> problems = ReadProblems(problem_words).problems();
  if (problems.empty()) throw UsageError("options but no problem: a descriptor such as l1t3mb2sic16 must follow");
  if (!words.inputs.empty() && problems.size() != 1) throw UsageError("--inputs goes with exactly one problem");
  words.memory.Check(problems);
  return CasesOf(problems);
}

int RunExport(const VectorsWords& words, const std::vector<std::string>& problem_words) {
  const std::vector<GoldenCase> cases = CasesToExport(words, problem_words);
  ExportVectors(cases, words.directory, words.inputs);
  Printf(stdout, "%zu %s in %s/\n", cases.size(), cases.size() == 1 ? "case is" : "cases are", words.directory.c_str());
  return kExitConforms;
}

// Writes the outputs of a linked implementation as another tool would. It is an example of the format, and a test of verify.
int RunAnswer(const VectorsWords& words) {
  const Plugin plugin = LoadPlugin(words.implementation);
  Executor executor(plugin, {});
  RunOptions run;
  run.executor = &executor;
  std::error_code error;  // a folder that cannot be made cannot be written to either
  std::filesystem::create_directories(words.outputs, error);
  int written = 0;
  for (const GoldenCase& golden : Chosen(ReadCases(words.directory), words.only)) {
    StoredVector vector = ReadVector(golden, words.directory);
    if (!plugin.Follows(vector.problem.attr.reading)) continue;
    const ExecutionReport report = RunIsolated(plugin, vector.problem, run, &vector.inputs);
    if (report.status != RunStatus::kOk) continue;
    NamedTensors outputs;
    for (Tensor t : Outputs(vector.problem)) outputs[ToString(t)] = vector.inputs[t];
    WriteSafetensors(words.outputs + "/" + golden.name + ".safetensors", outputs);
    ++written;
  }
  Printf(stdout, "%d cases answered by %s are in %s/\n", written, plugin.name.c_str(), words.outputs.c_str());
  return kExitConforms;
}

int RunVerify(const VectorsWords& words) {
  const VectorsSummary summary = VerifyVectors(words.directory, words.outputs, words.only);
  for (const std::string& complaint : summary.complaints) Printf(stdout, "FAIL %s\n", complaint.c_str());
  Printf(stdout, "%d of %d cases pass, %zu fail, %d have no output\n", summary.passed, summary.cases,
         summary.complaints.size(), summary.missing);
  return summary.complaints.empty() && summary.missing == 0 && summary.passed > 0 ? kExitConforms : kExitFails;
}

}  // namespace

Command AddVectorsCommand(CLI::App* app) {
  auto words = std::make_shared<VectorsWords>();
  app->require_subcommand(1);
  CLI::App* write = app->add_subcommand("export", "write inputs and accepted intervals");
  CLI::App* answer = app->add_subcommand("answer", "let an implementation write outputs as another tool would");
  CLI::App* verify = app->add_subcommand("verify", "judge another tool's outputs");
  write->add_option("--inputs", words->inputs,
                    "safetensors file with tensors by name (src_layer, weights_iter, ...) for one PROBLEM");
  words->memory.AddOption(write);
  write->footer("PROBLEM: as for check. Without one, the cases that show every kind of mistake.");
  write->allow_extras();
  answer->add_option("--impl", words->implementation, "as for check")->required();
  for (CLI::App* command : {write, answer, verify}) {
    command->add_option("--dir", words->directory, "where the vectors are (vectors)");
  }
  for (CLI::App* command : {answer, verify}) {
    command->add_option("--outputs", words->outputs, "a directory with NAME.safetensors for each case")->required();
    command->add_option("--only", words->only, "cases with one of these words in their name, or as a flag")
        ->delimiter(',');
  }
  return [=] {
    if (write->parsed()) return RunExport(*words, write->remaining());
    return answer->parsed() ? RunAnswer(*words) : RunVerify(*words);
  };
}

}  // namespace tandem::conformance
