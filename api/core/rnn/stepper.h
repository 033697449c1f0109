// Recurrence one step at a time. A stepper keeps the states of a few rows between its steps, so that a step costs what its
// arithmetic needs. `reference` and `optimized` each export CreateStepper; api/library/streams gives steppers to clients.
#ifndef TANDEM_API_CORE_RNN_STEPPER_H_
#define TANDEM_API_CORE_RNN_STEPPER_H_

#include <array>
#include <memory>
#include <string>

#include "api/core/rnn/rnn_problem.h"

namespace tandem {

// The rows of one step. Their inputs and outputs lie one behind another, in the types of the problem's tensors.
struct SteppedRows {
  Dim count = 1;
  const Dim* rows = nullptr;              // whose states: `count` different ones; null: the first ones
  const void* src_layer = nullptr;        // [count][slc]
  const void* augru_attention = nullptr;  // [count]; null for cells without attention
  void* dst_layer = nullptr;              // [count][dic]
};

// One thread at a time. `optimized` throws nothing and allocates nothing after construction.
class Stepper {
 public:
  virtual ~Stepper() = default;
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;

  // The problem of OneStepOf().
  const RnnProblem& problem() const { return problem_; }

  virtual void Step(const SteppedRows& rows) = 0;
  // `steps` steps of the first row: src_layer has [steps][slc], dst_layer [steps][dic].
  virtual void Run(Dim steps, const SteppedRows& row) = 0;

  // The states of a row: h has [n_layer][dic], c has [n_layer][dhc] where the cell has one. Bytes become the numbers that they
  // stand for.
  virtual void Save(Dim row, float* h, float* c) const = 0;
  // Null stands for zeros.
  virtual void Load(Dim row, const float* h, const float* c) = 0;

  // The place of step `step` in the inputs and outputs of Run().
  SteppedRows RowsOf(Dim step, const SteppedRows& all) const;

 protected:
  explicit Stepper(const RnnProblem& problem) : problem_(problem) {}

  const RnnProblem problem_;
};

// The problem that a stepper of `rows` rows serves: one time step, dense src_layer, augru_attention, dst_layer and states; h in f32.
// Throws invalid_arguments unless `problem` is a forward inference from left to right without sequence lengths.
RnnProblem OneStepOf(const RnnProblem& problem, Dim rows);

// Weights, bias and peephole of a layer, with offset0 not yet added; null for absent ones. They outlive the stepper.
using StepWeights = std::array<const void*, kNumTensors>;

// `problem` is one of OneStepOf(), whose weights have the layouts of a plan of the same backend. All states are zeros at first.
using StepperFactory = std::unique_ptr<Stepper> (*)(const RnnProblem& problem, const StepWeights& weights);

}  // namespace tandem

#endif  // TANDEM_API_CORE_RNN_STEPPER_H_
