#include <algorithm>
#include <cstdio>
#include <memory>

#include "conformance/cli/cli.h"
#include "conformance/host/runner.h"
#include "conformance/problem/generator.h"
#include "reference/stack/trace.h"

namespace tandem::conformance {
namespace {

struct TraceWords {
  int64_t rows = 2;
  int64_t units = 8;
};

RnnBuffers PointTo(const RnnProblem& problem, TensorSet* tensors) {
  RnnBuffers buffers;
  for (int i = 0; i < kNumTensors; ++i) {
    if (problem.Has(static_cast<Tensor>(i))) buffers.tensor[i] = tensors->tensor[i].data();
  }
  return buffers;
}

void PrintValue(const reference::TracedValue& traced, const TraceWords& words) {
  const Dim rows = std::min<Dim>(traced.value.cols(), words.rows);
  const Dim units = std::min<Dim>(traced.value.rows(), words.units);
  for (Dim n = 0; n < rows; ++n) {
    const std::string id = "[" + traced.equation + "]";
    std::printf("l=%lld d=%lld t=%lld n=%lld  %-10s %-4s =", static_cast<long long>(traced.step.layer),
                static_cast<long long>(traced.step.dir), static_cast<long long>(traced.step.time),
                static_cast<long long>(n), id.c_str(), traced.name.c_str());
    for (Dim j = 0; j < units; ++j) std::printf(" %.9g", traced.value(j, n));
    std::printf("%s\n", units < traced.value.rows() ? " ..." : "");
  }
}

int RunTrace(const TraceWords& words, const std::vector<std::string>& problem_words) {
  const ProblemReader reader = ReadProblems(problem_words);
  if (reader.problems().size() != 1) throw UsageError("trace takes exactly one problem");
  ProblemSpec spec = reader.problems()[0];
  ResolveDims(&spec);
  RnnProblem problem = ToRnnProblem(spec);
  if (problem.IsBackward()) {
    std::printf("# the forward pass of a backward problem; its equations alone are traced\n");
    problem = ForwardOf(problem);
    Validate(&problem);
  }
  TensorSet tensors(problem);
  FillInputs(spec, problem, &tensors);
  std::printf("# %s\n# ids: docs/equations.md; first %lld rows of the batch, first %lld units\n",
              PrintProblem(spec).c_str(), static_cast<long long>(words.rows), static_cast<long long>(words.units));
  reference::TraceForward(problem, PointTo(problem, &tensors),
                          [&](const reference::TracedValue& traced) { PrintValue(traced, words); });
  return kExitConforms;
}

}  // namespace

Command AddTraceCommand(CLI::App* app) {
  auto words = std::make_shared<TraceWords>();
  app->add_option("--rows", words->rows, "rows of the batch to print")->check(CLI::PositiveNumber);
  app->add_option("--units", words->units, "channels to print")->check(CLI::PositiveNumber);
  app->footer("PROBLEM: as for check. The tensors hold what check would give them.");
  app->allow_extras();
  return [app, words] { return RunTrace(*words, app->remaining()); };
}

}  // namespace tandem::conformance
