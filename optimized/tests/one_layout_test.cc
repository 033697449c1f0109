// A client may change its batch size at will: weights packed once serve every minibatch, number of time steps, kind of forward
// propagation and number of threads. Backward has one layout of its own, for all of them.
#include <string>
#include <vector>

#include "api/core/rnn/rnn_problem_testing.h"
#include "gtest/gtest.h"
#include "optimized/tests/forward_testing.h"

namespace tandem {
namespace optimized {
namespace {

constexpr Tensor kPackedTensors[] = {kWeightsLayer, kWeightsIter, kWeightsProjection};

struct Model {
  Cell cell;
  DataType x;
  Direction direction;
  bool projected;
};

const Model kModels[] = {
    {Cell::kVanillaRnn, DataType::kF32, Direction::kLeft2Right, false},
    {Cell::kLstm, DataType::kF32, Direction::kBidirectionalConcat, false},
    {Cell::kLstm, DataType::kF32, Direction::kLeft2Right, true},
    {Cell::kLstm, DataType::kBf16, Direction::kLeft2Right, false},
    {Cell::kGru, DataType::kF32, Direction::kLeft2Right, false},
    {Cell::kGru, DataType::kBf16, Direction::kBidirectionalSum, false},
    {Cell::kLbrGru, DataType::kF16, Direction::kLeft2Right, false},
    {Cell::kLstm, DataType::kU8, Direction::kLeft2Right, false},
    {Cell::kLstm, DataType::kS8, Direction::kLeft2Right, false},
    {Cell::kGru, DataType::kU8, Direction::kLeft2Right, false},
};

struct Use {
  Propagation propagation;
  Dim mb, n_iter;
  int threads;
};

const Use kForwardUses[] = {
    {Propagation::kForwardInference, 1, 1, 1}, {Propagation::kForwardInference, 1, 50, 2},
    {Propagation::kForwardInference, 5, 3, 1}, {Propagation::kForwardInference, 64, 1, 3},
    {Propagation::kForwardTraining, 1, 1, 2},  {Propagation::kForwardTraining, 27, 7, 1},
};
const Use kBackwardUses[] = {
    {Propagation::kBackward, 1, 1, 1},
    {Propagation::kBackward, 5, 50, 2},
    {Propagation::kBackward, 64, 3, 3},
};

bool IsInt8(const Model& model) { return model.x == DataType::kU8 || model.x == DataType::kS8; }

std::string NameOf(const Model& model, const Use& use) {
  return std::string(ToString(model.cell)) + " " + ToString(model.x) + " mb " + std::to_string(use.mb) + " steps " +
         std::to_string(use.n_iter) + " threads " + std::to_string(use.threads);
}

RnnProblem ProblemOf(const Model& model, const Use& use) {
  const TestShape shape = {2, use.n_iter, use.mb, 37, 37, model.projected ? 53 : 37, 37};
  RnnProblem problem = MakeTestProblem(model.cell, use.propagation, model.direction, model.x, shape);
  if (model.projected) Add(&problem, shape, model.x, kWeightsProjection);
  if (IsInt8(model)) {
    problem.attr.rnn_data_scale = 100.f;
    problem.attr.rnn_weights.values = {900.f};
  }
  return problem;
}

std::unique_ptr<const RnnPlan> PlanOf(RnnProblem problem) {
  Validate(&problem);
  std::string why_not;
  std::unique_ptr<const RnnPlan> plan = CreateRnn(problem, &why_not);
  if (plan == nullptr) throw std::runtime_error(why_not);
  return plan;
}

// The layouts that a plan chooses for weights it may lay out as it likes.
RnnProblem ChosenFor(const Model& model, const Use& use) {
  const WithThreads threads(use.threads);
  RnnProblem problem = ProblemOf(model, use);
  for (const Tensor tensor : kPackedTensors) {
    MemoryDesc* md = &problem.md[tensor];
    if (!IsZero(*md)) *md = MakeAny(Dims(md->dims, md->dims + md->ndims), TypeOf(*md));
  }
  return PlanOf(problem)->problem();
}

void ExpectOneLayout(const Model& model, const std::vector<Use>& uses) {
  const RnnProblem first = ChosenFor(model, uses.front());
  for (const Use& use : uses) {
    if (IsInt8(model) && use.propagation != Propagation::kForwardInference) continue;
    const RnnProblem chosen = ChosenFor(model, use);
    for (const Tensor tensor : kPackedTensors) {
      EXPECT_EQ(IsZero(chosen.md[tensor]), IsZero(first.md[tensor]));
      EXPECT_TRUE(Equal(chosen.md[tensor], first.md[tensor])) << NameOf(model, use) << ": " << ToString(tensor);
    }
    EXPECT_TRUE(IsOpaque(chosen.md[kWeightsIter])) << NameOf(model, use);
  }
}

class PackedWeights : public OnEachTarget {};
INSTANTIATE_TEST_SUITE_P(Targets, PackedWeights, TargetsThatDifferHere(), NameOfTarget);

TEST_P(PackedWeights, HaveOneLayoutForEveryForwardUse) {
  for (const Model& model : kModels) {
    ExpectOneLayout(model, {std::begin(kForwardUses), std::end(kForwardUses)});
  }
}

TEST_P(PackedWeights, HaveOneLayoutForEveryBackwardUse) {
  for (const Model& model : kModels) {
    if (!IsInt8(model)) ExpectOneLayout(model, {std::begin(kBackwardUses), std::end(kBackwardUses)});
  }
}

// Executes `use` with weights in `packed`, which were packed for `layouts`; the outputs end in `tensors`.
void RunPacked(const Model& model, const Use& use, const RnnProblem& layouts, Tensors* packed, Tensors* tensors) {
  const WithThreads threads(use.threads);
  RnnProblem problem = ProblemOf(model, use);
  RnnBuffers buffers;
  for (int i = 0; i < kNumTensors; ++i) {
    if (IsZero(problem.md[i])) continue;
    const bool is_packed = IsOpaque(layouts.md[i]);
    if (is_packed) problem.md[i] = layouts.md[i];
    buffers.tensor[i] = (is_packed ? (*packed)[i] : (*tensors)[i]).data();
  }
  const std::unique_ptr<const RnnPlan> plan = PlanOf(problem);
  Bytes scratch(plan->scratchpad_bytes(), static_cast<char>(0xff));
  Bytes workspace(plan->workspace_bytes(), static_cast<char>(0xff));
  buffers.scratchpad = scratch.data();
  buffers.workspace = workspace.data();
  plan->Execute(buffers);
}

TEST_P(PackedWeights, PackedOnceGiveEveryForwardUseTheBitsOfPlainOnes) {
  for (const Model& model : kModels) {
    const RnnProblem layouts = ChosenFor(model, kForwardUses[0]);
    const RnnProblem plain = ProblemOf(model, kForwardUses[0]);
    const Tensors weights = MakeTensors(plain, 7);
    Tensors packed;
    for (const Tensor tensor : kPackedTensors) {
      if (IsZero(plain.md[tensor])) continue;
      const PackedLayout layout = PackedLayoutOf(layouts.md[tensor]);
      packed[tensor].resize(layout.bytes);
      WeightsPacker(plain.md[tensor], layout, TypeOf(plain.md[tensor]))
          .Pack(weights[tensor].data(), packed[tensor].data());
    }
    for (const Use& use : kForwardUses) {
      if (IsInt8(model) && use.propagation != Propagation::kForwardInference) continue;
      Tensors want = MakeTensors(ProblemOf(model, use), 7);  // the weights are the same for every use
      Tensors got = want;
      RunForward(ProblemOf(model, use), WeightsForm::kPlain, &want);
      RunPacked(model, use, layouts, &packed, &got);
      for (const Tensor tensor : {kDstLayer, kDstIter, kDstIterC}) {
        EXPECT_TRUE(got[tensor] == want[tensor]) << NameOf(model, use) << ": " << ToString(tensor) << " differs";
      }
    }
  }
}

}  // namespace
}  // namespace optimized
}  // namespace tandem
