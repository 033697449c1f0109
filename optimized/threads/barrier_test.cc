// The barrier with a thread that sleeps while another waits.
#include "optimized/threads/barrier.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <string>
#include <thread>

#include "gtest/gtest.h"

namespace tandem {
namespace optimized {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using LongWait = Barrier::LongWait;

TEST(LongWait, IsAStallIfOneOfTheThreadsDidNotRun) {
  EXPECT_TRUE((LongWait{milliseconds(4), milliseconds(4), milliseconds(0)}.IsStall()));
  EXPECT_TRUE((LongWait{milliseconds(4), milliseconds(0), milliseconds(4)}.IsStall()));
  EXPECT_TRUE((LongWait{milliseconds(70), milliseconds(70), milliseconds(69)}.IsStall()));
}

TEST(LongWait, IsNoStallWhileBothThreadsRun) {
  EXPECT_FALSE((LongWait{milliseconds(70), milliseconds(70), milliseconds(70)}.IsStall()));
  EXPECT_FALSE((LongWait{microseconds(999), milliseconds(0), milliseconds(0)}.IsStall()));
}

// Counts how often a thread of this process has left its core by itself. Negative: the system does not say.
long Sleeps(pid_t thread) {
  std::ifstream status("/proc/self/task/" + std::to_string(thread) + "/status");
  const std::string name = "voluntary_ctxt_switches:";
  for (std::string line; std::getline(status, line);) {
    if (line.compare(0, name.size(), name) == 0) return std::stol(line.substr(name.size()));
  }
  return -1;
}

// Two threads wait for each other once; the second sleeps while the first waits.
uint64_t StallsWithASleeper() {
  BarrierFlag flags[2];
  TeamBackoff backoff(BackoffSwitch::kOn);
  std::thread second([&] {
    Barrier barrier(flags, 1, 0, 2, 2, &backoff);
    while (!flags[0].arrival.HasReached(1)) usleep(100);
    usleep(5000);
    barrier.Wait();
  });
  Barrier barrier(flags, 0, 0, 2, 2, &backoff);
  barrier.Wait();
  second.join();
  return backoff.stalls();
}

TEST(Barrier, ReportsAThreadThatSleepsWhileAnotherWaits) {
  // Only if another process takes the first one's core just before it begins to measure, it sees nothing.
  bool reported = false;
  for (int attempt = 0; attempt < 100 && !reported; ++attempt) reported = StallsWithASleeper() > 0;
  EXPECT_TRUE(reported);
}

// A thread of higher priority (SCHED_FIFO) would otherwise keep the core from the one that it waits for. Yielding does not
// count as leaving the core by itself. The second thread comes when the first sleeps, or after two minutes.
TEST(Barrier, SleepsWhileAnotherThreadDoesNotCome) {
  const pid_t first = static_cast<pid_t>(syscall(SYS_gettid));
  if (Sleeps(first) < 0) GTEST_SKIP() << "this system does not count how often a thread sleeps";
  BarrierFlag flags[2];
  TeamBackoff backoff(BackoffSwitch::kOff);
  bool sleeps = false;
  std::thread second([&] {
    Barrier barrier(flags, 1, 0, 2, 2, &backoff);
    while (!flags[0].arrival.HasReached(1)) usleep(100);
    // It has arrived: what it does from here on is to wait.
    const long before = Sleeps(first);
    for (int i = 0; i < 12000 && !sleeps; ++i) {
      usleep(10000);
      sleeps = Sleeps(first) > before;
    }
    barrier.Wait();
  });
  Barrier barrier(flags, 0, 0, 2, 2, &backoff);
  barrier.Wait();
  second.join();
  EXPECT_TRUE(sleeps);
}

}  // namespace
}  // namespace optimized
}  // namespace tandem
