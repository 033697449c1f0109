// The activations against 200-bit arithmetic.
#include "reference/numerics/activations.h"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <limits>

namespace tandem {
namespace reference {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

// A 200-bit number: 60 digits.
class Wide {
 public:
  explicit Wide(double value) {
    mpfr_init2(value_, 200);
    mpfr_set_d(value_, value, MPFR_RNDN);
  }
  ~Wide() { mpfr_clear(value_); }
  Wide(const Wide&) = delete;
  Wide& operator=(const Wide&) = delete;

  void Tanh() { mpfr_tanh(value_, value_, MPFR_RNDN); }
  void Sigmoid() {
    mpfr_neg(value_, value_, MPFR_RNDN);
    mpfr_exp(value_, value_, MPFR_RNDN);
    mpfr_add_ui(value_, value_, 1, MPFR_RNDN);
    mpfr_ui_div(value_, 1, value_, MPFR_RNDN);
  }
  // Returns the error of `found` in ulps of a double: 2^-52 of the exact value.
  double UlpsFrom(double found) {
    const double exact = mpfr_get_d(value_, MPFR_RNDN);
    mpfr_sub_d(value_, value_, found, MPFR_RNDN);
    return std::abs(mpfr_get_d(value_, MPFR_RNDN)) / (std::abs(exact) * 0x1p-52);
  }

 private:
  mpfr_t value_;
};

// Lists numbers of both signs, from 1e-12 to 30, where sigmoid and tanh are all but 1.
std::vector<double> Arguments() {
  std::vector<double> arguments;
  for (double a = 1e-12; a < 30.0; a *= 1.07) arguments.insert(arguments.end(), {a, -a});
  return arguments;
}

TEST(Activations, SigmoidIsWithinTwoUlps) {
  for (const double a : Arguments()) {
    Wide exact(a);
    exact.Sigmoid();
    // exp to 1 ulp, a sum and a quotient to half an ulp each.
    EXPECT_LE(exact.UlpsFrom(SigmoidOf(a)), 2.0) << a;
  }
}

TEST(Activations, TanhIsWithinTheTwoUlpsOfTheCLibrary) {
  for (const double a : Arguments()) {
    Wide exact(a);
    exact.Tanh();
    EXPECT_LE(exact.UlpsFrom(TanhOf(a)), 2.0) << a;
  }
}

TEST(Activations, ReachTheirLimitsExactly) {
  EXPECT_EQ(SigmoidOf(0.0), 0.5);
  EXPECT_EQ(SigmoidOf(kInf), 1.0);
  EXPECT_EQ(SigmoidOf(-kInf), 0.0);
  EXPECT_EQ(SigmoidOf(-1000.0), 0.0);
  EXPECT_EQ(TanhOf(kInf), 1.0);
  EXPECT_EQ(TanhOf(-kInf), -1.0);
  EXPECT_TRUE(std::signbit(TanhOf(-0.0)));
  EXPECT_EQ(ReluOf(3.0, 0.5), 3.0);
  EXPECT_EQ(ReluOf(-3.0, 0.5), -1.5);
  EXPECT_EQ(ReluSlopeOf(0.0, 0.5), 0.5);
}

TEST(Activations, NanStaysNan) {
  EXPECT_TRUE(std::isnan(SigmoidOf<double>(NAN)));
  EXPECT_TRUE(std::isnan(TanhOf<double>(NAN)));
  EXPECT_TRUE(std::isnan(ReluOf<double>(NAN, 0.0)));
}

}  // namespace
}  // namespace reference
}  // namespace tandem
