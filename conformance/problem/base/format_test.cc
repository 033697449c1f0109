#include "conformance/problem/base/format.h"

#include <gtest/gtest.h>

namespace tandem::conformance {
namespace {

TEST(Format, WritesWhatPrintfWrites) {
  EXPECT_EQ(Format("%03d of %s, %.2f %%", 7, "ten", 0.125), "007 of ten, 0.12 %");
  EXPECT_EQ(Format("%s", ""), "");
}

TEST(Format, HasNoLongestText) {
  const std::string text(5000, 'x');
  EXPECT_EQ(Format("<%s>", text.c_str()), "<" + text + ">");
}

}  // namespace
}  // namespace tandem::conformance
