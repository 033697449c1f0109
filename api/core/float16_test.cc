// Both 16-bit types over all their 65,536 patterns, and at every point half-way between two of them.
#include "api/core/float16.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tandem {
namespace {

struct Format {
  const char* name;
  int mantissa_bits;
  int bias;
  uint16_t infinity;
  float (*to_float)(uint16_t);
  uint16_t (*from_float)(float);
  uint16_t (*from_double)(double);
};

constexpr Format kFormats[] = {
    {"bf16", 7, 127, 0x7f80, Bf16ToFloat, FloatToBf16, DoubleToBf16},
    {"f16", 10, 15, 0x7c00, Fp16ToFloat, FloatToFp16, DoubleToFp16},
};

// IEEE 754's definition of the value of a finite pattern: (-1)^s 2^(e - bias) 1.m, subnormals 2^(1 - bias) 0.m.
double ValueOf(const Format& format, uint16_t bits) {
  const int mantissa = bits & ((1 << format.mantissa_bits) - 1);
  const int exponent = (bits & 0x7fff) >> format.mantissa_bits;
  const int significand = exponent == 0 ? mantissa : mantissa | 1 << format.mantissa_bits;
  const double magnitude = std::ldexp(significand, (exponent == 0 ? 1 : exponent) - format.bias - format.mantissa_bits);
  return bits & 0x8000 ? -magnitude : magnitude;
}

bool IsNan(const Format& format, uint16_t bits) { return (bits & 0x7fff) > format.infinity; }

TEST(Float16, EveryFinitePatternHasTheValueOfItsDefinition) {
  for (const Format& format : kFormats) {
    for (int bits = 0; bits < 0x10000; ++bits) {
      if ((bits & 0x7fff) >= format.infinity) continue;
      const float value = format.to_float(static_cast<uint16_t>(bits));
      ASSERT_EQ(static_cast<double>(value), ValueOf(format, static_cast<uint16_t>(bits))) << format.name << bits;
      ASSERT_EQ(std::signbit(value), bits >= 0x8000) << format.name << bits;
    }
  }
}

TEST(Float16, EveryPatternComesBackFromFloatAndDouble) {
  for (const Format& format : kFormats) {
    for (int i = 0; i < 0x10000; ++i) {
      const uint16_t bits = static_cast<uint16_t>(i);
      if (IsNan(format, bits)) continue;
      ASSERT_EQ(format.from_float(format.to_float(bits)), bits) << format.name;
      ASSERT_EQ(format.from_double(format.to_float(bits)), bits) << format.name;
    }
  }
}

TEST(Float16, EveryNanStaysANanOfItsSignAndBecomesQuiet) {
  for (const Format& format : kFormats) {
    for (int i = 0; i < 0x10000; ++i) {
      const uint16_t bits = static_cast<uint16_t>(i);
      if (!IsNan(format, bits)) continue;
      const float value = format.to_float(bits);
      ASSERT_TRUE(std::isnan(value)) << format.name << i;
      for (const uint16_t back : {format.from_float(value), format.from_double(value)}) {
        ASSERT_TRUE(IsNan(format, back)) << format.name << i;
        ASSERT_TRUE(back & 1 << (format.mantissa_bits - 1)) << format.name << i;
        ASSERT_EQ(back & 0x8000, bits & 0x8000) << format.name << i;
      }
    }
  }
}

// The largest finite pattern's upper neighbour would be 2^128 or 2^16: from half-way on, infinity.
double UpperNeighbour(const Format& format, uint16_t bits) {
  if (bits + 1 != format.infinity) return ValueOf(format, static_cast<uint16_t>(bits + 1));
  return 2 * ValueOf(format, bits) - ValueOf(format, static_cast<uint16_t>(bits - 1));
}

TEST(Float16, HalfWayBetweenTwoPatternsTheEvenOneWins) {
  for (const Format& format : kFormats) {
    for (int i = 0; i < format.infinity; ++i) {
      const uint16_t low = static_cast<uint16_t>(i), high = static_cast<uint16_t>(i + 1);
      const double half = (ValueOf(format, low) + UpperNeighbour(format, low)) / 2;
      const uint16_t even = i % 2 == 0 ? low : high;
      ASSERT_EQ(format.from_double(half), even) << format.name << i;
      ASSERT_EQ(format.from_double(-half), even | 0x8000) << format.name << i;
      // Exact in f32: both formats have fewer than 23 mantissa bits, and f32 has bf16's smallest step twice over.
      ASSERT_EQ(format.from_float(static_cast<float>(half)), even) << format.name << i;
      ASSERT_EQ(format.from_float(static_cast<float>(-half)), even | 0x8000) << format.name << i;
    }
  }
}

TEST(Float16, NextToTheHalfWayPointTheNearerPatternWins) {
  const double kInf = std::numeric_limits<double>::infinity();
  for (const Format& format : kFormats) {
    for (int i = 0; i < format.infinity; ++i) {
      const uint16_t low = static_cast<uint16_t>(i), high = static_cast<uint16_t>(i + 1);
      const double half = (ValueOf(format, low) + UpperNeighbour(format, low)) / 2;
      ASSERT_EQ(format.from_double(std::nextafter(half, 0)), low) << format.name << i;
      ASSERT_EQ(format.from_double(std::nextafter(half, kInf)), high) << format.name << i;
      const float narrow = static_cast<float>(half);
      ASSERT_EQ(format.from_float(std::nextafter(narrow, 0.f)), low) << format.name << i;
      ASSERT_EQ(format.from_float(std::nextafter(narrow, std::numeric_limits<float>::infinity())), high)
          << format.name << i;
    }
  }
}

// 1 + 2^-11 + 2^-40 is above f16's half-way point, but its f32 neighbour is that point: through f32 it would round
// down.
TEST(Float16, DoublesAreRoundedOnce) {
  const double value = 1 + std::ldexp(1, -11) + std::ldexp(1, -40);
  EXPECT_EQ(DoubleToFp16(value), 0x3c01);
  EXPECT_EQ(FloatToFp16(static_cast<float>(value)), 0x3c00);
}

TEST(Float16, InfinitiesAndHugeValuesAreInfinite) {
  for (const Format& format : kFormats) {
    const float inf = std::numeric_limits<float>::infinity();
    EXPECT_EQ(format.from_float(inf), format.infinity);
    EXPECT_EQ(format.from_float(-inf), format.infinity | 0x8000);
    EXPECT_EQ(format.from_float(std::numeric_limits<float>::max()), format.infinity);
    EXPECT_EQ(format.from_double(1e300), format.infinity);
    EXPECT_EQ(format.to_float(format.infinity), inf);
  }
}

TEST(Float16, ZerosKeepTheirSign) {
  for (const Format& format : kFormats) {
    EXPECT_EQ(format.from_float(-0.f), 0x8000);
    EXPECT_EQ(format.from_double(-0.0), 0x8000);
    EXPECT_EQ(format.from_double(-1e-300), 0x8000);
  }
}

}  // namespace
}  // namespace tandem
