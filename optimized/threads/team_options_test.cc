#include "optimized/threads/team_options.h"

#include <cstdlib>

#include "api/core/error.h"
#include "gtest/gtest.h"

namespace tandem {
namespace optimized {
namespace {

TEST(TeamOptions, ADivisionIsThreeNumbers) {
  const std::optional<Division> division = ParseDivision("2x3x16");
  ASSERT_TRUE(division.has_value());
  EXPECT_EQ(division->dirs, 2);
  EXPECT_EQ(division->rows, 3);
  EXPECT_EQ(division->units, 16);
  for (const char* word : {"", "1", "1x2", "1x2x", "x2x1", "1x0x1", "1x-2x1", "1x2x1 ", " 1x2x1", "1x2x1x1", "1X2X1",
                           "1x1025x1", "1x99999999999x1"}) {
    EXPECT_FALSE(ParseDivision(word).has_value()) << word;
  }
}

TEST(TeamOptions, TheEnvironmentMayImposeADivision) {
  unsetenv("TANDEM_DIVISION");
  EXPECT_FALSE(TeamOptionsFromEnvironment().division.has_value());
  setenv("TANDEM_DIVISION", "", 1);
  EXPECT_FALSE(TeamOptionsFromEnvironment().division.has_value());
  setenv("TANDEM_DIVISION", "1x2x1", 1);
  EXPECT_EQ(TeamOptionsFromEnvironment().division->rows, 2);
  setenv("TANDEM_DIVISION", "two", 1);
  EXPECT_THROW(TeamOptionsFromEnvironment(), Error);
  unsetenv("TANDEM_DIVISION");
}

TEST(TeamThreads, AreThoseOfOpenMpIfTheEnvironmentSaysSo) {
  for (const char* word : {"", "own", "threads"}) {
    setenv("TANDEM_THREADS", word, 1);
    EXPECT_EQ(TeamThreadsFromEnvironment(), TeamThreads::kOwn) << word;
  }
  setenv("TANDEM_THREADS", "OpenMP", 1);
  EXPECT_EQ(TeamThreadsFromEnvironment(), TeamThreads::kOpenMp);
  unsetenv("TANDEM_THREADS");
  EXPECT_EQ(TeamThreadsFromEnvironment(), TeamThreads::kOwn);
}

}  // namespace
}  // namespace optimized
}  // namespace tandem
