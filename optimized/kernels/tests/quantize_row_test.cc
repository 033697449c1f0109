// Dynamic quantization of a row, on every target of the machine, against the scalar formulas of core.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "api/core/attributes/quantization.h"
#include "gtest/gtest.h"
#include "optimized/kernels/kernels.h"
#include "optimized/machine/target.h"

namespace tandem {
namespace optimized {
namespace {

// Less than a vector of any target, and more than two of each.
constexpr Dim kLongest = 37, kPadding = 5;

std::vector<float> Row(Dim n) {
  std::vector<float> row;
  for (Dim i = 0; i < n; ++i)
    row.push_back(std::ldexp(static_cast<float>((i * 29 + 7) % 64 - 23), static_cast<int>(i % 3)));
  return row;
}

struct Quantized {
  RowQuantization row;
  std::vector<uint8_t> bytes;  // with the padding; one more, which was not written, is 77
};

Quantized Quantize(const Target& target, const std::vector<float>& row) {
  const Dim n = static_cast<Dim>(row.size());
  Quantized quantized;
  quantized.bytes.assign(row.size() + kPadding + 1, 77);
  quantized.row = QuantizeRowFor(target)(row.data(), n, n + kPadding, quantized.bytes.data());
  return quantized;
}

TEST(QuantizeRow, GivesTheBytesOfCoreAndPadsThemWithZeros) {
  for (const Target& target : TargetsOfThisMachine()) {
    for (Dim n = 1; n <= kLongest; ++n) {
      const std::vector<float> row = Row(n);
      float lowest = 0, highest = 0;
      for (const float x : row) lowest = std::min(lowest, x), highest = std::max(highest, x);
      const RowQuantization want = RowQuantizationOf(lowest, highest);
      const Quantized got = Quantize(target, row);
      EXPECT_EQ(got.row.scale, want.scale) << TargetName(target) << ", " << n;
      EXPECT_EQ(got.row.zero_point, want.zero_point) << TargetName(target) << ", " << n;
      for (size_t i = 0; i < got.bytes.size(); ++i) {
        const float byte = i < row.size() ? QuantizeInRow(row[i], want) : i < row.size() + kPadding ? 0.f : 77.f;
        EXPECT_EQ(static_cast<float>(got.bytes[i]), byte) << TargetName(target) << ", " << n << ": byte " << i;
      }
    }
  }
}

// Wherever it is: the products of the row become NaN by its scale.
TEST(QuantizeRow, OfAValueThatIsNotFiniteHasNoScale) {
  for (const Target& target : TargetsOfThisMachine()) {
    for (const float value : {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::quiet_NaN(),
                              std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()}) {
      for (const Dim n : {Dim{1}, Dim{3}, Dim{16}, Dim{32}, kLongest}) {
        for (Dim at = 0; at < n; ++at) {
          std::vector<float> row = Row(n);
          row[static_cast<size_t>(at)] = value;
          const Quantized got = Quantize(target, row);
          EXPECT_TRUE(std::isnan(got.row.scale)) << TargetName(target) << ", " << value << " at " << at << " of " << n;
          for (size_t i = 0; i + 1 < got.bytes.size(); ++i) EXPECT_EQ(+got.bytes[i], 0) << i;
        }
      }
    }
  }
}

}  // namespace
}  // namespace optimized
}  // namespace tandem
