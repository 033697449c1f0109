#include "optimized/threads/team_options.h"

#include <cstdlib>

#include "api/core/environment_testing.h"
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
  UnsetVariable("TANDEM_DIVISION");
  EXPECT_FALSE(TeamOptionsFromEnvironment().division.has_value());
  SetVariable("TANDEM_DIVISION", "");
  EXPECT_FALSE(TeamOptionsFromEnvironment().division.has_value());
  SetVariable("TANDEM_DIVISION", "1x2x1");
  EXPECT_EQ(TeamOptionsFromEnvironment().division->rows, 2);
  SetVariable("TANDEM_DIVISION", "two");
  EXPECT_THROW(TeamOptionsFromEnvironment(), Error);
  UnsetVariable("TANDEM_DIVISION");
}

TEST(TeamThreads, AreThoseOfOpenMpIfTheEnvironmentSaysSo) {
  for (const char* word : {"", "own", "threads"}) {
    SetVariable("TANDEM_THREADS", word);
    EXPECT_EQ(TeamThreadsFromEnvironment(), TeamThreads::kOwn) << word;
  }
  SetVariable("TANDEM_THREADS", "OpenMP");
  EXPECT_EQ(TeamThreadsFromEnvironment(), TeamThreads::kOpenMp);
  UnsetVariable("TANDEM_THREADS");
  EXPECT_EQ(TeamThreadsFromEnvironment(), TeamThreads::kOwn);
}

}  // namespace
}  // namespace optimized
}  // namespace tandem
