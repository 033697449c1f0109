#include "conformance/problem/base/byte_order.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>

namespace tandem::conformance {
namespace {

TEST(ByteOrder, EachElementIsReversedAlone) {
  std::string bytes = "abcdefgh";
  ReverseEachElement(&bytes[0], 2, 4);
  EXPECT_EQ(bytes, "dcbahgfe");
  ReverseEachElement(&bytes[0], 8, 1);
  EXPECT_EQ(bytes, "dcbahgfe");
}

TEST(ByteOrder, LittleEndianBeginsWithTheLowestByte) {
  uint32_t numbers[] = {0x64636261, 0x68676665};
  ConvertLittleEndian(numbers, 2, sizeof numbers[0]);
  EXPECT_EQ(std::memcmp(numbers, "abcdefgh", sizeof numbers), 0);
  ConvertLittleEndian(numbers, 2, sizeof numbers[0]);
  EXPECT_EQ(numbers[1], 0x68676665u);
}

}  // namespace
}  // namespace tandem::conformance
