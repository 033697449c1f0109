// Each cell reads the right states: directions, layers and states, on cells that only add.
#include <gtest/gtest.h>

#include "reference/tests/random_problem.h"

namespace tandem {
namespace reference {
namespace {

// A vanilla relu cell with W = U = 1 and positive data just adds: h_t = x_t + h_{t-1}.
TestCase AddingCase(Direction direction, Dim n_layer) {
  TestShape shape;
  shape.n_layer = n_layer;
  shape.n_iter = 3;
  shape.mb = shape.slc = shape.sic = shape.dhc = shape.dic = 1;
  RnnProblem problem =
      MakeTestProblem(Cell::kVanillaRnn, Propagation::kForwardInference, direction, DataType::kF32, shape);
  problem.activation = Activation::kRelu;
  TestCase test = MakeTestCase(problem);
  test.Fill(kWeightsLayer, 1.0);
  test.Fill(kWeightsIter, 1.0);
  test.Set(kSrcLayer, {1.0, 10.0, 100.0});
  return test;
}

using Values = std::vector<double>;

TEST(Stack, LeftToRightBeginsWithTheFirstTimestamp) {
  TestCase test = AddingCase(Direction::kLeft2Right, 1);
  test.Set(kSrcIter, {1000.0});
  RunCase(&test);
  EXPECT_EQ(test.Get(kDstLayer), (Values{1001, 1011, 1111}));
  EXPECT_EQ(test.Get(kDstIter), (Values{1111}));
}

TEST(Stack, RightToLeftBeginsWithTheLastTimestamp) {
  TestCase test = AddingCase(Direction::kRight2Left, 1);
  test.Set(kSrcIter, {1000.0});
  RunCase(&test);
  EXPECT_EQ(test.Get(kDstLayer), (Values{1111, 1110, 1100}));
  EXPECT_EQ(test.Get(kDstIter), (Values{1111}));
}

TEST(Stack, LayersReadTheLayerBelowAndTheirOwnState) {
  TestCase test = AddingCase(Direction::kLeft2Right, 2);
  test.Set(kSrcIter, {1000.0, 2000.0});
  RunCase(&test);
  // Layer 0: 1001, 1011, 1111. Layer 1: 2000 + 1001, + 1011, + 1111.
  EXPECT_EQ(test.Get(kDstLayer), (Values{3001, 4012, 5123}));
  EXPECT_EQ(test.Get(kDstIter), (Values{1111, 5123}));
}

TEST(Stack, ConcatPutsLeftToRightFirst) {
  TestCase test = AddingCase(Direction::kBidirectionalConcat, 1);
  test.Set(kSrcIter, {1000.0, 2000.0});
  RunCase(&test);
  EXPECT_EQ(test.Get(kDstLayer), (Values{1001, 2111, 1011, 2110, 1111, 2100}));
  EXPECT_EQ(test.Get(kDstIter), (Values{1111, 2111}));
}

TEST(Stack, SumAddsTheLastLayersOnly) {
  TestCase test = AddingCase(Direction::kBidirectionalSum, 2);
  RunCase(&test);
  // Left to right: 1, 11, 111, then 1, 12, 123. Right to left: 111, 110, 100, then 321, 210, 100.
  EXPECT_EQ(test.Get(kDstLayer), (Values{1 + 321, 12 + 210, 123 + 100}));
  EXPECT_EQ(test.Get(kDstIter), (Values{111, 111, 123, 321}));
}

TEST(Stack, StatesAreIndexedByLayerThenDirection) {
  TestCase test = AddingCase(Direction::kBidirectionalConcat, 2);
  test.Set(kSrcLayer, {0.0, 0.0, 0.0});
  test.Set(kSrcIter, {1.0, 10.0, 100.0, 1000.0});  // (l, d): (0, 0), (0, 1), (1, 0), (1, 1)
  RunCase(&test);
  // Layer 0 keeps 1 and 10 at each step; layer 1 adds them to 100 and 1000 three times.
  EXPECT_EQ(test.Get(kDstIter), (Values{1, 10, 103, 1030}));
  EXPECT_EQ(test.Get(kDstLayer), (Values{101, 1030, 102, 1020, 103, 1010}));
}

TEST(Stack, DirectionsHaveTheirOwnWeights) {
  TestCase test = AddingCase(Direction::kBidirectionalConcat, 1);
  test.Set(kWeightsLayer, {1.0, 2.0});
  RunCase(&test);
  EXPECT_EQ(test.Get(kDstLayer), (Values{1, 222, 11, 220, 111, 200}));
}

TEST(Stack, StatesMayShareTheirMemory) {
  TestCase test = AddingCase(Direction::kLeft2Right, 2);
  test.Set(kSrcIter, {1000.0, 2000.0});
  RnnBuffers buffers = test.Buffers();
  buffers.tensor[kDstIter] = buffers.tensor[kSrcIter];
  CreateRnn(test.problem, nullptr)->Execute(buffers);
  EXPECT_EQ(test.Get(kDstLayer), (Values{3001, 4012, 5123}));
  EXPECT_EQ(test.Get(kSrcIter), (Values{1111, 5123}));
}

TEST(Layouts, DoNotChangeResults) {
  const Variant lstm = LstmWith("lstm both", {kWeightsPeephole, kWeightsProjection});
  TestCase dense = RandomCase(lstm, Direction::kBidirectionalConcat, Propagation::kForwardInference, DataType::kF32, 3);
  RnnProblem problem = dense.problem;
  const auto dims = [&](Tensor tensor) {
    return Dims(problem.md[tensor].dims, problem.md[tensor].dims + problem.md[tensor].ndims);
  };
  problem.md[kSrcLayer] = MakePermuted(dims(kSrcLayer), DataType::kF32, "bac");  // ntc
  problem.md[kDstLayer] = MakePermuted(dims(kDstLayer), DataType::kF32, "bac");
  problem.md[kWeightsLayer] = MakePermuted(dims(kWeightsLayer), DataType::kF32, "abdec");  // ldgoi
  problem.md[kWeightsIter] = MakePermuted(dims(kWeightsIter), DataType::kF32, "abdec");
  problem.md[kWeightsProjection] = MakePermuted(dims(kWeightsProjection), DataType::kF32, "abdc");
  problem.md[kWeightsPeephole].offset0 = 5;
  TestCase other = MakeTestCase(problem);
  for (int tensor = 0; tensor < kDstLayer; ++tensor) {
    const Tensor input = static_cast<Tensor>(tensor);
    if (problem.Has(input)) other.Set(input, dense.Get(input));
  }
  RunCase(&dense);
  RunCase(&other);
  EXPECT_EQ(dense.Get(kDstLayer), other.Get(kDstLayer));
}

TEST(Layouts, AnyBecomesTheTextsLayouts) {
  for (const Propagation propagation : {Propagation::kForwardInference, Propagation::kBackward}) {
    RnnProblem problem = MakeTestProblem(Cell::kLstm, propagation);
    for (MemoryDesc& md : problem.md) {
      if (!IsZero(md)) md = MakeAny(Dims(md.dims, md.dims + md.ndims), TypeOf(md));
    }
    Validate(&problem);
    const RnnProblem resolved = CreateRnn(problem, nullptr)->problem();
    const bool backward = propagation == Propagation::kBackward;
    const char* weights = backward ? "abdec" : "abcde";
    const MemoryDesc& md = resolved.md[kWeightsLayer];
    EXPECT_TRUE(Equal(md, MakePermuted(Dims(md.dims, md.dims + 5), DataType::kF32, weights)));
    EXPECT_TRUE(IsDense(resolved.md[kSrcLayer]));
    EXPECT_EQ(IsDense(md), !backward);
    if (backward) {
      EXPECT_TRUE(IsDense(resolved.md[kDiffWeightsLayer]));
    }
  }
}

TEST(Layouts, OfAnotherImplementationAreRefusedWithTheReason) {
  RnnProblem problem = MakeTestProblem(Cell::kGru);
  Validate(&problem);
  problem.md[kWeightsIter].format_kind = dnnl_format_kind_opaque;
  std::string why_not;
  EXPECT_EQ(CreateRnn(problem, &why_not), nullptr);
  EXPECT_EQ(why_not, "weights_iter has a layout that only another implementation knows");
}

}  // namespace
}  // namespace reference
}  // namespace tandem
