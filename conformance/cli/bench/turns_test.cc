// What one turn leaves for the next.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "conformance/cli/bench/bench.h"
#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {
namespace {

size_t ThreadsOfTheProcess() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<size_t>(std::distance(begin(tasks), end(tasks)));
}

// The least number of threads that is seen within 10 s: the kernel removes a thread that was joined a little later.
size_t ThreadsThatStay(size_t expected) {
  size_t least = ThreadsOfTheProcess();
  for (int i = 0; i < 1000 && least > expected; ++i) {
    usleep(10000);
    least = std::min(least, ThreadsOfTheProcess());
  }
  return least;
}

// With OMP_WAIT_POLICY=active, which the bench asks for, a team that is left would spin on the cores of what is timed next.
TEST(TimeProblem, LeavesNoTeamBesideWhatIsTimedNext) {
  Contender contender = LoadContender("optimized");
  LoadHere(&contender);
  contender.division = "1x3x1";
  const size_t before = ThreadsOfTheProcess();
  size_t after = 0;
  BenchOptions options;
  options.threads = {3};
  options.rounds = 1;
  options.seconds_per_turn = 0.001;
  // In a thread of its own.
  options.after_round = [&] { after = ThreadsThatStay(before + 1); };
  const std::vector<Timing> timings = TimeProblem({contender}, ParseProblem("--prop=BWD_DW l1t2mb3sic16"), options);
  EXPECT_EQ(timings.front().refused, "");
  EXPECT_GT(timings.front().executions, 0u);
  EXPECT_LE(after, before + 1);
}

}  // namespace
}  // namespace tandem::conformance
