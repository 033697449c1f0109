// Dropout and zoneout by masks (docs/rnn_masks.md). The judge holds them to the equations; here are the results whose bits are
// known without equations.
#include <cmath>
#include <string>
#include <vector>

#include "api/core/rnn/rnn_problem_testing.h"
#include "gtest/gtest.h"
#include "optimized/tests/forward_testing.h"

namespace tandem {
namespace optimized {
namespace {

constexpr unsigned kOfLayer = tandem_rnn_masks_layer, kOfIter = tandem_rnn_masks_iter;
constexpr unsigned kZoneout = tandem_rnn_masks_zoneout_iter, kZoneoutOfC = tandem_rnn_masks_zoneout_iter_c;

constexpr TestShape kShape = {2, 4, 5, 37, 37, 37, 37};
constexpr TestShape kOneStep = {1, 1, 5, 37, 37, 37, 37};
constexpr TestShape kProjected = {2, 4, 5, 37, 37, 53, 37};

RnnProblem Masked(Cell cell, unsigned masks, DataType x, TestShape shape,
                  Propagation propagation = Propagation::kForwardInference) {
  if (HasAttention(cell)) shape.n_layer = 1;
  const Direction direction = HasAttention(cell) ? Direction::kLeft2Right : Direction::kBidirectionalConcat;
  RnnProblem problem = MakeTestProblem(cell, propagation, direction, x, shape);
  if (shape.dhc != shape.dic) Add(&problem, shape, x, kWeightsProjection);
  problem.attr.rnn_masks = HasCellState(cell) ? masks : masks & ~kZoneoutOfC;
  Validate(&problem);
  return problem;
}

RnnProblem WithoutMasks(RnnProblem problem) {
  problem.attr.rnn_masks = 0;
  Validate(&problem);
  return problem;
}

void Fill(const RnnProblem& problem, Tensor tensor, float value, Tensors* tensors) {
  for (size_t i = 0; i < (*tensors)[tensor].size() / sizeof(float); ++i) {
    StoreElement(TypeOf(problem.md[tensor]), value, i, &(*tensors)[tensor]);
  }
}

Tensors ForwardOn(const RnnProblem& problem, Tensors tensors, const Division& parts = {1, 1, 1}) {
  const DividedTeam team(parts);
  RunForward(problem, WeightsForm::kPacked, &tensors, team.options());
  return tensors;
}

// Backward, after a forward run that is divided in the same way.
Tensors BackwardOn(const RnnProblem& problem, Tensors tensors, const Division& parts = {1, 1, 1}) {
  const DividedTeam team(parts);
  Bytes workspace;
  RunForward(ForwardOf(problem), WeightsForm::kPlain, &tensors, team.options(), &workspace);
  const std::unique_ptr<const RnnPlan> plan = CreateRnnForTeam(problem, team.options(), nullptr);
  RnnBuffers buffers;
  for (int i = 0; i < kNumTensors; ++i) buffers.tensor[i] = tensors[i].empty() ? nullptr : tensors[i].data();
  Bytes scratch(plan->scratchpad_bytes() + 4, static_cast<char>(0xff));
  buffers.scratchpad = scratch.data() + 4;
  buffers.workspace = workspace.data();
  plan->Execute(buffers);
  return tensors;
}

void ExpectEqual(const Tensors& got, const Tensors& want, const std::vector<Tensor>& which, const std::string& name) {
  for (const Tensor tensor : which) EXPECT_TRUE(got[tensor] == want[tensor]) << name << ": " << ToString(tensor);
}

std::string NameOf(const RnnProblem& p) {
  return std::string(ToString(p.cell)) + " " + ToString(p.SrcType()) + " " + ToString(p.propagation);
}

// Calls visit(cell, type, shape) for all cells, and for an LSTM with a projection.
template <class Visit>
void ForEachKind(const Visit& visit) {
  for (const DataType x : {DataType::kF32, DataType::kBf16, DataType::kF16}) {
    for (const Cell cell : kCells) visit(cell, x, kShape);
    visit(Cell::kLstm, x, kProjected);
  }
}

class Masks : public OnEachTarget {};
INSTANTIATE_TEST_SUITE_P(Targets, Masks, TargetsThatDifferHere(), NameOfTarget);

TEST_P(Masks, OfOnesAndZoneoutOfZerosChangeNoBit) {
  ForEachKind([](Cell cell, DataType x, const TestShape& shape) {
    const RnnProblem problem = Masked(cell, kOfLayer | kOfIter | kZoneout | kZoneoutOfC, x, shape);
    Tensors tensors = MakeTensors(problem, 3);
    for (const Tensor mask : {kMaskLayer, kMaskIter}) Fill(problem, mask, 1.f, &tensors);
    for (const Tensor mask : {kZoneoutIter, kZoneoutIterC}) Fill(problem, mask, 0.f, &tensors);
    ExpectEqual(ForwardOn(problem, tensors), ForwardOn(WithoutMasks(problem), tensors),
                {kDstLayer, kDstIter, kDstIterC}, NameOf(problem));
  });
}

TEST_P(Masks, ZoneoutOfOnesKeepsTheStates) {
  ForEachKind([](Cell cell, DataType x, const TestShape& shape) {
    const RnnProblem problem = Masked(cell, kZoneout | kZoneoutOfC, x, shape);
    Tensors tensors = MakeTensors(problem, 3);
    for (const Tensor mask : {kZoneoutIter, kZoneoutIterC}) Fill(problem, mask, 1.f, &tensors);
    const Tensors got = ForwardOn(problem, tensors);
    EXPECT_TRUE(got[kDstIter] == tensors[kSrcIter]) << NameOf(problem);
    EXPECT_TRUE(got[kDstIterC] == tensors[kSrcIterC]) << NameOf(problem);
  });
}

// Multiplies `tensor` by a mask of the same elements in f32.
void Premultiply(Tensor tensor, Tensor mask, Tensors* tensors) {
  Bytes& bytes = (*tensors)[tensor];
  for (size_t i = 0; i < bytes.size() / sizeof(float); ++i) {
    const float factor = LoadElement(DataType::kF32, (*tensors)[mask], i);
    StoreElement(DataType::kF32, factor * LoadElement(DataType::kF32, bytes, i), i, &bytes);
  }
}

// Half of an infinite h is infinite: a random problem found NaN.
TEST_P(Masks, ZoneoutKeepsAnInfiniteState) {
  RnnProblem problem = Masked(Cell::kVanillaRnn, kZoneout, DataType::kF32, kOneStep);
  problem.activation = Activation::kRelu;
  Validate(&problem);
  Tensors tensors = MakeTensors(problem, 3);
  Fill(problem, kSrcLayer, HUGE_VALF, &tensors);
  Fill(problem, kWeightsLayer, 1.f, &tensors);
  Fill(problem, kZoneoutIter, 0.5f, &tensors);
  const Tensors result = ForwardOn(problem, tensors);
  for (size_t i = 0; i < result[kDstLayer].size() / sizeof(float); ++i) {
    ASSERT_EQ(LoadElement(DataType::kF32, result[kDstLayer], i), HUGE_VALF) << i;
  }
}

// A client could multiply `source` by the mask itself, before and behind the primitive. The gradients of the weights read what
// forward read.
void ExpectWhatAMaskedSourceGives(RnnProblem problem, Tensor source, Tensor mask, const std::vector<Tensor>& outputs) {
  problem.attr.rnn_masks = source == kSrcLayer ? kOfLayer : kOfIter;
  Validate(&problem);
  const Tensors given = MakeTensors(problem, 3);
  Tensors masked = given;
  Premultiply(source, mask, &masked);
  const Tensors got = BackwardOn(problem, given);
  Tensors want = BackwardOn(WithoutMasks(problem), masked);
  Premultiply(Diff(source), mask, &want);
  ExpectEqual(got, want, outputs, NameOf(problem));
}

// The problem has one layer in one direction.
TEST_P(Masks, OfALayerAreThoseOfItsSource) {
  for (const Cell cell : kCells) {
    const TestShape shape = {1, 4, 5, 37, 37, 37, 37};
    ExpectWhatAMaskedSourceGives(
        MakeTestProblem(cell, Propagation::kBackward, Direction::kLeft2Right, DataType::kF32, shape), kSrcLayer,
        kMaskLayer,
        {kDstLayer, kDstIter, kDstIterC, kDiffSrcLayer, kDiffSrcIter, kDiffSrcIterC, kDiffWeightsLayer,
         kDiffWeightsIter, kDiffBias});
  }
}

// The problem has one step. GRU is left out: its h is also a blend of src_iter as it is.
TEST_P(Masks, OfTheStateAreThoseOfSrcIterInOneStep) {
  for (const Cell cell : {Cell::kVanillaRnn, Cell::kLstm}) {
    ExpectWhatAMaskedSourceGives(
        MakeTestProblem(cell, Propagation::kBackward, Direction::kLeft2Right, DataType::kF32, kOneStep), kSrcIter,
        kMaskIter, {kDstLayer, kDstIter, kDstIterC, kDiffSrcLayer, kDiffSrcIter, kDiffSrcIterC, kDiffWeightsIter});
  }
}

// Threads that share the units of a row need no barrier for masks.
TEST_P(Masks, OnSeveralThreadsGiveTheBitsOfOne) {
  for (const Propagation propagation : {Propagation::kForwardInference, Propagation::kBackward}) {
    for (const bool lengths : {false, true}) {
      ForEachKind([&](Cell cell, DataType x, const TestShape& shape) {
        RnnProblem problem = Masked(cell, kOfLayer | kOfIter | kZoneout | kZoneoutOfC, x, shape, propagation);
        problem.attr.rnn_sequence_lengths = lengths;
        Validate(&problem);
        const Tensors given = MakeTensors(problem, 3);
        const auto run = [&](const Division& parts) {
          return problem.IsBackward() ? BackwardOn(problem, given, parts) : ForwardOn(problem, given, parts);
        };
        const Tensors want = run({1, 1, 1});
        for (const Division& parts : {Division{1, 1, 2}, Division{1, 2, 3}}) {
          const Tensors got = run(parts);
          for (int i = 0; i < kNumTensors; ++i) {
            EXPECT_TRUE(got[i] == want[i]) << NameOf(problem) << (lengths ? " with lengths" : "") << " units / "
                                           << parts.units << ": " << ToString(static_cast<Tensor>(i));
          }
        }
      });
    }
  }
}

}  // namespace
}  // namespace optimized
}  // namespace tandem
