// Layer normalization by hand: what is normalized, in which order the gains are, what the workspace is refused for.
#include <gtest/gtest.h>

#include <cmath>

#include "api/core/error_testing.h"
#include "reference/cells/cell_dispatch.h"
#include "reference/numerics/numerics_int8.h"
#include "reference/tests/random_problem.h"

namespace tandem {
namespace reference {
namespace {

static_assert(kNormalizes<ExactNumerics<double>> && kNormalizes<NormalizingNumerics<ExactNumerics<double>>>);
static_assert(!kNormalizes<QuantizedNumerics<double>>, "bytes");

constexpr double kUlp = 2.4e-7;  // of f32, for numbers up to 4

RnnProblem ProblemOf(Cell cell, Dim dhc, LayerNorm norm, Propagation propagation = Propagation::kForwardInference) {
  TestShape shape;
  shape.n_layer = shape.n_iter = shape.mb = shape.slc = 1;
  shape.sic = shape.dhc = shape.dic = dhc;
  RnnProblem problem = MakeTestProblem(cell, propagation, Direction::kLeft2Right, DataType::kF32, shape);
  problem.attr.rnn_layer_norm = norm;
  if (cell == Cell::kVanillaRnn) problem.activation = Activation::kRelu, problem.alpha = 1;  // h is the pre-activation
  return problem;
}

// W x = (1, 4), U h' = (2, -2) with h' = (1, 0); B = (10, 20); the gain is 2, the offsets are 0.5 and -0.25.
TestCase Vanilla(LayerNorm norm) {
  TestCase test = MakeTestCase(ProblemOf(Cell::kVanillaRnn, 2, norm));
  test.Set(kSrcLayer, {1});
  test.Set(kSrcIter, {1, 0});
  test.Set(kWeightsLayer, {1, 4});
  test.Set(kWeightsIter, {2, -2, 7, 7});
  test.Set(kBias, {10, 20});
  return test;
}

TEST(LayerNorm, OfASumTheBiasJoinsAfterwards) {
  // W x + U h' = (3, 2): mean 2.5, variance 0.25; with epsilon 0.75 the root is 1, and v^ = (0.5, -0.5).
  TestCase test = Vanilla({NormKind::kSum, NormScope::kGate, CellNorm::kNone, 0.75f});
  test.Set(kNormGain, {2, 2});
  test.Set(kNormOffset, {0.5, -0.25});
  RunCase(&test);
  EXPECT_EQ(test.Get(kDstLayer), (std::vector<double>{10 + 1 + 0.5, 20 - 1 - 0.25}));
}

TEST(LayerNorm, PartsHaveGainsOfTheirOwnFirstThoseOfWx) {
  // W x: mean 2.5, variance 2.25; U h': mean 0, variance 4. With epsilon 4 the roots are 2.5 and sqrt(8).
  TestCase test = Vanilla({NormKind::kParts, NormScope::kGate, CellNorm::kNone, 4.f});
  test.Set(kNormGain, {5, 5, std::sqrt(8.), 2 * std::sqrt(8.)});
  test.Set(kNormOffset, {0.5, -0.25, 100, 200});
  RunCase(&test);
  const std::vector<double> h = test.Get(kDstLayer);
  EXPECT_NEAR(h[0], 10 + (-1.5 / 2.5 * 5 + 0.5) + (2 + 100), 100 * kUlp);
  EXPECT_NEAR(h[1], 20 + (1.5 / 2.5 * 5 - 0.25) + (-2 * 2 + 200), 100 * kUlp);
}

TEST(LayerNorm, OneChannelLeavesTheOffset) {
  TestCase test = MakeTestCase(ProblemOf(Cell::kVanillaRnn, 1, {NormKind::kSum}));
  test.Set(kSrcLayer, {1e30});
  test.Set(kWeightsLayer, {1});
  test.Set(kNormGain, {1e20});
  test.Set(kNormOffset, {0.75});
  RunCase(&test);
  EXPECT_EQ(test.Get(kDstLayer), std::vector<double>{0.75});
}

// All weights are 0, but for one gate whose W x is -1 and 1. Over the gate its variance is 1, over the row 1 / 4.
TEST(LayerNorm, OfARowAllGatesHaveOneVariance) {
  for (const NormScope scope : AllOf<NormScope>()) {
    LayerNorm norm = {NormKind::kParts, scope, CellNorm::kNone, 1e-30f};
    TestCase test = MakeTestCase(ProblemOf(Cell::kLstm, 2, norm));
    test.Set(kSrcLayer, {1});
    test.Set(kSrcIterC, {1, 1});
    test.Set(kWeightsLayer, {0, 0, -1, 1, 0, 0, 0, 0});  // of f
    test.Fill(kNormGain, 1);
    RunCase(&test);
    const double v_hat = scope == NormScope::kGate ? 1 : 2;
    const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
    EXPECT_NEAR(test.Get(kDstIterC)[0], sigmoid(-v_hat), kUlp) << ToString(scope);
    EXPECT_NEAR(test.Get(kDstIterC)[1], sigmoid(v_hat), kUlp) << ToString(scope);
  }
}

// f = i = o = 0.5 and c~ = 0: c = (1, 3), whose norm is (-1, 1) with the gain 1, times 0.5 and plus 0.25.
TEST(LayerNorm, OfCForTanhAloneOrForTheNextStepToo) {
  for (const CellNorm cell : AllOf<CellNorm>()) {
    TestCase test = MakeTestCase(ProblemOf(Cell::kLstm, 2, {NormKind::kSum, NormScope::kGate, cell, 1e-30f}));
    test.Set(kSrcIterC, {2, 6});
    test.Fill(kNormGain, 0);
    if (cell != CellNorm::kNone) {
      std::vector<double> gain(10, 0), offset(10, 0);  // the norm of c is the last of five
      gain[8] = gain[9] = 0.5;
      offset[8] = offset[9] = 0.25;
      test.Set(kNormGain, gain);
      test.Set(kNormOffset, offset);
    }
    RunCase(&test);
    const double raw[] = {1, 3}, normalized[] = {-0.25, 0.75};
    for (size_t i = 0; i < 2; ++i) {
      EXPECT_NEAR(test.Get(kDstIterC)[i], cell == CellNorm::kState ? normalized[i] : raw[i], kUlp) << ToString(cell);
      EXPECT_NEAR(test.Get(kDstLayer)[i], 0.5 * std::tanh(cell == CellNorm::kNone ? raw[i] : normalized[i]), kUlp)
          << ToString(cell);
    }
  }
}

TEST(LayerNorm, AWorkspaceOfOtherNormsIsRefused) {
  const LayerNorm norm = {NormKind::kParts, NormScope::kGate, CellNorm::kOutput, 0.5f};
  LayerNorm others[4] = {norm, norm, norm, norm};
  others[0].kind = NormKind::kSum;
  others[1].scope = NormScope::kRow;
  others[2].cell = CellNorm::kState;
  others[3].epsilon = 0.25f;
  const char* const words[] = {"layer normalization was sum, but is parts", "its scope was row, but is gate",
                               "that of c was state, but is output", "its epsilon was 0.25, but is 0.5"};
  for (size_t i = 0; i < 4; ++i) {
    TestCase test = MakeTestCase(ProblemOf(Cell::kLstm, 2, norm, Propagation::kBackward));
    TestCase other = MakeTestCase(ProblemOf(Cell::kLstm, 2, others[i], Propagation::kBackward));
    RunForward(&other);
    test.workspace = other.workspace;
    ExpectError(dnnl_invalid_arguments, words[i], [&] { RunCase(&test); });
  }
}

// The 16 bits of the data round states, not means and variances: these are those of f32 but for one rounding of h.
TEST(LayerNorm, IsComputedAsWideIn16Bits) {
  for (const DataType x : {DataType::kBf16, DataType::kF16}) {
    TestShape shape;
    shape.n_layer = shape.n_iter = 1;
    RnnProblem problem = MakeTestProblem(Cell::kGru, Propagation::kForwardInference, Direction::kLeft2Right, x, shape);
    problem.attr.rnn_layer_norm = {NormKind::kParts};
    TestCase narrow = MakeTestCase(problem);
    FillInputs(&narrow, 3);
    problem =
        MakeTestProblem(Cell::kGru, Propagation::kForwardInference, Direction::kLeft2Right, DataType::kF32, shape);
    problem.attr.rnn_layer_norm = {NormKind::kParts};
    TestCase wide = MakeTestCase(problem);
    for (const Tensor t : kForwardTensors) {
      if (narrow.problem.Has(t)) wide.Set(t, narrow.Get(t));
    }
    RunCase(&narrow);
    RunCase(&wide);
    const std::vector<double> got = narrow.Get(kDstLayer), want = wide.Get(kDstLayer);
    const double unit = x == DataType::kBf16 ? 0x1p-9 : 0x1p-12;
    // h is rounded once, r * h' once before it passes a norm whose slope is below 8 here.
    for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], want[i], 16 * unit) << ToString(x);
  }
}

}  // namespace
}  // namespace reference
}  // namespace tandem
