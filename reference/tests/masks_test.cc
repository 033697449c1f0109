// Masks by their definition: dropout as a change of the inputs, zoneout as states that stay (docs/rnn_masks.md).
#include <gtest/gtest.h>

#include <cmath>

#include "reference/numerics/rounding.h"
#include "reference/tests/random_problem.h"

namespace tandem {
namespace reference {
namespace {

// A forward problem of one variant with the masks of `bits`; its masks are of zeros.
TestCase MaskedCase(const Variant& variant, DataType x, unsigned bits, uint32_t seed) {
  TestCase test = RandomCase(variant, Direction::kBidirectionalConcat, Propagation::kForwardInference, x, seed);
  RnnProblem problem = test.problem;
  if (problem.sic != problem.dic) bits &= ~MaskBit(kZoneoutIter);
  if (!HasCellState(problem.cell)) bits &= ~MaskBit(kZoneoutIterC);
  problem.attr.rnn_masks = bits;
  TestCase masked = MakeTestCase(problem);
  FillInputs(&masked, seed);
  for (const Tensor mask : kMasks) masked.Fill(mask, 0.0);
  return masked;
}

// The same without masks.
TestCase Unmasked(TestCase test) {
  test.problem.attr.rnn_masks = 0;
  for (const Tensor mask : kMasks) {
    test.problem.md[mask] = {};
    test.memory[mask].clear();
  }
  return test;
}

void ExpectEqualOutputs(TestCase* a, TestCase* b) {
  RunCase(a);
  RunCase(b);
  for (const Tensor t : kForwardOutputs) {
    if (!a->problem.Has(t)) continue;
    EXPECT_EQ(a->Get(t), b->Get(t)) << ToString(t);
  }
}

template <class Check>
void ForEachCase(unsigned bits, Check check) {
  for (const Variant& variant : AllVariants()) {
    if (HasAttention(variant.cell)) continue;  // one direction
    for (const DataType x : {DataType::kF32, DataType::kBf16, DataType::kF16}) {
      for (uint32_t seed = 0; seed < 6; ++seed) {
        SCOPED_TRACE(std::string(variant.name) + ", " + ToString(x) + ", seed " + std::to_string(seed));
        TestCase test = MaskedCase(variant, x, bits, seed);
        check(&test);
      }
    }
  }
}

TEST(Masks, OfOnesAndZoneoutOfZeroesChangeNothing) {
  ForEachCase(15, [](TestCase* test) {
    test->Fill(kMaskLayer, 1.0);
    test->Fill(kMaskIter, 1.0);
    TestCase plain = Unmasked(*test);
    ExpectEqualOutputs(test, &plain);
  });
}

TEST(Masks, OfTheFirstLayerMultiplySrcLayer) {
  ForEachCase(MaskBit(kMaskLayer), [](TestCase* test) {
    if (test->problem.n_layer > 1) return;
    const Dim rows = test->problem.n_iter * test->problem.mb * test->problem.slc;
    std::vector<double> mask, x = test->Get(kSrcLayer);
    for (Dim i = 0; i < rows; ++i) mask.push_back(i % 3 == 0 ? 0.0 : i % 3 == 1 ? 2.0 : 0.5);
    for (size_t i = 0; i < x.size(); ++i) x[i] *= mask[i];  // exact
    mask.insert(mask.end(), mask.begin(), mask.end());      // of the second direction
    test->Set(kMaskLayer, mask);
    TestCase plain = Unmasked(*test);
    plain.Set(kSrcLayer, x);
    ExpectEqualOutputs(test, &plain);
  });
}

TEST(Masks, OfTheStateMultiplyItBeforeWeightsIterOnly) {
  ForEachCase(MaskBit(kMaskIter), [](TestCase* test) {
    test->Fill(kMaskIter, 0.0);
    TestCase plain = Unmasked(*test);
    plain.Fill(kWeightsIter, 0.0);
    ExpectEqualOutputs(test, &plain);  // u h' of a GRU is not masked
    // The same mask in all steps scales the columns of U, where h' is multiplied by nothing else.
    test->Fill(kMaskIter, 2.0);
    std::vector<double> u = test->Get(kWeightsIter);
    for (double& value : u) value *= 2;
    plain.Set(kWeightsIter, u);
    if (!BlendsState(test->problem.cell) || IsLinearBeforeReset(test->problem.cell)) ExpectEqualOutputs(test, &plain);
  });
}

TEST(Masks, ZoneoutOfOnesKeepsTheStates) {
  ForEachCase(MaskBit(kZoneoutIter) | MaskBit(kZoneoutIterC), [](TestCase* test) {
    if (!test->problem.Has(kZoneoutIter) || !test->problem.Has(kSrcIter) || !test->problem.Has(kDstIter)) return;
    test->Fill(kZoneoutIter, 1.0);
    test->Fill(kZoneoutIterC, 1.0);
    RunCase(test);
    EXPECT_EQ(test->Get(kDstIter), test->Get(kSrcIter));
    if (!test->problem.Has(kDstIterC)) return;
    EXPECT_EQ(test->Get(kDstIterC), test->Get(kSrcIterC));
  });
}

// h~ = tanh(m x) of one channel, W = 1, U = 0. In bf16 this x gives another state if m x or h~ is not rounded.
TEST(Masks, ZoneoutMixesTheStoredStateAndIsStored) {
  for (const DataType x : {DataType::kF32, DataType::kBf16}) {
    RnnProblem problem = MakeTestProblem(Cell::kVanillaRnn, Propagation::kForwardInference, Direction::kLeft2Right, x,
                                         {/*n_layer=*/1, 1, 1, 1, 1, 1, 1});
    problem.attr.rnn_masks = MaskBit(kZoneoutIter) | MaskBit(kMaskLayer);
    TestCase test = MakeTestCase(problem);
    test.Fill(kWeightsLayer, 1.0);
    test.Fill(kSrcIter, 0.3125);
    test.Fill(kSrcLayer, 0.52734375);
    test.Fill(kMaskLayer, 1.1);
    test.Fill(kZoneoutIter, 0.3);
    RunCase(&test);
    const auto stored = [x](double value) { return RoundTo(x, value); };
    const double mask = static_cast<double>(1.1f), z = static_cast<double>(0.3f);
    const double h = stored(std::tanh(stored(mask * 0.52734375)));
    EXPECT_EQ(test.Get(kDstLayer)[0], stored(z * 0.3125 + (1 - z) * h));
  }
}

}  // namespace
}  // namespace reference
}  // namespace tandem
