#include <cstdio>
#include <memory>

#include "conformance/adapters/builtin_plugins.h"
#include "conformance/cli/cli.h"
#include "conformance/host/runner.h"
#include "conformance/vectors/vectors.h"

namespace tandem::conformance {
namespace {

struct VectorsWords {
  std::string directory = "vectors";
  std::string outputs;
  std::string implementation;
};

int RunExport(const VectorsWords& words) {
  const std::vector<GoldenCase> cases = GoldenCases();
  ExportVectors(cases, words.directory);
  std::printf("%zu cases are in %s/\n", cases.size(), words.directory.c_str());
  return kExitConforms;
}

// Writes the outputs of a linked implementation as another tool would: an example of the format, and a test of verify.
int RunAnswer(const VectorsWords& words) {
  const Plugin plugin = LoadPlugin(words.implementation);
  Executor executor(plugin, {});
  RunOptions run;
  run.executor = &executor;
  int written = 0;
  for (const GoldenCase& golden : GoldenCases()) {
    GoldenVector vector = MakeGoldenVector(golden.spec);
    if (!plugin.Follows(vector.problem.attr.reading)) continue;
    const ExecutionReport report = RunIsolated(plugin, vector.problem, run, &vector.inputs);
    if (report.status != RunStatus::kOk) continue;
    NamedTensors outputs;
    for (Tensor t : Outputs(vector.problem)) outputs[ToString(t)] = vector.inputs[t];
    WriteSafetensors(words.outputs + "/" + golden.name + ".safetensors", outputs);
    ++written;
  }
  std::printf("%d cases answered by %s are in %s/\n", written, plugin.name.c_str(), words.outputs.c_str());
  return kExitConforms;
}

int RunVerify(const VectorsWords& words) {
  const VectorsSummary summary = VerifyVectors(words.directory, words.outputs);
  for (const std::string& complaint : summary.complaints) std::printf("FAIL %s\n", complaint.c_str());
  std::printf("%d of %d cases pass, %zu fail, %d have no output\n", summary.passed, summary.cases,
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
  for (CLI::App* command : {write, verify}) {
    command->add_option("--dir", words->directory, "where the vectors are (vectors)");
  }
  answer->add_option("--impl", words->implementation, "as for check")->required();
  for (CLI::App* command : {answer, verify}) {
    command->add_option("--outputs", words->outputs, "a directory with NAME.safetensors for each case")->required();
  }
  return [=] { return write->parsed() ? RunExport(*words) : answer->parsed() ? RunAnswer(*words) : RunVerify(*words); };
}

}  // namespace tandem::conformance
