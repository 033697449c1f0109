// When teams become smaller, and for how long: the policy with a clock of its own.
#include "optimized/threads/team_backoff.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "api/core/environment_testing.h"
#include "gtest/gtest.h"

namespace tandem {
namespace optimized {
namespace {

using std::chrono::milliseconds;
using Time = TeamBackoff::Time;

Time now{std::chrono::hours(1)};
int asked = 0;
Time Now() {
  ++asked;
  return now;
}

TEST(TeamBackoff, AsksForTheTimeInPausesOnly) {
  TeamBackoff backoff(BackoffSwitch::kOn, &Now);
  const int before = asked;
  EXPECT_EQ(backoff.Limit(2), 2);
  EXPECT_EQ(backoff.Limit(128), 128);
  EXPECT_EQ(asked, before);
  backoff.Stalled(2);
  now += TeamBackoff::kFirstPause;
  EXPECT_EQ(backoff.Limit(2), 2);
  const int after = asked;
  EXPECT_EQ(backoff.Limit(2), 2);
  EXPECT_EQ(asked, after);
}

TEST(TeamBackoff, MakesTeamsAQuarterSmallerUntilThePauseEnds) {
  for (const auto& [team, smaller] : {std::pair<int, int>{2, 1}, {3, 2}, {8, 6}, {64, 48}}) {
    TeamBackoff backoff(BackoffSwitch::kOn, &Now);
    backoff.Stalled(team);
    EXPECT_EQ(backoff.Limit(team), smaller);
    EXPECT_EQ(backoff.Limit(1), 1);
    now += TeamBackoff::kFirstPause - milliseconds(1);
    EXPECT_EQ(backoff.Limit(team), smaller);
    now += milliseconds(1);
    EXPECT_EQ(backoff.Limit(team), team);
  }
}

TEST(TeamBackoff, CountsAStallOnceHoweverManyThreadsNoticeIt) {
  TeamBackoff backoff(BackoffSwitch::kOn, &Now);
  for (int thread = 0; thread < 8; ++thread) backoff.Stalled(8);
  EXPECT_EQ(backoff.Limit(8), 6);
  now += TeamBackoff::kFirstPause;
  EXPECT_EQ(backoff.Limit(8), 8);
}

TEST(TeamBackoff, DoublesThePauseWhileFullTeamsStallAgain) {
  TeamBackoff backoff(BackoffSwitch::kOn, &Now);
  for (auto pause = TeamBackoff::kFirstPause; pause < 4 * TeamBackoff::kLongestPause; pause *= 2) {
    backoff.Stalled(2);
    const auto expected = std::min<TeamBackoff::Duration>(pause, TeamBackoff::kLongestPause);
    now += expected - milliseconds(1);
    EXPECT_EQ(backoff.Limit(2), 1);
    now += milliseconds(1);
    EXPECT_EQ(backoff.Limit(2), 2);
  }
}

TEST(TeamBackoff, BeginsWithTheFirstPauseAfterAQuietTime) {
  TeamBackoff backoff(BackoffSwitch::kOn, &Now);
  backoff.Stalled(2);
  now += TeamBackoff::kFirstPause;
  backoff.Stalled(2);
  now += 2 * TeamBackoff::kFirstPause + TeamBackoff::kSettled;
  backoff.Stalled(2);
  now += TeamBackoff::kFirstPause;
  EXPECT_EQ(backoff.Limit(2), 2);
}

TEST(TeamBackoff, ShrinksATeamFurtherThatStallsInThePause) {
  TeamBackoff backoff(BackoffSwitch::kOn, &Now);
  backoff.Stalled(8);
  backoff.Stalled(backoff.Limit(8));
  EXPECT_EQ(backoff.Limit(8), 5);
  now += TeamBackoff::kFirstPause;
  EXPECT_EQ(backoff.Limit(8), 5);
  now += TeamBackoff::kFirstPause;
  EXPECT_EQ(backoff.Limit(8), 8);
}

TEST(TeamBackoff, CountsTheStallsOfAPauseThatMakeItLonger) {
  TeamBackoff backoff(BackoffSwitch::kOn, &Now);
  EXPECT_EQ(backoff.stalls(), 0u);
  for (int thread = 0; thread < 8; ++thread) backoff.Stalled(8);
  EXPECT_EQ(backoff.stalls(), 1u);
  backoff.Stalled(backoff.Limit(8));
  EXPECT_EQ(backoff.stalls(), 2u);
}

TEST(TeamBackoff, CountsButLimitsNothingWhereItIsSwitchedOff) {
  TeamBackoff backoff(BackoffSwitch::kOff, &Now);
  for (int thread = 0; thread < 8; ++thread) backoff.Stalled(8);
  EXPECT_EQ(backoff.stalls(), 1u);
  EXPECT_EQ(backoff.Limit(8), 8);
  now += TeamBackoff::kFirstPause;
  backoff.Stalled(8);
  EXPECT_EQ(backoff.stalls(), 2u);
}

TEST(BackoffSwitch, IsReadFromTheEnvironment) {
  for (const char* off : {"off", "OFF", "0"}) {
    SetVariable("TANDEM_TEAM_BACKOFF", off);
    EXPECT_EQ(BackoffSwitchFromEnvironment(), BackoffSwitch::kOff) << off;
  }
  for (const char* on : {"", "on", "1"}) {
    SetVariable("TANDEM_TEAM_BACKOFF", on);
    EXPECT_EQ(BackoffSwitchFromEnvironment(), BackoffSwitch::kOn) << on;
  }
  UnsetVariable("TANDEM_TEAM_BACKOFF");
  EXPECT_EQ(BackoffSwitchFromEnvironment(), BackoffSwitch::kOn);
}

// Ends with the limit of the process's TeamBackoff after a stall as its exit status.
void ExitWithLimit() {
  ProcessBackoff()->Stalled(8);
  std::_Exit(ProcessBackoff()->Limit(8));
}

TEST(ProcessBackoffDeathTest, FollowsTheSwitch) {
  // A new process, which has not read the environment yet. Nor has this one, of which an emulator can make a copy only: tests
  // with such a name are first.
  testing::FLAGS_gtest_death_test_style = std::getenv("TANDEM_EMULATOR") == nullptr ? "threadsafe" : "fast";
  EXPECT_EXIT(ExitWithLimit(), testing::ExitedWithCode(6), "");
  SetVariable("TANDEM_TEAM_BACKOFF", "off");
  EXPECT_EXIT(ExitWithLimit(), testing::ExitedWithCode(8), "");
  UnsetVariable("TANDEM_TEAM_BACKOFF");
}

TEST(TeamBackoff, NeverAsksForLessThanOneThread) {
  TeamBackoff backoff(BackoffSwitch::kOn, &Now);
  backoff.Stalled(1);
  EXPECT_EQ(backoff.Limit(2), 1);
}

}  // namespace
}  // namespace optimized
}  // namespace tandem
