// The bounds are no wider than they must be: a result just outside of the admissible ones is outside of the bound. bounded_test
// asks whether correct results are inside; there a bound of infinity would pass.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "conformance/oracle/bounded_int8.h"
#include "conformance/oracle/bounded_numerics.h"
#include "conformance/problem/problem_notation.h"
#include "conformance/problem/tensor_set.h"

namespace tandem::conformance {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double UlpF32(double y) { return std::nextafter(static_cast<float>(std::fabs(y)), INFINITY) - std::fabs(y); }

bool Holds(const Bounded& bounded, double value) { return value >= bounded.lo() && value <= bounded.hi(); }

// 2 u |y| per declared ulp is one to two ulps of y.
void ExpectDeclaredUlps(const Bounded& y, double exact, double ulp) {
  const double unit = UlpF32(static_cast<float>(exact));
  for (const double sign : {-1., 1.}) {
    EXPECT_TRUE(Holds(y, exact + sign * ulp * unit / 2)) << exact;
    EXPECT_FALSE(Holds(y, exact + sign * (2 * ulp + 1) * unit)) << exact;
  }
}

TEST(TightActivation, HasTheDeclaredUlps) {
  for (const double ulp : {1., 4., 5.}) {
    Declaration declared;
    declared.sigmoid_ulp = declared.tanh_ulp = ulp;
    for (double x = -20; x <= 20; x += 0.37) {
      ExpectDeclaredUlps(BoundedSigmoid(declared, Bounded(x)), 1 / (1 + std::exp(-x)), ulp);
      ExpectDeclaredUlps(BoundedTanh(declared, Bounded(x)), std::tanh(x), ulp);
    }
  }
}

TEST(TightActivation, OfAnUncertainArgumentIsWhatItsEndsGive) {
  const Declaration declared;
  for (const double x : {-3., -0.5, 0., 0.5, 3.}) {
    for (const double e : {1e-3, 0.1, 1.}) {
      const Bounded a = Bounded::WithError(x, e), s = BoundedSigmoid(declared, a), t = BoundedTanh(declared, a);
      const auto sigmoid = [](double y) { return 1 / (1 + std::exp(-y)); };
      const auto distance = [&](auto f) { return std::max(f(x + e) - f(x), f(x) - f(x - e)); };
      for (const double end : {x - e, x + e}) {
        EXPECT_TRUE(Holds(s, sigmoid(end))) << end;
        EXPECT_TRUE(Holds(t, std::tanh(end))) << end;
      }
      EXPECT_LE(s.error(), distance(sigmoid) * 1.001 + 1e-6) << x << " " << e;
      EXPECT_LE(t.error(), distance([](double y) { return std::tanh(y); }) * 1.001 + 1e-6) << x << " " << e;
    }
  }
}

// An exact y leads to at most three roundings, of terms that are at most y (1 + y), or 1 + y^2.
TEST(TightSlope, OfAnExactGateRoundsThreeTimes) {
  for (float y = -1; y <= 1; y += 0.0371f) {
    const Bounded sigmoid = BoundedSigmoidSlope(Bounded(y)), tanh = BoundedTanhSlope(Bounded(y));
    for (const float got : {y * (1 - y), y - y * y, std::fmaf(-y, y, y)}) EXPECT_TRUE(Holds(sigmoid, got)) << y;
    for (const float got : {1 - y * y, (1 - y) * (1 + y), std::fmaf(-y, y, 1.f)}) EXPECT_TRUE(Holds(tanh, got)) << y;
    const double size = std::fabs(y);
    EXPECT_LE(sigmoid.error(), 3.001 * kUnitF32 * size * (1 + size) + 1e-37) << y;
    EXPECT_LE(tanh.error(), 3.001 * kUnitF32 * (1 + size * size) + 1e-37) << y;
  }
}

TEST(TightSlope, OfAnUncertainGateIsWhatItsEndsGive) {
  for (const double y : {-0.9, -0.25, 0., 0.25, 0.5, 0.9}) {
    for (const double e : {1e-3, 0.1, 0.4}) {
      const Bounded gate = Bounded::WithError(y, e);
      const Bounded sigmoid = BoundedSigmoidSlope(gate), tanh = BoundedTanhSlope(gate);
      double most_sigmoid = 0, most_tanh = 0;
      for (const double end : {y - e, y + e}) {
        EXPECT_TRUE(Holds(sigmoid, end * (1 - end))) << y << " " << e;
        EXPECT_TRUE(Holds(tanh, 1 - end * end)) << y << " " << e;
        most_sigmoid = std::max(most_sigmoid, std::fabs(end * (1 - end) - y * (1 - y)));
        most_tanh = std::max(most_tanh, std::fabs(end * end - y * y));
      }
      EXPECT_LE(sigmoid.error(), most_sigmoid + 1e-5) << y << " " << e;
      EXPECT_LE(tanh.error(), most_tanh + 1e-5) << y << " " << e;
    }
  }
}

TEST(TightSlope, OfReluIsExactWhereTheSignIsKnown) {
  for (const double alpha : {0., 0.25, -0.5}) {
    const Bounded up = BoundedReluSlope(Bounded::WithError(1, 0.5), alpha);
    const Bounded down = BoundedReluSlope(Bounded::WithError(-1, 0.5), alpha);
    const Bounded zero = BoundedReluSlope(Bounded(0), alpha);
    EXPECT_EQ(up.lo(), 1);
    EXPECT_EQ(up.hi(), 1);
    for (const Bounded& slope : {down, zero}) {
      EXPECT_EQ(slope.lo(), alpha);
      EXPECT_EQ(slope.hi(), alpha);
    }
    for (const double x : {-0.25, 0.25}) {
      const Bounded either = BoundedReluSlope(Bounded::WithError(x, 0.5), alpha);
      EXPECT_TRUE(Holds(either, alpha) && Holds(either, 1)) << x;
      EXPECT_EQ(either.error(), 1 - alpha) << x;
    }
  }
}

BoundedQuantization QuantizationOf(const std::string& words) {
  return BoundedQuantization(ToRnnProblem(ParseProblem("--alg=VANILLA_LSTM " + words + " l1t1mb1sic4")));
}

void ExpectBytes(const Bounded& got, double lo, double hi) {
  EXPECT_EQ(got.lo(), lo);
  EXPECT_EQ(got.hi(), hi);
}

TEST(TightBytes, AreThoseThatTheIntervalRoundsTo) {
  const BoundedQuantization u8 = QuantizationOf("--cfg=u8u8u8u8"), s8 = QuantizationOf("--cfg=s8s8s8s8");
  for (const BoundedQuantization* q : {&u8, &s8}) {
    ExpectBytes(q->Quantized(Bounded::WithError(3.25, 0.2)), 3, 3);
    ExpectBytes(q->Quantized(Bounded::WithError(3.5, 0.01)), 3, 4);
    ExpectBytes(q->Quantized(Bounded(2.5)), 2, 2);
    ExpectBytes(q->Quantized(Bounded(3.5)), 4, 4);
    ExpectBytes(q->Quantized(Bounded::WithError(10, 1.75)), 8, 12);
    EXPECT_FALSE(q->Quantized(Bounded(NAN)).known());
  }
  ExpectBytes(u8.Quantized(Bounded(300)), 255, 255);
  ExpectBytes(u8.Quantized(Bounded(-3)), 0, 0);
  ExpectBytes(s8.Quantized(Bounded(300)), 127, 127);
  ExpectBytes(s8.Quantized(Bounded(-300)), -128, -128);
}

// scale * (x + shift), or scale * x + shift, has three roundings of two terms.
TEST(TightBytes, AreRoundedFromWhatTheScaleGives) {
  const BoundedQuantization q = QuantizationOf("--cfg=u8u8u8u8 --data-scale=63.7 --zero-point=88");
  for (const double x : {-1.25, -0.3, 0.1, 0.7, 2.}) {
    const double value = q.scale * x + q.zero_point;
    const Bounded exact = q.Before(Bounded(static_cast<float>(x)));
    EXPECT_NEAR(exact.value(), value, 1e-4);
    EXPECT_LE(exact.error(), 1e-4);
    for (const double e : {1e-3, 0.1}) {
      const Bounded before = q.Before(Bounded::WithError(x, e));
      EXPECT_TRUE(Holds(before, value - q.scale * e) && Holds(before, value + q.scale * e));
      EXPECT_LE(before.error(), q.scale * e + 1e-4);
      const Bounded back = q.Dequantized(before);
      EXPECT_NEAR(back.value(), x, 1e-6);
      EXPECT_TRUE(Holds(back, x - e) && Holds(back, x + e));
      EXPECT_LE(back.error(), e + 1e-5);
    }
  }
}

// A type of 16 bits ends at 65504. Values from the middle to the next power on are stored as infinity.
TEST(TightOverflow, OfF16BeginsAt65520) {
  const auto f16 = DataType::kF16;
  ExpectBytes(Stored(f16, Bounded(65519.99)), 65504, 65504);
  EXPECT_EQ(Stored(f16, Bounded(65520)).value(), kInfinity);
  EXPECT_EQ(Stored(f16, Bounded(-65520)).value(), -kInfinity);
  EXPECT_FALSE(Stored(f16, Bounded::WithError(65519, 2)).known());
  EXPECT_TRUE(Stored(f16, Bounded::WithError(65510, 2)).known());
}

// One mode may turn operands of f32 into f16, and one may not.
TEST(TightOverflow, OfOperandsIsKnownToTheModesThatPermitF16) {
  const auto product = [](FpmathMode mode, double w, double x) {
    RnnProblem problem = ToRnnProblem(ParseProblem("--alg=VANILLA_LSTM --cfg=f32 l1t1mb1sic4"));
    problem.attr.fpmath_mode = mode;
    const BoundedNumerics numerics(problem, Declaration(), Propagation::kForwardInference);
    return numerics.Dot(DoubleMat::Constant(1, 1, w), BoundedMat::Constant(1, 1, Bounded(x)))(0, 0).known();
  };
  for (const FpmathMode mode : {FpmathMode::kF16, FpmathMode::kAny}) {
    EXPECT_TRUE(product(mode, 65504, 1));
    EXPECT_TRUE(product(mode, 1, 65504));
    EXPECT_FALSE(product(mode, 65520, 1));
    EXPECT_FALSE(product(mode, 1, 65520));
    EXPECT_FALSE(product(mode, -65520, 1));
  }
  for (const FpmathMode mode : {FpmathMode::kStrict, FpmathMode::kBf16, FpmathMode::kTf32}) {
    EXPECT_TRUE(product(mode, 65520, 1));
    EXPECT_TRUE(product(mode, 1, 1e10));
  }
}

}  // namespace
}  // namespace tandem::conformance
