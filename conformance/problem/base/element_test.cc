#include "conformance/problem/base/element.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace tandem::conformance {
namespace {

constexpr DataType kNarrowFloats[] = {DataType::kBf16, DataType::kF16};

double Load(DataType type, unsigned bits) {
  const uint16_t stored = static_cast<uint16_t>(bits);
  return LoadElement(type, &stored);
}

// All numbers of a 16-bit type from -infinity to infinity, with one zero, as its bits count them: an even number of
// steps from 0 is an even significand.
std::vector<double> NumbersOf(DataType type) {
  unsigned infinity = 0;
  while (!std::isinf(Load(type, infinity))) ++infinity;
  std::vector<double> numbers;
  for (unsigned bits = infinity; bits > 0; --bits) numbers.push_back(Load(type, 0x8000 | bits));
  for (unsigned bits = 0; bits <= infinity; ++bits) numbers.push_back(Load(type, bits));
  return numbers;
}

TEST(Element, NeighboursAreThoseOfTheBits) {
  for (const DataType type : kNarrowFloats) {
    const std::vector<double> numbers = NumbersOf(type);
    for (size_t i = 0; i + 1 < numbers.size(); ++i) {
      EXPECT_EQ(NextUp(numbers[i], type), numbers[i + 1]);
      EXPECT_EQ(NextDown(numbers[i + 1], type), numbers[i]);
    }
  }
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const float x : {-kInfinity, -1.f, -0x1p-126f, -0x1p-149f, 0.f, 0x1.fffffcp-127f, 1.f, 1.5f, 0x1.fffffep127f}) {
    EXPECT_EQ(NextUp(x, DataType::kF32), std::nextafter(x, kInfinity)) << x;
  }
}

TEST(Element, ATieGoesToTheEvenNeighbourAndAllElseToTheNearest) {
  for (const DataType type : kNarrowFloats) {
    const std::vector<double> numbers = NumbersOf(type);
    // Not between a largest number and infinity.
    for (size_t i = 1; i + 2 < numbers.size(); ++i) {
      const double below = numbers[i], above = numbers[i + 1], middle = (below + above) / 2;
      const double even = (i - numbers.size() / 2) % 2 == 0 ? below : above;
      EXPECT_EQ(RoundToType(below, type), below);
      EXPECT_EQ(RoundToType(middle, type), even);
      EXPECT_EQ(RoundToType(std::nextafter(middle, below), type), below);
      EXPECT_EQ(RoundToType(std::nextafter(middle, above), type), above);
    }
    // Half of a spacing above the largest number, infinity begins; a subnormal double is zero.
    const double largest = numbers[numbers.size() - 2], half = (largest - numbers[numbers.size() - 3]) / 2;
    EXPECT_EQ(RoundToType(largest + half * 0.999, type), largest);
    EXPECT_EQ(RoundToType(largest + half, type), numbers.back());
    EXPECT_EQ(RoundToType(-std::numeric_limits<double>::max(), type), numbers.front());
    EXPECT_EQ(RoundToType(std::numeric_limits<double>::denorm_min(), type), 0);
  }
}

}  // namespace
}  // namespace tandem::conformance
