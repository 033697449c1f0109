#include "conformance/cli/runs/check_runs.h"

#include <gtest/gtest.h>

#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {
namespace {

CheckedProblem Complaint(const std::string& implementation, int threads, uint64_t position, const std::string& words) {
  CheckedProblem checked;
  checked.implementation = implementation;
  checked.threads = threads;
  checked.position = position;
  checked.spec = ParseProblem(words);
  return checked;
}

std::vector<std::string> LinesOf(const std::vector<ProblemSpec>& problems) {
  std::vector<std::string> lines;
  for (const ProblemSpec& spec : problems) lines.push_back(PrintProblem(spec));
  return lines;
}

TEST(CheckRuns, EveryImplementationHasEveryTargetAndNumberOfThreads) {
  const std::vector<CheckRun> runs = EveryRun({"a", "b"}, {"AVX2"}, {1, 4});
  ASSERT_EQ(runs.size(), 4u);
  EXPECT_EQ(runs[1].implementation, "a");
  EXPECT_EQ(runs[1].target, "AVX2");
  EXPECT_EQ(runs[1].threads, 4);
  EXPECT_EQ(runs[2].implementation, "b");
  EXPECT_TRUE(runs[2].problems.empty());
}

TEST(CheckRuns, OfComplaintsAreThoseThatFailed) {
  CampaignResult first, second;
  first.complaints = {Complaint("x.so", 0, 7, "l1t1mb1sic1"), Complaint("x.so", 2, 8, "l1t2mb1sic1"),
                      Complaint("x.so", 0, 9, "l1t3mb1sic1"), Complaint("x.so", 0, 10, "l1t3mb1sic1")};
  first.unshrunk = {Complaint("x.so", 0, 7, "l2t5mb3sic9")};
  first.named = {Complaint("x.so", 0, 1, "l1t1mb1sic16")};  // it passed
  second.complaints = {Complaint("y.so", 0, 1, "l1t4mb1sic1")};
  const std::vector<CheckRun> runs = RunsOfComplaints({first, second});
  ASSERT_EQ(runs.size(), 3u);
  EXPECT_EQ(LinesOf(runs[0].problems),
            LinesOf({ParseProblem("l1t1mb1sic1"), ParseProblem("l2t5mb3sic9"), ParseProblem("l1t3mb1sic1")}));
  EXPECT_EQ(runs[1].threads, 2);
  EXPECT_EQ(LinesOf(runs[1].problems), LinesOf({ParseProblem("l1t2mb1sic1")}));
  EXPECT_EQ(runs[2].implementation, "y.so");
  EXPECT_EQ(ProblemsOf(runs).size(), 5u);
  EXPECT_TRUE(RunsOfComplaints({CampaignResult()}).empty());
}

}  // namespace
}  // namespace tandem::conformance
