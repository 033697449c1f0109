#include "conformance/problem/base/wrapped.h"

#include <gtest/gtest.h>

namespace tandem::conformance {
namespace {

TEST(Wrapped, LinesEndBeforeTheColumns) {
  EXPECT_EQ(Wrapped("one two three", 7, 0), "one two\nthree\n");
  EXPECT_EQ(Wrapped("one two three", 6, 0), "one\ntwo\nthree\n");
  EXPECT_EQ(Wrapped("one  two\nthree", 80, 2), "  one two three\n");
}

TEST(Wrapped, ALongWordIsLeftWhole) { EXPECT_EQ(Wrapped("a longer b", 4, 1), " a\n longer\n b\n"); }

}  // namespace
}  // namespace tandem::conformance
