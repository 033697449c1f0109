// Training through plans: what the workspace carries, when it is refused, and what backward writes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "api/core/error_testing.h"
#include "reference/cells/cell.h"
#include "reference/tests/random_problem.h"

namespace tandem {
namespace reference {
namespace {

TestCase TrainedCase(const Variant& variant, Direction direction, DataType x, uint32_t seed) {
  TestCase test = RandomCase(variant, direction, Propagation::kBackward, x, seed);
  RunForward(&test);
  return test;
}

std::vector<Tensor> Gradients(const RnnProblem& problem) {
  std::vector<Tensor> gradients;
  for (const Tensor tensor : kDiffTensors) {
    if (IsBackwardOutput(tensor) && problem.Has(tensor)) gradients.push_back(tensor);
  }
  return gradients;
}

bool IsAccumulated(Tensor tensor) { return IsDiffParameter(tensor); }

// All variants, those with norms once.
template <class Check>
void ForEachCase(Propagation propagation, uint32_t count, Check check) {
  ForEachRandomCase(propagation, DataType::kF32, count, check);
  ForEachRandomCase(propagation, DataType::kF32, 1, check, NormalizedVariants());
}

TEST(Training, GivesTheSameOutputsAsInference) {
  ForEachCase(Propagation::kForwardInference, 3, [](TestCase* inference, const std::string& description) {
    SCOPED_TRACE(description);
    TestCase training = *inference;
    training.problem.propagation = Propagation::kForwardTraining;
    RunCase(inference);
    RunCase(&training);
    EXPECT_GT(training.workspace.size(), 0u);
    EXPECT_EQ(training.Get(kDstLayer), inference->Get(kDstLayer));
  });
}

TEST(Training, AccumulatesGradientsOfWeightsAndOverwritesTheRest) {
  ForEachCase(Propagation::kBackward, 3, [](TestCase* test, const std::string& description) {
    SCOPED_TRACE(description);
    RunForward(test);
    test->problem.flags = dnnl_rnn_flags_diff_weights_overwrite;
    for (const Tensor tensor : Gradients(test->problem)) test->Fill(tensor, 1000.0);
    RunCase(test);
    TestCase twice = *test;  // the second pass adds to the first's gradients
    twice.problem.flags = dnnl_rnn_flags_undef;
    RunCase(&twice);
    for (const Tensor tensor : Gradients(test->problem)) {
      const std::vector<double> once = test->Get(tensor), both = twice.Get(tensor);
      for (size_t i = 0; i < once.size(); ++i) {
        // Doubling is exact; the pass itself rounds to f32 only at the end.
        const double expected = IsAccumulated(tensor) ? 2.0 * once[i] : once[i];
        EXPECT_NEAR(both[i], expected, 1.2e-7 * std::abs(expected)) << ToString(tensor) << " " << i;
      }
    }
  });
}

TEST(Training, BackwardOnlyReadsTheWorkspace) {
  ForEachCase(Propagation::kBackward, 2, [](TestCase* test, const std::string& description) {
    SCOPED_TRACE(description);
    RunForward(test);
    const std::vector<unsigned char> workspace = test->workspace;
    RunCase(test);
    EXPECT_EQ(test->workspace, workspace);
  });
}

// All lengths are 0: what has no step is not multiplied by the weights.
TEST(Training, RowsWithoutAStepAddNothingToGradientsWhateverTheWeights) {
  for (const double weight : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    ForEachCase(Propagation::kBackward, 3, [&](TestCase* test, const std::string& description) {
      SCOPED_TRACE(description);
      RnnProblem problem = test->problem;
      if (problem.sic != problem.dic) return;  // not allowed with lengths
      problem.attr.rnn_sequence_lengths = true;
      TestCase empty = MakeTestCase(problem);
      FillInputs(&empty, 1);
      std::fill(empty.memory[kSequenceLengths].begin(), empty.memory[kSequenceLengths].end(), 0);
      for (const Tensor t : {kWeightsLayer, kWeightsIter, kWeightsPeephole, kWeightsProjection, kBias}) {
        empty.Fill(t, weight);
      }
      RunForward(&empty);
      for (const Tensor t : Gradients(problem)) empty.Fill(t, 7.0);
      RunCase(&empty);
      for (const Tensor t : Gradients(problem)) {
        if (!IsAccumulated(t)) continue;
        for (const double gradient : empty.Get(t)) EXPECT_EQ(gradient, 7.0) << ToString(t);
      }
    });
  }
}

TEST(Training, AWorkspaceThatWasNeverFilledIsRefused) {
  TestCase test = TrainedCase({"gru", Cell::kGru}, Direction::kLeft2Right, DataType::kF32, 1);
  std::fill(test.workspace.begin(), test.workspace.end(), 0);
  ExpectError(dnnl_invalid_arguments, "workspace", [&] { RunCase(&test); });
}

TEST(Training, AWorkspaceOfAnotherProblemIsRefused) {
  TestCase gru = TrainedCase({"gru", Cell::kGru}, Direction::kLeft2Right, DataType::kF32, 1);
  TestCase lbr = TrainedCase({"lbr_gru", Cell::kLbrGru}, Direction::kLeft2Right, DataType::kF32, 1);
  ASSERT_GE(lbr.workspace.size(), gru.workspace.size());
  gru.workspace = lbr.workspace;
  ExpectError(dnnl_invalid_arguments, "workspace", [&] { RunCase(&gru); });
}

// x = 1, h' = 0.5, W = 0.5, U = 1, B = -0.25, dh = 2: a = 0.75, h = tanh(0.75) = 0.6351489524.
TEST(Training, VanillaRnnByHand) {
  TestShape shape;
  shape.n_iter = shape.mb = shape.slc = shape.sic = shape.dhc = shape.dic = 1;
  RnnProblem problem =
      MakeTestProblem(Cell::kVanillaRnn, Propagation::kBackward, Direction::kLeft2Right, DataType::kF32, shape);
  TestCase test = MakeTestCase(problem);
  test.Set(kSrcLayer, {1.0});
  test.Set(kSrcIter, {0.5});
  test.Set(kWeightsLayer, {0.5});
  test.Set(kWeightsIter, {1.0});
  test.Set(kBias, {-0.25});
  test.Set(kDiffDstLayer, {1.5});
  test.Set(kDiffDstIter, {0.5});
  RunForward(&test);
  RunCase(&test);
  // Delta = 2 (1 - 0.6351489524^2) = 2 * 0.5965858083 = 1.1931716166
  constexpr double kDelta = 1.1931716166, kUlp = 2.4e-7;
  EXPECT_NEAR(test.Get(kDiffSrcLayer)[0], 0.5 * kDelta, kUlp);
  EXPECT_NEAR(test.Get(kDiffSrcIter)[0], 1.0 * kDelta, kUlp);
  EXPECT_NEAR(test.Get(kDiffWeightsLayer)[0], 1.0 * kDelta, kUlp);
  EXPECT_NEAR(test.Get(kDiffWeightsIter)[0], 0.5 * kDelta, kUlp);
  EXPECT_NEAR(test.Get(kDiffBias)[0], kDelta, kUlp);
}

// The two readings of the attention's gradient. W = 0, U = 0, B = 0: u = 0.5, r = 0.5, o = 0; h' = 0.5, a = 0.25,
// dh = 4.
TestCase AttentionCase(Cell cell, Reading reading) {
  TestShape shape;
  shape.n_iter = shape.mb = shape.slc = shape.sic = shape.dhc = shape.dic = 1;
  RnnProblem problem = MakeTestProblem(cell, Propagation::kBackward, Direction::kLeft2Right, DataType::kF32, shape);
  problem.attr.reading = reading;
  TestCase test = MakeTestCase(problem);
  test.Set(kSrcIter, {0.5});
  test.Set(kAugruAttention, {0.25});
  test.Set(kDiffDstLayer, {4.0});
  RunForward(&test);
  RunCase(&test);
  return test;
}

TEST(Training, AttentionGradientByHandInBothReadings) {
  for (const Cell cell : {Cell::kAugru, Cell::kLbrAugru}) {
    TestCase spec = AttentionCase(cell, Reading::kSpec);
    // du~ = 4 (0.5 - 0) = 2. da = -2 * 0.5. Delta_u = 2 * 0.75 * 0.25. Delta_o = 4 (1 - 0.375). dh' = 4 * 0.375.
    EXPECT_EQ(spec.Get(kDiffAugruAttention)[0], -1.0);
    EXPECT_EQ(spec.Get(kDiffBias)[GruGate::kUpdate], 0.375);
    EXPECT_EQ(spec.Get(kDiffBias)[GruGate::kCandidate], 2.5);
    EXPECT_EQ(spec.Get(kDiffSrcIter)[0], 1.5);
    TestCase onednn = AttentionCase(cell, Reading::kOnednn);
    // t = 4 * 0.5 * 0.25 = 0.5. da = -0.5 * 0.5. Delta_u = 0.5 * 0.75. Delta_o = 4 (1 - 0.5). dh' = 4 * 0.5.
    EXPECT_EQ(onednn.Get(kDiffAugruAttention)[0], -0.25);
    EXPECT_EQ(onednn.Get(kDiffBias)[GruGate::kUpdate], 0.375);
    EXPECT_EQ(onednn.Get(kDiffBias)[GruGate::kCandidate], 2.0);
    EXPECT_EQ(onednn.Get(kDiffSrcIter)[0], 2.0);
  }
}

}  // namespace
}  // namespace reference
}  // namespace tandem
