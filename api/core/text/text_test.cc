#include "api/core/text/text.h"

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <limits>

namespace tandem {
namespace {

using Parts = std::vector<std::string>;

TEST(Text, NumbersHaveSixDigits) {
  EXPECT_EQ(NumberText(0.1f), "0.1");
  EXPECT_EQ(NumberText(1234567), "1.23457e+06");
  EXPECT_EQ(NumberText(-0.0), "-0");
  EXPECT_EQ(NumberText(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(FixedText(2.5), "2.500000");
  EXPECT_EQ(FixedText(-1e300).size(), 1u + 301 + 7);
}

TEST(Text, OnlyAWholeNumberIsRead) {
  EXPECT_EQ(ReadNumber("1.5"), 1.5);
  EXPECT_EQ(ReadNumber("-2e3"), -2000);
  EXPECT_EQ(ReadNumber(".5"), 0.5);
  for (const char* text : {"", " 1", "1 ", "1,5", "1x", "0x10", "nan", "inf", "-", "1.2.3", "e5"}) {
    EXPECT_EQ(ReadNumber(text), std::nullopt) << text;
  }
}

// The foreign environment of CI has a locale with a decimal comma.
TEST(Text, TheLocaleOfTheProcessChangesNothing) {
  std::setlocale(LC_NUMERIC, "");
  EXPECT_EQ(NumberText(1.5), "1.5");
  EXPECT_EQ(FixedText(1.5), "1.500000");
  EXPECT_EQ(ReadNumber("1.5"), 1.5);
  EXPECT_EQ(ReadNumber("1,5"), std::nullopt);
  std::setlocale(LC_NUMERIC, "C");
}

TEST(Text, PartsLieBetweenSeparators) {
  EXPECT_EQ(Split("", ','), Parts{});
  EXPECT_EQ(Split("a", ','), Parts{"a"});
  EXPECT_EQ(Split("a,,b", ','), (Parts{"a", "", "b"}));
  EXPECT_EQ(Split(",a,", ','), (Parts{"", "a"}));
}

}  // namespace
}  // namespace tandem
