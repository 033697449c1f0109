#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>

#include "api/core/error.h"
#include "conformance/cli/arguments.h"
#include "conformance/cli/cli.h"
#include "conformance/cli/progress.h"
#include "conformance/cli/runs/memory_budget.h"
#include "conformance/cli/terminal.h"
#include "conformance/faulty/mutants/dependence.h"
#include "conformance/faulty/mutants/diagnose.h"
#include "conformance/judge/check.h"
#include "conformance/plugins/builtin_plugins.h"
#include "conformance/problem/generator.h"
#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {
namespace {

struct Found {
  std::string failure;  // why the implementation does not run it
  std::vector<Diagnosis> causes;
  bool explained() const { return !causes.empty() && causes[0].agreement == 1; }
  bool conforms() const { return explained() && causes[0].explanation == "conforms"; }
};

Found DiagnoseOn(const Plugin& plugin, const ProblemSpec& spec) {
  const RnnProblem problem = ToRnnProblem(spec);
  TensorSet inputs(problem);
  FillInputs(spec, problem, &inputs);
  TensorSet outputs = inputs;
  const ExecutionReport execution = RunIsolated(plugin, problem, OptionsOfRun(spec, CheckOptions()), &outputs);
  if (execution.status != RunStatus::kOk) return {execution.message, {}};
  return {"", Diagnose(problem, inputs, outputs, plugin.declared)};
}

// Several causes explain every element: larger problems may tell them apart.
void Separate(const Plugin& plugin, const ProblemSpec& spec, std::vector<Diagnosis>* causes) {
  const std::vector<ProblemSpec> problems = LargerProblems(spec);
  size_t tried = 0;
  ProgressLine line("comparing");
  for (const ProblemSpec& larger : problems) {
    if (causes->size() < 2) return;
    line.ShowStep(tried++, problems.size(), "larger problems");
    const Found found = DiagnoseOn(plugin, larger);
    const std::vector<Diagnosis> common = Common(*causes, found.causes);
    if (common.empty() || common.size() == causes->size()) continue;
    line.Hide();
    Printf(stdout, "%zu causes explain it alike, %zu of them also this larger problem: %s\n", causes->size(),
           common.size(), PrintProblem(larger).c_str());
    *causes = common;
  }
}

bool ConformsOn(const Plugin& plugin, const ProblemSpec& spec, int threads) {
  CheckOptions options = WithoutExperiments();
  options.threads = threads;
  try {
    return CheckProblem(plugin, spec, options).outcome.ok();
  } catch (const Error&) {
    return false;  // the problem is not valid
  }
}

// Returns the sentence that says on what the failure depends.
std::string Dependence(const Plugin& plugin, const ProblemSpec& spec) {
  constexpr size_t kAbout = 45;
  size_t tried = 0;
  ProgressLine line("comparing");
  return DependsOn(spec, [&](const ProblemSpec& other, int threads) {
    line.ShowStep(std::min(tried++, kAbout), kAbout, "sizes");
    return ConformsOn(plugin, other, threads);
  });
}

struct DiagnoseWords {
  std::string implementation = "optimized";
  MemoryBudget memory;
};

int RunDiagnose(const DiagnoseWords& words, const std::vector<std::string>& problem_words) {
  const ProblemReader reader = ReadProblems(problem_words);
  if (reader.problems().size() != 1) throw UsageError("diagnose takes exactly one problem");
  ProblemSpec spec = reader.problems()[0];
  ResolveDims(&spec);
  words.memory.Check({spec});
  const Plugin plugin = LoadPlugin(words.implementation);
  Found found = DiagnoseOn(plugin, spec);
  if (!found.failure.empty()) {
    Printf(stdout, "%s does not run it: %s\n", words.implementation.c_str(), found.failure.c_str());
    return kExitFails;
  }
  Printf(stdout, "# %s\n", PrintProblem(spec).c_str());
  // A cause that explains only a part of the elements would mislead.
  if (!found.explained()) {
    Printf(stdout, "no known mistake, and no two of them, explain it\n%s\n", Dependence(plugin, spec).c_str());
    return kExitFails;
  }
  Separate(plugin, spec, &found.causes);
  for (const Diagnosis& d : found.causes) {
    Printf(stdout, "%6.2f %%  %s%s\n", 100 * d.agreement, d.explanation.c_str(),
           d.certified ? "" : "  (compared with an implementation that has this bug)");
  }
  return found.conforms() ? kExitConforms : kExitFails;
}

}  // namespace

Command AddDiagnoseCommand(CLI::App* app) {
  auto words = std::make_shared<DiagnoseWords>();
  words->memory.AddOption(app);
  app->add_option("--impl", words->implementation, "the implementation whose output is to be explained");
  AddColours(app);
  app->footer("PROBLEM: as for check. Exit code 0 if the output conforms.");
  app->allow_extras();
  return [app, words] { return RunDiagnose(*words, app->remaining()); };
}

}  // namespace tandem::conformance
