#include <cstdio>
#include <memory>

#include "conformance/adapters/builtin_plugins.h"
#include "conformance/campaign/check.h"
#include "conformance/cli/cli.h"
#include "conformance/mutants/diagnose.h"
#include "conformance/problem/generator.h"

namespace tandem::conformance {
namespace {

int RunDiagnose(const std::string& implementation, const std::vector<std::string>& problem_words) {
  const ProblemReader reader = ReadProblems(problem_words);
  if (reader.problems().size() != 1) throw UsageError("diagnose takes exactly one problem");
  ProblemSpec spec = reader.problems()[0];
  ResolveDims(&spec);
  const RnnProblem problem = ToRnnProblem(spec);
  TensorSet inputs(problem);
  FillInputs(spec, problem, &inputs);
  TensorSet outputs = inputs;
  const Plugin plugin = LoadPlugin(implementation);
  const ExecutionReport execution = RunIsolated(plugin, problem, OptionsOfRun(spec, CheckOptions()), &outputs);
  if (execution.status != RunStatus::kOk) {
    std::printf("%s does not run it: %s\n", implementation.c_str(), execution.message.c_str());
    return kExitFails;
  }
  const std::vector<Diagnosis> found = Diagnose(problem, inputs, outputs, plugin.profile);
  const bool explained = !found.empty() && found[0].agreement == 1;
  std::printf("# %s\n", PrintProblem(spec).c_str());
  if (!explained) std::printf("no known mistake explains every element; the nearest are\n");
  for (const Diagnosis& d : found) {
    std::printf("%6.2f %%  %s%s\n", 100 * d.agreement, d.explanation.c_str(),
                d.certified ? "" : "  (compared with an implementation that has this bug)");
  }
  return explained && found[0].explanation == "conforms" ? kExitConforms : kExitFails;
}

}  // namespace

Command AddDiagnoseCommand(CLI::App* app) {
  auto implementation = std::make_shared<std::string>("optimized");
  app->add_option("--impl", *implementation, "the implementation whose output is to be explained");
  app->footer("PROBLEM: as for check. Exit code 0 if the output conforms.");
  app->allow_extras();
  return [app, implementation] { return RunDiagnose(*implementation, app->remaining()); };
}

}  // namespace tandem::conformance
