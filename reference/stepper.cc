// Streams of the reference: a step of a row is an execution of one time step, whose dst_iter is the next one's src_iter.
#include <algorithm>
#include <vector>

#include "api/core/attributes/element.h"
#include "api/core/float_environment.h"
#include "reference/backend.h"

namespace tandem {
namespace reference {
namespace {

float LoadElement(const void* from, DataType type, size_t i) {
  return VisitElement(type, [&](auto element) -> float {
    using Element = decltype(element);
    return Element::Load(static_cast<const typename Element::Stored*>(from)[i]);
  });
}

void StoreElement(float value, DataType type, size_t i, void* to) {
  VisitElement(type, [&](auto element) {
    using Element = decltype(element);
    static_cast<typename Element::Stored*>(to)[i] = Element::Store(value);
  });
}

class ReferenceStepper final : public Stepper {
 public:
  ReferenceStepper(const RnnProblem& problem, const StepWeights& weights)
      : Stepper(problem),
        plan_(CreateRnn(OneStepOf(problem, 1), nullptr)),
        weights_(weights),
        states_(static_cast<size_t>(problem.mb)) {
    for (States& row : states_) {
      row.h.resize(HSize());
      row.c.resize(CSize());  // in f32 and in 16 bits alike, zeros are zero
    }
  }

  void Step(const SteppedRows& rows) override {
    for (Dim i = 0; i < rows.count; ++i) {
      Execute(RowsOf(i, rows), &states_[static_cast<size_t>(rows.rows == nullptr ? i : rows.rows[i])]);
    }
  }

  void Run(Dim steps, const SteppedRows& row) override {
    for (Dim step = 0; step < steps; ++step) Execute(RowsOf(step, row), &states_[0]);
  }

  void Save(Dim row, float* h, float* c) const override {
    const States& states = states_[static_cast<size_t>(row)];
    std::copy(states.h.begin(), states.h.end(), h);
    for (size_t i = 0; i < CSize(); ++i) c[i] = LoadElement(states.c.data(), CellStateType(problem_), i);
  }

  void Load(Dim row, const float* h, const float* c) override {
    States& states = states_[static_cast<size_t>(row)];
    for (size_t i = 0; i < HSize(); ++i) states.h[i] = h == nullptr ? 0.f : h[i];
    for (size_t i = 0; i < CSize(); ++i) {
      StoreElement(c == nullptr ? 0.f : c[i], CellStateType(problem_), i, states.c.data());
    }
  }

 private:
  struct States {
    std::vector<float> h;
    std::vector<float> c;  // memory for elements of any floating type
  };

  size_t HSize() const { return static_cast<size_t>(problem_.n_layer * problem_.dic); }
  size_t CSize() const {
    return HasCellState(problem_.cell) ? static_cast<size_t>(problem_.n_layer * problem_.dhc) : 0;
  }

  void Execute(const SteppedRows& row, States* states) const {
    RnnBuffers buffers;
    for (size_t i = 0; i < weights_.size(); ++i) buffers.tensor[i] = const_cast<void*>(weights_[i]);
    buffers.tensor[kSrcLayer] = const_cast<void*>(row.src_layer);
    buffers.tensor[kAugruAttention] = const_cast<void*>(row.augru_attention);
    buffers.tensor[kDstLayer] = row.dst_layer;
    buffers.tensor[kSrcIter] = buffers.tensor[kDstIter] = states->h.data();
    buffers.tensor[kSrcIterC] = buffers.tensor[kDstIterC] = states->c.data();
    const FloatEnvironment environment(Subnormals::kKept);
    plan_->Execute(buffers);
  }

  const std::unique_ptr<const RnnPlan> plan_;
  const StepWeights weights_;
  std::vector<States> states_;
};

}  // namespace

std::unique_ptr<Stepper> CreateStepper(const RnnProblem& problem, const StepWeights& weights) {
  return std::make_unique<ReferenceStepper>(problem, weights);
}

}  // namespace reference
}  // namespace tandem
