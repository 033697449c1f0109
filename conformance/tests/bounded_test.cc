#include "conformance/oracle/bounded.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "conformance/oracle/bounded_numerics.h"
#include "conformance/problem/tensor_set.h"

namespace tandem::conformance {
namespace {

using Engine = std::mt19937_64;

float Normal(Engine* engine, double scale) {
  return static_cast<float>(std::normal_distribution<double>(0, scale)(*engine));
}

// Adds the terms in a random tree: picks two, adds them, puts the sum back.
float AddInRandomOrder(std::vector<float> terms, Engine* engine) {
  while (terms.size() > 1) {
    std::swap(terms[(*engine)() % terms.size()], terms.back());
    const float a = terms.back();
    terms.pop_back();
    terms[(*engine)() % terms.size()] += a;
  }
  return terms[0];
}

float Chained(const std::vector<float>& w, const std::vector<float>& x, bool fused) {
  float sum = 0;
  for (size_t k = 0; k < w.size(); ++k) sum = fused ? std::fmaf(w[k], x[k], sum) : sum + w[k] * x[k];
  return sum;
}

TEST(Bounded, HoldsEveryOrderOfASumOfProducts) {
  Engine engine(1);
  double worst = 0;
  for (int round = 0; round < 400; ++round) {
    const size_t n = 1 + engine() % 70;
    std::vector<float> w(n), x(n), terms(n);
    Bounded sum;
    for (size_t k = 0; k < n; ++k) {
      w[k] = Normal(&engine, 1), x[k] = Normal(&engine, std::exp2(static_cast<int>(engine() % 20)));
      terms[k] = w[k] * x[k];
      sum = k == 0 ? Bounded(w[k]) * Bounded(x[k]) : sum + Bounded(w[k]) * Bounded(x[k]);
    }
    for (const float got : {AddInRandomOrder(terms, &engine), Chained(w, x, true), Chained(w, x, false)}) {
      ASSERT_LE(std::fabs(got - sum.value()), sum.error()) << "seed 1, round " << round << ", n " << n;
      worst = std::max(worst, std::fabs(got - sum.value()) / sum.error());
    }
  }
  EXPECT_GT(worst, 0.05) << "a bound that never bites is too loose";
}

TEST(Bounded, ASumOfTwoExactNumbersIsExactWhereItIsANumber) {
  const Bounded sum = Bounded(1.5) + Bounded(1) * Bounded(-0.25);
  EXPECT_EQ(sum.error(), 0);
  EXPECT_EQ((-sum).error(), 0);
  EXPECT_GT((Bounded(1) + Bounded(0x1p-24)).error(), 0) << "rounded";
  EXPECT_GT((sum + Bounded(0.5)).error(), 0) << "another order of the additions may round";
  EXPECT_GT((Bounded(1) + Bounded(0x1p-130)).error(), 0);
  EXPECT_GT((Bounded(0x1p-126) - Bounded(0x1.8p-126)).error(), 0) << "may count as zero";
  EXPECT_GT(sum.Scaled(1. / 3).error(), 0);
  EXPECT_GT((Bounded::WithError(1.5, 0x1p-20) + Bounded(1)).error(), 0x1p-20);
}

TEST(Bounded, DoubledWeightIsOutside) {
  const Bounded once = Bounded(0.5) * Bounded(0.75) + Bounded(0.25) * Bounded(0.125);
  EXPECT_GT(std::fabs((2 * 0.5 * 0.75 + 0.25 * 0.125) - once.value()), once.error());
}

TEST(Gamma, GrowsWithTheRootOfTheRoundingsWhereAskedTo) {
  const Arithmetic worst;
  Arithmetic typical;
  typical.typical_growth = 6;
  EXPECT_NEAR(typical.Gamma(100) / worst.Gamma(100), 0.6, 1e-4);
  EXPECT_EQ(typical.Gamma(9), worst.Gamma(9));
}

TEST(Bounded, MatrixProductAgreesWithTheScalarOperations) {
  Engine engine(2);
  DoubleMat w(3, 17);
  BoundedMat x(17, 2);
  for (Eigen::Index i = 0; i < w.size(); ++i) w.data()[i] = Normal(&engine, 1);
  for (Eigen::Index i = 0; i < x.size(); ++i) x.data()[i] = Bounded::WithError(Normal(&engine, 1), 1e-6);
  const Arithmetic arithmetic;
  const BoundedMat fast = BoundedProduct(&arithmetic, w, x);
  for (Eigen::Index i = 0; i < 3; ++i) {
    for (Eigen::Index j = 0; j < 2; ++j) {
      Bounded slow = Bounded(w(i, 0)) * x(0, j);
      for (Eigen::Index k = 1; k < 17; ++k) slow += Bounded(w(i, k)) * x(k, j);
      EXPECT_NEAR(fast(i, j).value(), slow.value(), 1e-14);
      EXPECT_NEAR(fast(i, j).error(), slow.error(), 1e-9 * slow.error());
    }
  }
}

TEST(Bounded, KnowsNothingWhereSomeOrderOverflows) {
  const Bounded big = Bounded(0x1p127) + Bounded(0x1p127) + Bounded(-0x1p127);
  EXPECT_FALSE(big.error() < INFINITY);
  EXPECT_TRUE(std::isinf((Bounded(0.5) * big).error()));
}

TEST(Bounded, KeepsTheClassOfNanAndInfinity) {
  const Bounded nan(NAN), inf(INFINITY);
  EXPECT_TRUE((nan * Bounded(0)).is_nan());
  EXPECT_TRUE((inf * Bounded(0)).is_nan());
  EXPECT_TRUE((inf - inf).is_nan());
  EXPECT_EQ((inf + Bounded(1)).value(), INFINITY);
  EXPECT_EQ((inf + Bounded(1)).error(), 0);
  // 0 +- 1 times infinity may be either infinity or NaN.
  EXPECT_FALSE((inf * Bounded::WithError(0, 1)).known());
}

// Subnormal operands may count as zero, so an infinity times one may be NaN.
TEST(Bounded, KnowsNothingOfAnInfinityTimesASubnormal) {
  const Bounded inf(std::numeric_limits<double>::infinity()), subnormal(0x1p-140), normal(0x1p-126);
  EXPECT_FALSE((inf * subnormal).known());
  EXPECT_FALSE((-subnormal * inf).known());
  EXPECT_TRUE((inf * normal).known());
  const Arithmetic keeps_subnormals = {0x1p-149, kUnitF32, std::numeric_limits<double>::infinity()};
  EXPECT_TRUE((inf * subnormal.In(&keeps_subnormals)).known());
}

TEST(BoundedActivation, HoldsFloatEvaluations) {
  Engine engine(3);
  const Declaration declared;
  for (int i = 0; i < 20000; ++i) {
    const float x = Normal(&engine, 5);
    const float sigmoid = 1.f / (1.f + std::exp(-x)), tanh = std::tanh(x);
    const Bounded s = BoundedSigmoid(declared, Bounded(x)), t = BoundedTanh(declared, Bounded(x));
    ASSERT_LE(std::fabs(sigmoid - s.value()), s.error()) << "x " << x;
    ASSERT_LE(std::fabs(tanh - t.value()), t.error()) << "x " << x;
  }
}

TEST(BoundedActivation, KnowsNothingWhereFiniteTermsMayOverflowAgainstAnInfinity) {
  const double inf = std::numeric_limits<double>::infinity();
  // -3.74e38 overflows f32, so the sum is infinity, or -infinity + infinity.
  const Bounded sum = Bounded(3e38f) * Bounded(-1.2459769) + Bounded(-inf) * Bounded(-0.3);
  EXPECT_FALSE(BoundedSigmoid(Declaration(), sum).known());
  EXPECT_FALSE(BoundedTanh(Declaration(), sum).known());
  EXPECT_EQ(BoundedTanh(Declaration(), Bounded(3e37f) * Bounded(-1.2459769) + Bounded(-inf) * Bounded(-0.3)).value(),
            1);
}

// -3.6e38 overflows f32 to -infinity, whose sum with infinity is NaN.
TEST(BoundedActivation, KnowsNothingOfAnInfinityBesideAFiniteOverflow) {
  const Bounded sum = Bounded(INFINITY) + Bounded(3e38) * Bounded(-1.2);
  EXPECT_FALSE(BoundedSigmoid(Declaration(), sum).known());
  EXPECT_FALSE(BoundedTanh(Declaration(), sum).known());
  const Bounded small = Bounded(INFINITY) + Bounded(3e37) * Bounded(-1.2);
  EXPECT_EQ(BoundedSigmoid(Declaration(), small).lo(), 1);
}

TEST(BoundedActivation, RejectsCancellationNearZero) {
  const Bounded t = BoundedTanh(Declaration(), Bounded(1e-4));
  const float cancelled = 1.f - 2.f / (std::exp(2e-4f) + 1.f);
  EXPECT_GT(std::fabs(cancelled - t.value()), t.error());
}

TEST(BoundedMix, HoldsBothFormsOfTheInterpolation) {
  Engine engine(4);
  for (int i = 0; i < 20000; ++i) {
    const float u = std::fabs(Normal(&engine, 0.4)), h = Normal(&engine, 1), o = Normal(&engine, 1);
    const Bounded mix = BoundedMix(Bounded(u), Bounded(h), Bounded(o));
    for (const float got :
         {u * h + (1 - u) * o, o + u * (h - o), std::fmaf(u, h - o, o), std::fmaf(u, h, (1 - u) * o)}) {
      ASSERT_LE(std::fabs(got - mix.value()), mix.error()) << u << " " << h << " " << o;
    }
  }
}

// The gate is lost beside o in f32, but not in wider arithmetic.
// A random problem found it: (1 - u) o overflows, and u h brings the exact sum back.
TEST(BoundedMix, IsUnknownWhereAPartOverflows) {
  EXPECT_FALSE(BoundedMix(Bounded(3e38), Bounded(0.2275), Bounded(1.296)).known());
  EXPECT_FALSE(BoundedMix(Bounded(0.5), Bounded(-3e38), Bounded(3e38)).known());  // h - o
  EXPECT_TRUE(BoundedMix(Bounded(0.5), Bounded(3e38), Bounded(3e38)).known());
  EXPECT_TRUE(BoundedMix(Bounded(1), Bounded(3e38), Bounded(-1)).known());
}

TEST(BoundedMix, AGateOf2ToTheMinus30IsNotClosed) {
  const Bounded mixed = BoundedMix(Bounded(0x1p-31), Bounded(0.5), Bounded(1));
  EXPECT_LE(mixed.lo(), 1 - 0x1p-32);
  EXPECT_GE(mixed.hi(), 1);
  const Bounded closed = BoundedMix(Bounded(0x1p-60), Bounded(0.5), Bounded(1));
  EXPECT_EQ(closed.lo(), 1);
  EXPECT_EQ(closed.hi(), 1);
}

TEST(BoundedRelu, AcceptsBothBranchesWhereTheSignIsUncertain) {
  const Bounded y = BoundedRelu(Bounded::WithError(1e-9, 1e-8), 0.5);
  EXPECT_LE(y.lo(), 0.5 * (1e-9 - 1e-8));
  EXPECT_GE(y.hi(), 1.1e-8);
}

TEST(BoundedRelu, KnowsNothingOfZeroTimesMinusInfinity) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(BoundedRelu(Bounded(-inf), 0).known());
  EXPECT_EQ(BoundedRelu(Bounded(-inf), 0.5).value(), -inf);
  EXPECT_EQ(BoundedRelu(Bounded(inf), 0).value(), inf);
}

TEST(BoundedClip, HoldsAllOfTheInterval) {
  const Bounded inside = BoundedClip(Bounded::WithError(0.25, 0.125), 0.5);
  EXPECT_EQ(inside.value(), 0.25);
  EXPECT_EQ(inside.error(), 0.125);
  const Bounded straddling = BoundedClip(Bounded::WithError(0.625, 0.25), 0.5);  // 0.375 to 0.875
  EXPECT_EQ(straddling.value(), 0.5);
  EXPECT_EQ(straddling.lo(), 0.375);
  EXPECT_EQ(BoundedClip(Bounded::WithError(-2, 0.25), 0.5).value(), -0.5);
  EXPECT_EQ(BoundedClip(Bounded::WithError(-2, 0.25), 0.5).error(), 0);
  EXPECT_TRUE(std::isnan(BoundedClip(Bounded(NAN), 0.5).value()));
}

TEST(BoundedClip, HasBothSlopesWhereABoundIsInTheInterval) {
  const auto slope = [](double value, double error) { return BoundedClipSlope(Bounded::WithError(value, error), 0.5); };
  EXPECT_EQ(slope(0.25, 0.25).lo(), 1) << "a slope is 1 at the bound";
  EXPECT_EQ(slope(0.75, 0.125).hi(), 0);
  for (const double value : {0.5, -0.5}) {
    EXPECT_LE(slope(value, 0.125).lo(), 0);
    EXPECT_GE(slope(value, 0.125).hi(), 1);
  }
}

TEST(Stored, IsOneValueWhereTheIntervalRoundsToOne) {
  const Bounded sure = Stored(DataType::kBf16, Bounded::WithError(1.001, 1e-5));
  EXPECT_EQ(sure.value(), 1);
  EXPECT_EQ(sure.error(), 0);
  const Bounded either = Stored(DataType::kBf16, Bounded::WithError(1 + 0x1p-8, 1e-5));
  EXPECT_EQ(either.lo(), 1);
  EXPECT_EQ(either.hi(), 1 + 0x1p-7);
}

RnnProblem AugruBackwardInBf16() {
  RnnProblem problem;
  problem.cell = Cell::kAugru;
  problem.propagation = Propagation::kBackward;
  problem.md[kSrcLayer] = MakeDense({1, 1, 1}, DataType::kBf16);
  return problem;
}

bool Holds(const BoundedMat& interval, double value) {
  return std::fabs(value - interval(0, 0).value()) <= interval(0, 0).error();
}

// The arithmetic of bf16, on every gate that bf16 can hold, is admissible if and only if it is declared.
TEST(BoundedSlope, HoldsTheDataTypesArithmeticWhereItIsDeclared) {
  const auto bf16 = [](double x) { return RoundToType(x, DataType::kBf16); };
  const RnnProblem problem = AugruBackwardInBf16();
  Declaration declared;
  declared.narrow_slopes = 1u << static_cast<int>(Cell::kAugru);
  const BoundedNumerics narrow(problem, declared), wide(problem, Declaration());
  int outside_sigmoid = 0, outside_tanh = 0, gates = 0;
  for (double y = 0x1p-20; y < 1; y = NextUp(y, DataType::kBf16), ++gates) {
    const BoundedMat gate = BoundedMat::Constant(1, 1, Bounded(y));
    const double sigmoid = bf16(bf16(1 - y) * y);
    const double tanh = bf16(bf16(1 - y) * static_cast<float>(1 + y));
    ASSERT_TRUE(Holds(narrow.SigmoidSlope(gate), sigmoid)) << y;
    ASSERT_TRUE(Holds(narrow.TanhSlope(gate), tanh)) << y;
    outside_sigmoid += !Holds(wide.SigmoidSlope(gate), sigmoid);
    outside_tanh += !Holds(wide.TanhSlope(gate), tanh);
  }
  EXPECT_GT(outside_sigmoid, gates / 2);
  EXPECT_GT(outside_tanh, gates / 2);
}

// Three products, added up in bf16, are admissible if and only if that is declared, and in backward only.
TEST(Declaration, GradientsInTheDataTypeAreThoseOfBackward) {
  const auto bf16 = [](double x) { return RoundToType(x, DataType::kBf16); };
  const RnnProblem problem = AugruBackwardInBf16();
  Declaration declared;
  declared.narrow_gradients = true;
  const BoundedNumerics narrow(problem, declared, Propagation::kBackward),
      wide(problem, Declaration(), Propagation::kBackward), forward(problem, declared, Propagation::kForwardTraining);
  const BoundedMat delta = BoundedMat::Constant(1, 1, Bounded(1.5)), x = BoundedMat::Constant(1, 1, Bounded(0.3359375));
  const double product = 1.5 * 0.3359375;
  const double sum = bf16(bf16(bf16(product) + product) + product);
  const auto add_up = [&](const BoundedNumerics& policy) {
    BoundedMat dw = policy.ZeroGradient(1, 1);
    for (int i = 0; i < 3; ++i) policy.AddOuter(delta, x, &dw);
    return policy.Value(dw);
  };
  EXPECT_NE(sum, 3 * product);
  EXPECT_TRUE(Holds(add_up(narrow), sum));
  EXPECT_TRUE(Holds(add_up(narrow), 3 * product));
  EXPECT_FALSE(Holds(add_up(wide), sum));
  EXPECT_FALSE(Holds(add_up(forward), sum));
}

// U h + b of the LBR cells is a pre-activation, too, although no activation follows it.
TEST(Declaration, PreActivationsInTheDataTypeAreThoseOfForward) {
  const RnnProblem problem = AugruBackwardInBf16();
  Declaration declared;
  declared.narrow_sums = 1u << static_cast<int>(problem.cell);
  const BoundedMat sum = BoundedMat::Constant(1, 1, Bounded(1 + 0x1p-10));
  EXPECT_TRUE(Holds(BoundedNumerics(problem, declared, Propagation::kForwardTraining).Value(sum), 1));
  EXPECT_FALSE(Holds(BoundedNumerics(problem, declared, Propagation::kBackward).Value(sum), 1));
  EXPECT_FALSE(Holds(BoundedNumerics(problem, Declaration(), Propagation::kForwardTraining).Value(sum), 1));
}

// Returns the sum of 4096 products of 0.01 and 1/4.
BoundedMat LongSum(const BoundedNumerics& policy) {
  return policy.Dot(DoubleMat::Constant(1, 4096, 0.01), BoundedMat::Constant(4096, 1, Bounded(0.25)));
}
// Returns the error of y - y^2 for a subnormal y, which may be flushed to zero.
double SigmoidSlopeError(const BoundedNumerics& policy) {
  return policy.SigmoidSlope(BoundedMat::Constant(1, 1, Bounded(0x1p-130)))(0, 0).error();
}

TEST(BoundedNumerics, KeepsItsBoundsWhileAPolicyOfOtherSettingsIsAlive) {
  RnnProblem problem;
  problem.md[kSrcLayer] = MakeDense({1, 1, 1}, DataType::kF32);
  Declaration narrow;
  narrow.typical_growth = 6;
  narrow.subnormals = Subnormals::kKeep;
  const BoundedNumerics first(problem, Declaration());
  const BoundedMat before = LongSum(first);
  const double alone = before(0, 0).error(), slope = SigmoidSlopeError(first);
  const BoundedNumerics second(problem, narrow);
  EXPECT_LT(LongSum(second)(0, 0).error(), 0.1 * alone) << "the settings matter";
  EXPECT_LT(SigmoidSlopeError(second), slope) << "the settings matter";
  EXPECT_EQ(LongSum(first)(0, 0).error(), alone);
  EXPECT_EQ(before(0, 0).error(), alone) << "a sum from before";
  EXPECT_EQ(SigmoidSlopeError(first), slope);
}

TEST(RoundToType, NeighboursAreOneUlpApart) {
  EXPECT_EQ(NextUp(1, DataType::kBf16), 1 + 0x1p-7);
  EXPECT_EQ(NextDown(1, DataType::kF16), 1 - 0x1p-11);
  EXPECT_EQ(NextDown(0, DataType::kF32), -0x1p-149);
  EXPECT_EQ(NextUp(-0x1p-24, DataType::kF16), 0);
  EXPECT_EQ(NextUp(255, DataType::kU8), 255);
}

TEST(Declaration, AbsoluteErrorsOfActivationsComeOnTop) {
  Declaration declared;
  declared.tanh_abs = 1e-3;
  declared.sigmoid_abs = 2e-3;
  for (const double x : {-50., -1e-6, 0., 3., 50.}) {
    EXPECT_GE(BoundedTanh(declared, Bounded(x)).error(), 1e-3) << x;
    EXPECT_LT(BoundedTanh(declared, Bounded(x)).error(), 1.01e-3) << x;
    EXPECT_GE(BoundedSigmoid(declared, Bounded(x)).error(), 2e-3) << x;
  }
  EXPECT_EQ(BoundedTanh(Declaration(), Bounded(50)).error(), 0);
}

}  // namespace
}  // namespace tandem::conformance
