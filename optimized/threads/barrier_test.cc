// The barrier with a thread that sleeps while another waits.
#include "optimized/threads/barrier.h"

#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
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

// Two threads wait for each other once; the second sleeps while the first waits.
struct Outcome {
  uint64_t stalls;
  long sleeps;  // of the first: times that it left its core by itself
};
Outcome WaitForASleeper() {
  BarrierFlag flags[2];
  TeamBackoff backoff(BackoffSwitch::kOn);
  std::thread second([&] {
    Barrier barrier(flags, 1, 0, 2, 2, &backoff);
    while (!flags[0].arrival.HasReached(1)) usleep(100);
    usleep(5000);
    barrier.Wait();
  });
  rusage before = {}, after = {};
  Barrier barrier(flags, 0, 0, 2, 2, &backoff);
  getrusage(RUSAGE_THREAD, &before);
  barrier.Wait();
  getrusage(RUSAGE_THREAD, &after);
  second.join();
  return {backoff.stalls(), after.ru_nvcsw - before.ru_nvcsw};
}

TEST(Barrier, ReportsAThreadThatSleepsWhileAnotherWaits) {
  // Only if another process takes the first one's core just before it begins to measure, it sees nothing.
  bool reported = false;
  for (int attempt = 0; attempt < 100 && !reported; ++attempt) reported = WaitForASleeper().stalls > 0;
  EXPECT_TRUE(reported);
}

// A thread of higher priority (SCHED_FIFO) would otherwise keep the core from the one that it waits for. Yielding does not
// count as leaving the core by itself.
TEST(Barrier, SleepsWhileAnotherThreadDoesNotCome) { EXPECT_GT(WaitForASleeper().sleeps, 0); }

}  // namespace
}  // namespace optimized
}  // namespace tandem
