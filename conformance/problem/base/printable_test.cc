#include "conformance/problem/base/printable.h"

#include <gtest/gtest.h>

#include <string>

namespace tandem::conformance {
namespace {

TEST(Printable, TextStaysAsItIs) {
  EXPECT_EQ(Printable("one\ttwo\nthree"), "one\ttwo\nthree");
  EXPECT_EQ(Printable("\xc3\xa4 \xe2\x89\xa4 \xf0\x9d\x84\x9e \xc2\xa0"),
            "\xc3\xa4 \xe2\x89\xa4 \xf0\x9d\x84\x9e \xc2\xa0");
}

TEST(Printable, ControlCharactersAreWritten) {
  EXPECT_EQ(Printable("\x1b[31mred\x07\r\x7f"), "\\x1b[31mred\\x07\\x0d\\x7f");
  EXPECT_EQ(Printable(std::string("a\0b", 3)), "a\\x00b");
}

// A terminal with C1 takes U+009B for ESC [, and so may one that reads single bytes.
TEST(Printable, C1IsWrittenAndSoAreBytesThatAreNoUtf8) {
  EXPECT_EQ(Printable("\xc2\x9b"
                      "31m"),
            "\\xc2\\x9b31m");
  EXPECT_EQ(Printable("\x9b"
                      "31m"),
            "\\x9b31m");
  EXPECT_EQ(Printable("\xe2\x89"), "\\xe2\\x89");           // cut off
  EXPECT_EQ(Printable("\xc0\x9b"), "\\xc0\\x9b");           // overlong
  EXPECT_EQ(Printable("\xe0\x82\x9b"), "\\xe0\\x82\\x9b");  // overlong
  EXPECT_EQ(Printable("\xff"), "\\xff");
}

// Whatever the bytes are, nothing is left that a terminal obeys.
TEST(Printable, NoPairOfBytesGetsThrough) {
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) {
      const std::string clean = Printable({static_cast<char>(a), static_cast<char>(b)});
      for (size_t i = 0; i < clean.size(); ++i) {
        const unsigned byte = static_cast<unsigned char>(clean[i]);
        EXPECT_TRUE(byte >= 0x20 || byte == '\n' || byte == '\t') << a << " " << b;
        EXPECT_NE(byte, 0x7fu) << a << " " << b;
        const bool follows = i > 0 && static_cast<unsigned char>(clean[i - 1]) >= 0xc2;
        if (byte >= 0x80 && byte < 0xa0) {
          EXPECT_TRUE(follows && clean[i - 1] != '\xc2') << a << " " << b;
        }
      }
    }
  }
}

}  // namespace
}  // namespace tandem::conformance
