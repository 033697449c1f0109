// Everything that the reference reads and gives in one training pass, step by step, in exact arithmetic.
#ifndef TANDEM_REFERENCE_TEACHING_TESTS_RECORDING_H_
#define TANDEM_REFERENCE_TEACHING_TESTS_RECORDING_H_

#include <utility>
#include <vector>

#include "reference/numerics/numerics.h"
#include "reference/stack/stack_diff_io.h"
#include "reference/tests/random_problem.h"

namespace tandem {
namespace reference {

using Plain = ExactNumerics<double>;

struct RecordedStep {
  StepIndex index;
  CellInput<Plain> in;
  CellResult<Plain> out;
  CellDiffInput<Plain> diff;
  CellDiffResult<Plain> result;
};

struct Recording {
  RnnProblem problem;
  StackInput<Plain> in;
  StackOutput<Plain> out;
  StackDiffInput<Plain> diff_in;
  StackDiffOutput<Plain> diff_out;
  std::vector<CellParameters<Plain>> parameters;     // [(l, d)]
  std::vector<ParameterGradients<Plain>> gradients;  // [(l, d)]
  std::vector<std::vector<RecordedStep>> steps;      // [(l, d)][step], in the order of computation
  std::string description;

  const RecordedStep& At(Dim layer, Dim dir, Dim step) const { return steps[in.shape.At(layer, dir)][step]; }
};

namespace recording_internal {

struct ForwardHook : NoHook {
  explicit ForwardHook(Recording* r) : recording(r) {}
  void AfterStep(const StepIndex& index, const CellInput<Plain>& in, CellResult<Plain>* out) {
    RecordedStep step;
    step.index = index;
    step.in = in;
    step.out = *out;
    recording->steps[recording->in.shape.At(index.layer, index.dir)].push_back(std::move(step));
  }
  Recording* recording;
};

struct BackwardHook {
  explicit BackwardHook(Recording* r) : recording(r) {}
  RecordedStep& At(const StepIndex& index) {
    const StackShape& shape = recording->in.shape;
    return recording->steps[shape.At(index.layer, index.dir)][shape.Walk(index.dir).Step(index.time)];
  }
  void BeforeStep(const StepIndex& index, const SavedStep<Plain>&, CellDiffInput<Plain>* diff) {
    At(index).diff = *diff;
  }
  void AfterStep(const StepIndex& index, CellDiffResult<Plain>* result) { At(index).result = *result; }
  Recording* recording;
};

}  // namespace recording_internal

// `test` is a backward problem.
inline Recording Record(TestCase* test, const std::string& description) {
  const Plain num;
  const RnnBuffers buffers = test->Buffers();
  const BoundProblem bound = {test->problem, buffers};
  Recording recording;
  recording.description = description;
  recording.problem = test->problem;
  recording.in = LoadStackInput(num, bound);
  const StackShape& shape = recording.in.shape;
  recording.steps.resize(shape.NumStacks());
  recording.gradients.resize(shape.NumStacks());
  for (Dim layer = 0; layer < shape.n_layer; ++layer) {
    for (Dim dir = 0; dir < shape.n_dir; ++dir) recording.parameters.push_back(recording.in.parameters(layer, dir));
  }
  recording_internal::ForwardHook forward(&recording);
  recording.out = RunStack(num, recording.in, &forward);
  recording.diff_in = LoadStackDiffInput(num, bound);
  recording_internal::BackwardHook backward(&recording);
  recording.diff_in.saved = [&](const StepIndex& index) -> SavedStep<Plain> {
    const RecordedStep& step = backward.At(index);
    return {step.in, step.out};
  };
  recording.diff_in.weights_sink = [&](Dim layer, Dim dir, const ParameterGradients<Plain>& grad) {
    recording.gradients[shape.At(layer, dir)] = grad;
  };
  recording.diff_out = RunStackBackward(num, recording.diff_in, &backward);
  return recording;
}

// Every variant of a cell in every direction, AUGRU in both readings, each `count` times; and once with functions of gates,
// with masks, and with norms.
inline std::vector<Recording> RecordAll(uint32_t count) {
  std::vector<Recording> recordings;
  ForEachRandomCase(Propagation::kBackward, DataType::kF32, count, [&](TestCase* test, const std::string& description) {
    recordings.push_back(Record(test, description));
    if (!HasAttention(test->problem.cell)) return;
    test->problem.attr.reading = Reading::kOnednn;
    recordings.push_back(Record(test, description + ", reading onednn"));
  });
  ForEachRandomCase(
      Propagation::kBackward, DataType::kF32, 1,
      [&](TestCase* test, const std::string& description) { recordings.push_back(Record(test, description)); },
      GateVariants());
  ForEachRandomCase(Propagation::kBackward, DataType::kF32, 1, [&](TestCase* test, const std::string& description) {
    // An even number: rows without a step at some time have no equations.
    TestCase masked = WithMasks(*test, 2 * static_cast<uint32_t>(recordings.size()));
    recordings.push_back(Record(&masked, description + ", masks"));
  });
  ForEachRandomCase(
      Propagation::kBackward, DataType::kF32, 1,
      [&](TestCase* test, const std::string& description) { recordings.push_back(Record(test, description)); },
      NormalizedVariants());
  return recordings;
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_TEACHING_TESTS_RECORDING_H_
