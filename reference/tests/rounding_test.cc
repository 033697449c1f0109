// Storage types and fpmath modes, seen through whole problems.
#include "reference/numerics/rounding.h"

#include <gtest/gtest.h>

#include "reference/tests/random_problem.h"

namespace tandem {
namespace reference {
namespace {

RnnProblem OneOfEverything(Cell cell, DataType x) {
  TestShape shape;
  shape.n_iter = shape.mb = shape.slc = shape.sic = shape.dhc = shape.dic = 1;
  return MakeTestProblem(cell, Propagation::kForwardInference, Direction::kLeft2Right, x, shape);
}

TEST(Rounding, Bf16Keeps8BitsAndF16Keeps11) {
  // Between 1 and 2, bf16 steps by 2^-7 and f16 by 2^-10; ties go to even.
  EXPECT_EQ(RoundTo(DataType::kBf16, 1.0 + 0x1p-8), 1.0);
  EXPECT_EQ(RoundTo(DataType::kBf16, 1.0 + 0x3p-8), 1.0 + 0x1p-6);
  EXPECT_EQ(RoundTo(DataType::kF16, 1.0 + 0x1p-11), 1.0);
  EXPECT_EQ(RoundTo(DataType::kF16, 1.0 + 0x3p-11), 1.0 + 0x1p-9);
}

TEST(Rounding, HappensOnce) {
  // Rounded to f32 first, the value would lose its last bit, become a tie and go down.
  EXPECT_EQ(RoundTo(DataType::kBf16, 1.0 + 0x1p-8 + 0x1p-40), 1.0 + 0x1p-7);
  EXPECT_EQ(RoundTo(DataType::kF16, 1.0 + 0x1p-11 + 0x1p-40), 1.0 + 0x1p-10);
}

TEST(Rounding, Tf32Keeps10BitsOfMantissaAndF32sRange) {
  EXPECT_EQ(RoundToTf32(1.f + 0x1p-11f), 1.f);
  EXPECT_EQ(RoundToTf32(1.f + 0x3p-11f), 1.f + 0x1p-9f);
  EXPECT_EQ(RoundToTf32(0x1p127f), 0x1p127f);
  EXPECT_TRUE(std::isinf(RoundToTf32(HUGE_VALF)));
  EXPECT_TRUE(std::isnan(RoundToTf32(NAN)));
}

TEST(Rounding, StatesAreStoredInTheTypeOfSrcLayer) {
  for (const DataType x : {DataType::kBf16, DataType::kF16}) {
    RnnProblem problem = OneOfEverything(Cell::kVanillaRnn, x);
    problem.activation = Activation::kRelu;
    problem.md[kSrcLayer] = MakeDense({2, 1, 1}, x);
    problem.md[kDstLayer] = MakeDense({2, 1, 1}, x);
    TestCase test = MakeTestCase(problem);
    const double ulp = x == DataType::kBf16 ? 0x1p-7 : 0x1p-10;  // of 1
    test.Set(kBias, {ulp / 2});
    test.Set(kSrcIter, {1.0});
    test.Set(kWeightsIter, {1.0});
    RunCase(&test);
    // 1 + ulp / 2 is a tie and stays at 1, at each step; unrounded states would reach 1 + ulp.
    EXPECT_EQ(test.Get(kDstLayer), (std::vector<double>{1.0, 1.0}));
  }
}

TEST(Rounding, ACellStateIsRoundedOnlyAfterItsStepUsedIt) {
  RnnProblem problem = OneOfEverything(Cell::kLstm, DataType::kBf16);
  problem.md[kSrcIterC] = MakeDense({1, 1, 1, 1}, DataType::kBf16);
  problem.md[kDstIterC] = MakeDense({1, 1, 1, 1}, DataType::kBf16);
  problem.md[kWeightsPeephole] = MakeDense({1, 1, 3, 1}, DataType::kF32);
  TestCase test = MakeTestCase(problem);
  test.Set(kSrcIterC, {1.0});
  // i = 1, f = 1, c~ = tanh(2^-9): c = 1 + 2^-9 rounds to 1.
  test.Set(kBias, {1000.0, 1000.0, 0x1p-9, -1000.0});
  test.Set(kWeightsPeephole, {0.0, 0.0, 1000.0});
  RunCase(&test);
  EXPECT_EQ(test.Get(kDstIterC)[0], 1.0);
  // o = s(1000 c - 1000) = s(1.953) = 0.876 with the unrounded c, 0.5 with the rounded one.
  EXPECT_GT(test.Get(kDstLayer)[0], 0.6);
}

TEST(Rounding, TheResetStateIsStoredBeforeItsProduct) {
  RnnProblem problem = OneOfEverything(Cell::kGru, DataType::kBf16);
  TestCase test = MakeTestCase(problem);
  test.Set(kSrcIter, {1.0 + 0x1p-7});
  // r = s(-1.5) = 0.18242552: r h' = 0.18385072 is stored as 0.18359375 = 47 * 2^-8, an error of 2.57e-4. u = 0; the
  // product with 128 and the bias -23.5 leave 0 instead of 0.0329.
  test.Set(kBias, {-1000.0, -1.5, -23.5});
  test.Set(kWeightsIter, {0.0, 0.0, 128.0});
  RunCase(&test);
  EXPECT_EQ(test.Get(kDstLayer)[0], 0.0);
}

double ProductUnder(FpmathMode mode, double x, double w) {
  RnnProblem problem = OneOfEverything(Cell::kVanillaRnn, DataType::kF32);
  problem.activation = Activation::kRelu;
  problem.attr.fpmath_mode = mode;
  TestCase test = MakeTestCase(problem);
  test.Set(kSrcLayer, {x});
  test.Set(kWeightsLayer, {w});
  test.Set(kBias, {0x1p-20});  // never converted
  RunCase(&test);
  return test.Get(kDstLayer)[0] - 0x1p-20;
}

TEST(Fpmath, ConvertsBothOperandsOfProductsToTheModesType) {
  const double value = 1.0 + 0x1p-8 + 0x1p-11 + 0x1p-13;
  const double bf16 = 1.0 + 0x1p-7, tf32 = 1.0 + 0x1p-8 + 0x1p-10;
  EXPECT_EQ(ProductUnder(FpmathMode::kStrict, value, 1.0), value);
  EXPECT_EQ(ProductUnder(FpmathMode::kBf16, value, 1.0), bf16);
  EXPECT_EQ(ProductUnder(FpmathMode::kBf16, 1.0, value), bf16);
  EXPECT_EQ(ProductUnder(FpmathMode::kAny, value, 1.0), bf16);
  EXPECT_EQ(ProductUnder(FpmathMode::kF16, value, 1.0), tf32);
  EXPECT_EQ(ProductUnder(FpmathMode::kTf32, 1.0, value), tf32);
}

TEST(Fpmath, F16OverflowsAndTf32DoesNot) {
  EXPECT_TRUE(std::isinf(ProductUnder(FpmathMode::kF16, 131072.0, 1.0)));
  EXPECT_EQ(ProductUnder(FpmathMode::kTf32, 131072.0, 1.0) + 0x1p-20, 131072.0);
}

TEST(Fpmath, IsIgnoredBy16BitProblems) {
  const Variant lstm = {"lstm", Cell::kLstm};
  TestCase strict = RandomCase(lstm, Direction::kLeft2Right, Propagation::kForwardInference, DataType::kF16, 5);
  TestCase any = strict;
  any.problem.attr.fpmath_mode = FpmathMode::kAny;
  RunCase(&strict);
  RunCase(&any);
  EXPECT_EQ(strict.Get(kDstLayer), any.Get(kDstLayer));
}

TEST(Rounding, GradientsOfPreActivationsAreStoredBeforeProductsAndSums) {
  for (const DataType x : {DataType::kF32, DataType::kBf16, DataType::kF16}) {
    TestShape shape;
    shape.n_iter = shape.mb = shape.slc = shape.sic = shape.dhc = shape.dic = 1;
    RnnProblem problem = MakeTestProblem(Cell::kVanillaRnn, Propagation::kBackward, Direction::kLeft2Right, x, shape);
    problem.activation = Activation::kRelu;
    TestCase test = MakeTestCase(problem);
    test.Set(kSrcLayer, {2.0});
    test.Set(kWeightsLayer, {4.0});
    test.Set(kDiffDstLayer, {1.0 + 0x1p-12});  // representable in f32 only; Delta, as a > 0
    RunForward(&test);
    RunCase(&test);
    const double delta = x == DataType::kF32 ? 1.0 + 0x1p-12 : 1.0;
    EXPECT_EQ(test.Get(kDiffSrcLayer)[0], 4.0 * delta);
    EXPECT_EQ(test.Get(kDiffWeightsLayer)[0], 2.0 * delta);
    EXPECT_EQ(test.Get(kDiffBias)[0], delta);
  }
}

// sigmoid'(u) is taken from the gate as the workspace keeps it.
TEST(Rounding, SavedGatesAreOfTheTypeOfSrcLayer) {
  TestShape shape;
  shape.n_iter = shape.mb = shape.slc = shape.sic = shape.dhc = shape.dic = 1;
  TestCase test =
      MakeTestCase(MakeTestProblem(Cell::kGru, Propagation::kBackward, Direction::kLeft2Right, DataType::kBf16, shape));
  test.Set(kSrcIter, {1.0});
  test.Set(kBias, {1.0, 0.0, 0.0});
  test.Set(kDiffDstLayer, {1.0});
  RunForward(&test);
  RunCase(&test);
  // u = 0.7310585786 is stored as 187 * 2^-8 = 0.73046875: dh' = u, and Delta_u = u (1 - u) = 0.19688416 is stored as
  // 202 * 2^-10 = 0.197265625 (0.19661193 would be 201 * 2^-10).
  EXPECT_EQ(test.Get(kDiffSrcIter)[0], 0.73046875);
  EXPECT_EQ(test.Get(kDiffBias)[0], 0x1p-10 * 202);
}

}  // namespace
}  // namespace reference
}  // namespace tandem
