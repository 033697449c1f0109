#include "conformance/problem/base/json_depth.h"

#include <gtest/gtest.h>

namespace tandem::conformance {
namespace {

std::string Nested(size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); }

TEST(JsonDepth, CountsOpenArraysAndObjects) {
  EXPECT_FALSE(NestsTooDeeply(Nested(64)));
  EXPECT_TRUE(NestsTooDeeply(Nested(65)));
  EXPECT_FALSE(NestsTooDeeply("[" + Nested(40) + "," + Nested(40) + "]"));
  std::string objects;
  for (int i = 0; i < 65; ++i) objects += "{\"a\":";
  EXPECT_TRUE(NestsTooDeeply(objects));
}

TEST(JsonDepth, DoesNotCountWhatIsInStrings) {
  const std::string brackets(100, '[');
  EXPECT_FALSE(NestsTooDeeply("\"" + brackets + "\""));
  EXPECT_FALSE(NestsTooDeeply("\"\\\"" + brackets + "\""));
  EXPECT_TRUE(NestsTooDeeply("\"\\\\\"" + brackets));
}

}  // namespace
}  // namespace tandem::conformance
