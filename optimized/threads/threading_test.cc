// What a team does when one of its threads is late: the policy with a clock of its own, the barrier with a thread that
// sleeps.
#include "optimized/threads/threading.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cfenv>
#include <cstdlib>
#include <limits>
#include <thread>
#include <utility>

#include "gtest/gtest.h"

namespace tandem {
namespace optimized {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using LongWait = Barrier::LongWait;
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
    setenv("TANDEM_TEAM_BACKOFF", off, 1);
    EXPECT_EQ(BackoffSwitchFromEnvironment(), BackoffSwitch::kOff) << off;
  }
  for (const char* on : {"", "on", "1"}) {
    setenv("TANDEM_TEAM_BACKOFF", on, 1);
    EXPECT_EQ(BackoffSwitchFromEnvironment(), BackoffSwitch::kOn) << on;
  }
  unsetenv("TANDEM_TEAM_BACKOFF");
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
  setenv("TANDEM_TEAM_BACKOFF", "off", 1);
  EXPECT_EXIT(ExitWithLimit(), testing::ExitedWithCode(8), "");
  unsetenv("TANDEM_TEAM_BACKOFF");
}

TEST(TeamBackoff, NeverAsksForLessThanOneThread) {
  TeamBackoff backoff(BackoffSwitch::kOn, &Now);
  backoff.Stalled(1);
  EXPECT_EQ(backoff.Limit(2), 1);
}

TEST(LongWait, IsAStallIfOneOfTheThreadsDidNotRun) {
  EXPECT_TRUE((LongWait{milliseconds(4), milliseconds(4), milliseconds(0)}.IsStall()));
  EXPECT_TRUE((LongWait{milliseconds(4), milliseconds(0), milliseconds(4)}.IsStall()));
  EXPECT_TRUE((LongWait{milliseconds(70), milliseconds(70), milliseconds(69)}.IsStall()));
}

TEST(LongWait, IsNoStallWhileBothThreadsRun) {
  EXPECT_FALSE((LongWait{milliseconds(70), milliseconds(70), milliseconds(70)}.IsStall()));
  EXPECT_FALSE((LongWait{microseconds(999), milliseconds(0), milliseconds(0)}.IsStall()));
}

// Two threads wait for each other once; the second sleeps while the first waits.
bool ReportsSleep() {
  BarrierFlag flags[2];
  TeamBackoff backoff(BackoffSwitch::kOn, &Now);
#pragma omp parallel num_threads(2)
  {
    const int thread = omp_get_thread_num();
    Barrier barrier(flags, thread, 0, 2, &backoff);
    if (thread == 1) {
      while (flags[0].reached.load() == 0) usleep(100);
      usleep(5000);
    }
    barrier.Wait();
  }
  return backoff.Limit(2) == 1;
}

TEST(Barrier, ReportsAThreadThatSleepsWhileAnotherWaits) {
  // Only if another process takes the first one's core just before it begins to measure, it sees nothing.
  bool reported = false;
  for (int attempt = 0; attempt < 100 && !reported; ++attempt) reported = ReportsSleep();
  EXPECT_TRUE(reported);
}

TEST(Team, IsSmallerAfterOneOfItsThreadsCameLate) {
  omp_set_num_threads(2);
  TeamBackoff backoff(BackoffSwitch::kOn);
  // The pause is over before its effect is seen only if that takes 16 ms.
  int size = 2;
  for (int attempt = 0; attempt < 100 && size == 2; ++attempt) {
    RunTeam(2, &backoff, [](int thread, int) {
      if (thread == 1) usleep(5000);
    });
    size = TeamSize(2, &backoff);
  }
  EXPECT_EQ(size, 1);
  EXPECT_GE(backoff.stalls(), 1u);
}

// Ends with `body`'s result as its exit status, or by SIGALRM.
template <class Body>
int StatusOfChild(const Body& body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    _exit(body());
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

int ThreadsThatRun() {
  std::atomic<int> count{0};
  TeamBackoff none(BackoffSwitch::kOff);
  RunTeam(TeamSize(2, &none), &none, [&](int, int) { ++count; });
  return count;
}

TEST(RunTeam, EndsInAChildOfAThreadThatHadATeam) {
  omp_set_num_threads(2);
  EXPECT_EQ(ThreadsThatRun(), 2);
  EXPECT_EQ(StatusOfChild([] { return ThreadsThatRun() == 1 ? 0 : 1; }), 0);
  EXPECT_EQ(ThreadsThatRun(), 2);
}

TEST(RunTeam, EndsInAChildOfAThreadWhoseOwnRegionHadATeam) {
  int threads = 0;
  const auto own_region = [&threads] {
#pragma omp parallel num_threads(2)
#pragma omp atomic
    ++threads;
    return StatusOfChild([] { return ThreadsThatRun() == 1 ? 0 : 1; });
  };
  int status = -1;
  std::thread([&] { status = own_region(); }).join();
  EXPECT_EQ(threads, 2);
  EXPECT_EQ(status, 0);
}

TEST(RunTeam, HasItsThreadsInANewThreadOfAChild) {
  if (std::getenv("TANDEM_EMULATOR") != nullptr) GTEST_SKIP() << "qemu-user 7.2 fails an assertion of its own";
  omp_set_num_threads(2);
  EXPECT_EQ(ThreadsThatRun(), 2);
  const auto in_new_thread = [] {
    int threads = 0;
    std::thread([&threads] { threads = ThreadsThatRun(); }).join();
    return threads == 2 ? 0 : 1;
  };
  EXPECT_EQ(StatusOfChild(in_new_thread), 0);
}

// A sleep can only last longer than asked.
TEST(Ticks, TellAStallFromAThreadThatIsOnTime) {
  const uint64_t begin = Ticks();
  EXPECT_LE(begin, Ticks());
  std::this_thread::sleep_for(milliseconds(50));
  EXPECT_GT(Ticks() - begin, kStallTicks);
}

TEST(KernelFloatEnvironment, FlushesSubnormalsWhereTheProcessorCan) {
  volatile float least = std::numeric_limits<float>::min();
  const auto half = [&] { return least * 0.5f; };
  {
    const KernelFloatEnvironment environment;
    EXPECT_EQ(half() == 0.f, HWY_ARCH_X86 || HWY_ARCH_ARM_A64);
  }
  EXPECT_GT(half(), 0.f);
}

// A new thread of a team has the mode of the thread that starts it.
TEST(RunTeam, RoundsToNearestInEveryThread) {
  std::array<float, 2> third = {};
  int mode = -1;
  std::thread([&] {
    std::fesetround(FE_DOWNWARD);
    RunTeam(2, ProcessBackoff(), [&](int thread, int) {
      const volatile float one = 1.f, three = 3.f;
      third[static_cast<size_t>(thread)] = one / three;
    });
    mode = std::fegetround();
  }).join();
  EXPECT_EQ(third[0], 0x1.555556p-2f);
  EXPECT_EQ(third[1], 0x1.555556p-2f);
  EXPECT_EQ(mode, FE_DOWNWARD);
}

}  // namespace
}  // namespace optimized
}  // namespace tandem
