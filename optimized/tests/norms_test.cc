// Layer normalization (docs/layer_normalization.md). The judge holds it to the equations; here are the results whose bits are known
// without equations.
#include <string>
#include <vector>

#include "api/core/rnn/rnn_problem_testing.h"
#include "gtest/gtest.h"
#include "optimized/tests/forward_testing.h"

namespace tandem {
namespace optimized {
namespace {

constexpr Cell kNormedCells[] = {Cell::kVanillaRnn, Cell::kLstm, Cell::kGru, Cell::kLbrGru};
constexpr TestShape kShape = {2, 4, 5, 37, 37, 37, 37};
constexpr TestShape kProjected = {2, 4, 5, 37, 37, 53, 37};

std::vector<LayerNorm> NormsOf(Cell cell) {
  std::vector<LayerNorm> norms = {{NormKind::kParts, NormScope::kGate, CellNorm::kNone, 1e-5f}};
  if (!IsLinearBeforeReset(cell)) norms.push_back({NormKind::kSum, NormScope::kGate, CellNorm::kNone, 1e-5f});
  if (!WaitsForReset(cell)) norms.push_back({NormKind::kParts, NormScope::kRow, CellNorm::kNone, 1e-3f});
  if (!HasCellState(cell)) return norms;
  norms.push_back({NormKind::kSum, NormScope::kRow, CellNorm::kState, 1e-5f});
  norms.push_back({NormKind::kParts, NormScope::kGate, CellNorm::kOutput, 1e-5f});
  norms.push_back({NormKind::kNone, NormScope::kGate, CellNorm::kOutput, 1e-5f});
  return norms;
}

RnnProblem Normed(Cell cell, const LayerNorm& norm, DataType x, const TestShape& shape, Propagation propagation) {
  RnnProblem problem = MakeTestProblem(cell, propagation, Direction::kBidirectionalConcat, x, shape);
  if (shape.dhc != shape.dic) Add(&problem, shape, x, kWeightsProjection);
  problem.attr.rnn_layer_norm = norm;
  Validate(&problem);
  return problem;
}

// Forward, and backward if the problem is.
Tensors ResultsOf(const RnnProblem& problem, Tensors tensors, const Division& parts = {1, 1, 1}) {
  const DividedTeam team(parts);
  Bytes workspace;
  const bool backward = problem.IsBackward();
  RunForward(backward ? ForwardOf(problem) : problem, WeightsForm::kPlain, &tensors, team.options(), &workspace);
  if (!backward) return tensors;
  const std::unique_ptr<const RnnPlan> plan = CreateRnnForTeam(problem, team.options(), nullptr);
  RnnBuffers buffers;
  for (int i = 0; i < kNumTensors; ++i) buffers.tensor[i] = tensors[i].empty() ? nullptr : tensors[i].data();
  Bytes scratch(plan->scratchpad_bytes() + 4, static_cast<char>(0xff));
  buffers.scratchpad = scratch.data() + 4;
  buffers.workspace = workspace.data();
  plan->Execute(buffers);
  return tensors;
}

std::string NameOf(const RnnProblem& p) {
  const LayerNorm& norm = p.attr.rnn_layer_norm;
  return std::string(ToString(p.cell)) + " " + ToString(p.SrcType()) + " " + ToString(p.propagation) + " " +
         ToString(norm.kind) + ":" + ToString(norm.scope) + ":" + ToString(norm.cell);
}

template <class Visit>
void ForEachNorm(const Visit& visit) {
  for (const Cell cell : kNormedCells) {
    for (const LayerNorm& norm : NormsOf(cell)) visit(cell, norm);
  }
}

class Norms : public OnEachTarget {};
INSTANTIATE_TEST_SUITE_P(Targets, Norms, TargetsThatDifferHere(), NameOfTarget);

TEST_P(Norms, OnSeveralThreadsGiveTheBitsOfOne) {
  ForEachNorm([](Cell cell, const LayerNorm& norm) {
    for (const Propagation propagation : {Propagation::kForwardInference, Propagation::kBackward}) {
      for (const DataType x : {DataType::kF32, DataType::kBf16}) {
        for (const bool lengths : {false, true}) {
          const TestShape& shape = cell == Cell::kLstm && lengths ? kProjected : kShape;
          RnnProblem problem = Normed(cell, norm, x, shape, propagation);
          problem.attr.rnn_sequence_lengths = lengths;
          problem.attr.rnn_masks = tandem_rnn_masks_iter | tandem_rnn_masks_zoneout_iter;
          Validate(&problem);
          const Tensors given = MakeTensors(problem, 3), want = ResultsOf(problem, given);
          const Tensors got = ResultsOf(problem, given, {1, 2, 3});
          for (int i = 0; i < kNumTensors; ++i) {
            EXPECT_TRUE(got[i] == want[i])
                << NameOf(problem) << (lengths ? " with lengths: " : ": ") << ToString(static_cast<Tensor>(i));
          }
        }
      }
    }
  });
}

// Where gains are zero, an offset is a bias: nothing of the products is left.
TEST_P(Norms, WithoutGainsHaveOffsetsForBias) {
  const auto fill = [](float value, Tensor tensor, const RnnProblem& problem, Tensors* tensors) {
    const DataType type = TypeOf(problem.md[tensor]);
    for (size_t i = 0; i < (*tensors)[tensor].size() / SizeOf(type); ++i) {
      StoreElement(type, value, i, &(*tensors)[tensor]);
    }
  };
  for (const Cell cell : {Cell::kVanillaRnn, Cell::kLstm, Cell::kGru}) {
    for (const DataType x : {DataType::kF32, DataType::kBf16}) {
      const LayerNorm norm = {NormKind::kSum, NormScope::kGate, CellNorm::kNone, 1e-5f};
      const RnnProblem problem = Normed(cell, norm, x, kShape, Propagation::kForwardInference);
      RnnProblem plain = problem;
      plain.attr.rnn_layer_norm = {};
      Validate(&plain);
      Tensors tensors = MakeTensors(problem, 3);
      fill(0.f, kNormGain, problem, &tensors);
      fill(0.f, kBias, problem, &tensors);
      Tensors biased = tensors;
      biased[kBias] = tensors[kNormOffset];
      for (const Tensor weights : {kWeightsLayer, kWeightsIter}) fill(0.f, weights, problem, &biased);
      const Tensors got = ResultsOf(problem, tensors), want = ResultsOf(plain, biased);
      for (const Tensor tensor : {kDstLayer, kDstIter, kDstIterC}) {
        EXPECT_TRUE(got[tensor] == want[tensor]) << NameOf(problem) << ": " << ToString(tensor);
      }
    }
  }
}

}  // namespace
}  // namespace optimized
}  // namespace tandem
