#include "conformance/judge/campaign.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>

#include "conformance/judge/coverage.h"
#include "conformance/judge/in_order.h"
#include "conformance/pages/reports.h"
#include "conformance/plugins/builtin_plugins.h"
#include "conformance/problem/problem_notation.h"
#include "conformance/sandbox/runfiles.h"

namespace tandem::conformance {
namespace {

const Progress kQuiet = [](const CampaignResult&) {};

Plugin Broken() { return LoadPluginFile(RunfilePath("conformance/sandbox/broken_plugin.so")); }

CampaignOptions SmallCampaign(const std::string& mood, int jobs) {
  CampaignOptions options;
  options.random_problems = 70;
  options.shrink_attempts = 3;
  options.jobs = jobs;
  options.check.environment = {"TANDEM_BROKEN=" + mood};
  return options;
}

std::string ReportWithoutTimes(CampaignResult result) {
  result.seconds = 1;
  return TextReport(result);
}

TEST(Campaign, ResultsDoNotDependOnTheNumberOfJobs) {
  for (const char* mood : {"", "other-each-time", "crash"}) {
    const std::string one = ReportWithoutTimes(RunCampaign(Broken(), SmallCampaign(mood, 1), kQuiet));
    const std::string three = ReportWithoutTimes(RunCampaign(Broken(), SmallCampaign(mood, 3), kQuiet));
    EXPECT_EQ(one, three) << mood;
  }
}

// A second passes between two looks at the clock.
CampaignOptions LimitedCampaign(const std::string& mood, double seconds) {
  CampaignOptions options = SmallCampaign(mood, 1);
  options.seconds = seconds;
  const auto time = std::make_shared<std::atomic<int>>(0);
  options.now = [time] { return static_cast<double>((*time)++); };
  return options;
}

TEST(Campaign, NoProblemIsStartedAfterTheTimeAndTheReportSaysWhatWasCovered) {
  const CampaignResult result = RunCampaign(Broken(), LimitedCampaign("refuse", 12.5), kQuiet);
  EXPECT_EQ(result.planned, 70u);
  EXPECT_EQ(result.run, 12u);
  EXPECT_NE(TextReport(result).find("\n  0 of " + std::to_string(DrawnPairs().size()) + " pairs of features "),
            std::string::npos)
      << TextReport(result);
}

// Time stands still, so the time that is left is no more than that of the first small problem.
TEST(Campaign, NoProblemIsStartedThatWouldEndAfterTheTimeButTheFirst) {
  CampaignOptions options;
  options.now = [] { return 0.0; };
  options.jobs = 1;
  for (const char* problem : {"l1t1mb1sic4", "l1t3mb16sic500", "l1t1mb1sic5"}) {
    options.problems.push_back(ParseProblem(problem));
  }
  const auto run = [&](double seconds) {
    options.seconds = seconds;
    return RunCampaign(LoadPlugin("reference"), options, kQuiet);
  };
  const CampaignResult one = run(1e-9), all = run(1e6);
  EXPECT_EQ(one.run, 1u);
  EXPECT_EQ(one.too_long, 2u);
  EXPECT_NE(TextReport(one).find("\n  2 problems would have ended after the time and did not start\n"),
            std::string::npos)
      << TextReport(one);
  EXPECT_EQ(all.run, 3u);
  EXPECT_EQ(all.too_long, 0u);
}

CampaignOptions FiveHangs(double seconds) {
  CampaignOptions options = LimitedCampaign("hang", seconds);
  options.random_problems = 0;
  options.problems.assign(5, ParseProblem("--alg=VANILLA_LSTM l1t2mb2sic5"));
  options.check.timeout_seconds = 0.2;
  return options;
}

// Time stands still: a pace that counted the first hang would say that the second one ends too late.
TEST(Campaign, AHangDoesNotTellHowLongOtherProblemsTake) {
  CampaignOptions options = FiveHangs(0.1);
  options.now = [] { return 0.0; };
  const CampaignResult result = RunCampaign(Broken(), options, kQuiet);
  EXPECT_EQ(result.Count(Verdict::kTimeout), 5u);
  EXPECT_EQ(result.too_long, 0u);
}

// Each problem takes one look at the clock; each complaint may take one more.
TEST(Campaign, HangsEndWithTheTime) { EXPECT_LE(RunCampaign(Broken(), FiveHangs(3.5), kQuiet).run, 3u); }

TEST(Campaign, NothingIsShrunkAfterTheTime) {
  const CampaignResult result = RunCampaign(Broken(), LimitedCampaign("", 3.5), kQuiet);
  ASSERT_EQ(result.run, 3u);
  ASSERT_EQ(result.complaints.size(), 3u);
  EXPECT_EQ(result.unshrunk.size(), 0u);
}

TEST(Campaign, WithALimitOfTimeProblemsForEveryPairComeBeforeTheList) {
  const auto run_before_the_list = [](double seconds) {
    CampaignOptions options = LimitedCampaign("refuse", seconds);
    options.problems = {ParseProblem("--alg=VANILLA_LSTM l1t2mb3sic5")};
    uint64_t before = 0;
    const CampaignResult result = RunCampaign(Broken(), options, [&](const CampaignResult& so_far) {
      if (so_far.named.empty()) before = so_far.run;
    });
    EXPECT_EQ(result.run, 71u);
    return before;
  };
  EXPECT_EQ(run_before_the_list(0), 0u);
  EXPECT_GT(run_before_the_list(1e6), 30u);
}

TEST(Campaign, AComplaintThatNeedsEarlierProblemsInTheProcessIsKeptAndSaysSo) {
  // The plugin refuses everything, and crashes on the tenth question. A problem that runs alone asks twice at most.
  const CampaignResult result = RunCampaign(Broken(), SmallCampaign("crash-when-asked-often", 1), kQuiet);
  EXPECT_GT(result.Count(Verdict::kCrash), 2u);
  EXPECT_GT(result.Count(Verdict::kNotSupported), 40u);
  for (const CheckedProblem& checked : result.complaints) {
    EXPECT_NE(checked.message.find("not in a process that ran no other problem before"), std::string::npos)
        << checked.message;
  }
}

// Earlier campaigns have complained about these problems. They run on this machine (""), and as on
// machines that have AVX2 only, or no fused multiply-add.
class FormerAlarms : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    options_.target = GetParam();
    // Some builds have SSE2 in place of SSE4.
    if (options_.target == "SSE4" && !Has("SSE4")) options_.target = "SSE2";
    if (!Has(options_.target)) GTEST_SKIP() << "this build has no " << options_.target << " that this machine can run";
  }

  void ExpectPass(const std::string& problem, const std::string& implementation = "reference") const {
    const CheckedProblem checked = CheckProblem(LoadPlugin(implementation), ParseProblem(problem), options_);
    EXPECT_TRUE(checked.outcome.ok()) << checked.message << "\n" << ReplayLine(checked);
  }

  CheckOptions options_;

 private:
  static bool Has(const std::string& target) {
    Plugin optimized = LoadPlugin("optimized");
    if (!target.empty()) optimized.environment = {"TANDEM_TARGET=" + target};
    std::string reason;
    return Coverage(optimized).Serves(ParseProblem("sic16"), &reason);
  }
};

INSTANTIATE_TEST_SUITE_P(Targets, FormerAlarms, testing::Values("", "AVX2", "SSE4"), [](const auto& info) {
  const std::string target = info.param;
  return target.empty() ? "ThisMachine" : target;
});

// A relation had no bias, and the weights of its upper layer are bytes, which have no NaN. Its complaint was false.
TEST_P(FormerAlarms, ALayerWithByteWeightsAndNoBiasHasNoNanToHandOn) {
  ExpectPass(
      "--alg=VANILLA_GRU --direction=sum --cfg=f32w8dyn --scaling-proj=per_oc --attr-scratchpad=user --absent=bias "
      "--gain=0.300000012 --seed=498369 l2t9mb1sic2slc2dhc2dic2");
}

TEST_P(FormerAlarms, BytesThatAllStandForZeroHaveTheRangeOfTheirType) {
  ExpectPass(
      "--alg=VANILLA_LSTM --direction=concat --cfg=u8u8u8f32 --tag=any:ldigo:any --scaling-proj=per_oc "
      "--with-projection=true --misalign=5 --absent=src_iter+src_iter_c+bias+dst_iter+dst_iter_c --data-scale=16 "
      "--zero-point=255 --gain=0.0500000007 --seed=228875 l1t1mb8sic16slc16dhc4dic16");
}

// The oracle had a bug. In f32, adding u h with u = 2^-30 to o changes nothing, but it does in the wider arithmetic of the
// reference, and h was halfway between two integers.
TEST_P(FormerAlarms, AGateThatIsNearlyClosedPassesItsOperandToWithinARounding) {
  ExpectPass(
      "--alg=VANILLA_GRU --cfg=u8u8u8f32 --scaling=per_oc --scaling-proj=per_oc --absent=bias --data-scale=40.5 "
      "--zero-point=81 --gain=4 --seed=188050 l1t1mb2sic12slc2dhc12dic12");
}

// The oracle had bugs with an infinite input, and with a finite product that overflows f32 to the other infinity. The sum may
// be NaN, but the activation took its infinite value for exact.
TEST_P(FormerAlarms, AnInfinityBesideAnOverflowInBf16MayGiveNan) {
  ExpectPass(
      "--prop=FWD_D --alg=LBR_GRU --direction=concat --cfg=bf16f32 --tag=any:ldigo:any --misalign=1 --absent=dst_iter "
      "--data=special --gain=4 --seed=853678 l1t10mb11sic13slc13dhc13dic13",
      "optimized");
}

// The optimized backend had a bug: when src_iter was absent, it skipped U (r * h) too, and with it a NaN in r.
TEST_P(FormerAlarms, ANanInTheResetGateReachesTheCandidateWithoutSrcIter) {
  ExpectPass("--alg=VANILLA_GRU --absent=src_iter+bias+dst_iter --data=special --gain=2 --seed=4 l1t1mb2sic4slc32dhc4",
             "optimized");
  ExpectPass(
      "--alg=VANILLA_AUGRU --tag=any:ldgoi:any --attr-scratchpad=user --absent=src_iter+bias+dst_iter --data=special "
      "--seed=277018 l1t1mb16sic17slc60dhc17dic17",
      "optimized");
}

// The optimized backend had a bug that only --config=asan shows: it read floats through pointers that are not aligned.
TEST_P(FormerAlarms, GradientsOfWeightsAreOfRowsThatBeginAtAnyByte) {
  ExpectPass(
      "--prop=BWD_DW --alg=VANILLA_LSTM --misalign=7 --absent=src_iter+src_iter_c+bias --seed=622200 "
      "l2t1mb1sic1slc1dhc1dic1",
      "optimized");
  ExpectPass(
      "--prop=BWD_DW --alg=LBR_GRU --cfg=bf16f32 --misalign=1 --absent=src_iter+bias --seed=668903 "
      "l1t2mb1sic1slc1dhc1dic1",
      "optimized");
}

// The reference had a bug: backward multiplied rows without a step as zeros. It multiplied them also by the NaN that the
// relation has put into the weights of a problem without any step.
TEST_P(FormerAlarms, WeightsGetNoGradientFromRowsWithoutAStep) {
  ExpectPass(
      "--prop=BWD_DW --alg=VANILLA_GRU --direction=sum --absent=bias --lengths=random --seed=559374 "
      "l1t1mb1sic2slc2dhc2dic2");
  ExpectPass(
      "--prop=BWD_DW --alg=VANILLA_LSTM --cfg=f16f32 --with-projection=true --direction=sum "
      "--absent=src_iter+src_iter_c+bias+dst_iter+dst_iter_c --lengths=random --seed=903933 l1t1mb1sic2slc2dhc2dic2");
}

// The oracle had a bug: infinity times a weight of 1e-41, which counts as zero in optimized, is NaN.
TEST_P(FormerAlarms, AnInfiniteStateTimesASubnormalWeightMayBeNan) {
  const CheckedProblem checked = CheckProblem(
      LoadPlugin("optimized"),
      ParseProblem("--alpha=-2 --data=special --gain=0.600000024 --seed=293548 l1t2mb1sic32slc32dhc32dic32"), options_);
  // More than a third of the values may be NaN, so a campaign goes on to tamer data.
  EXPECT_EQ(checked.outcome.verdict(), Verdict::kVacuous) << checked.message;
}

TEST(InOrder, ResultsComeInOrderFromAnyNumberOfThreads) {
  for (int threads : {1, 2, 7}) {
    std::vector<uint64_t> taken;
    InOrder<uint64_t>(threads, 500)
        .Run([](uint64_t k) { return k * k; },
             [&](uint64_t result) {
               taken.push_back(result);
               return Continue::kYes;
             });
    ASSERT_EQ(taken.size(), 500u);
    for (uint64_t k = 0; k < taken.size(); ++k) ASSERT_EQ(taken[k], k * k);
  }
}

TEST(InOrder, StopsWhenToldAndPassesOnWhatWorkThrows) {
  std::atomic<uint64_t> done{0};
  uint64_t taken = 0;
  InOrder<int>(2, ~uint64_t{0})
      .Run([&](uint64_t) { return static_cast<int>(++done); },
           [&](int) { return ++taken == 5 ? Continue::kNo : Continue::kYes; });
  EXPECT_EQ(taken, 5u);
  EXPECT_LT(done.load(), 200u);
  const auto fails_at_three = [](uint64_t k) {
    if (k == 3) throw std::runtime_error("three");
    return 0;
  };
  taken = 0;
  const auto count = [&](int) {
    ++taken;
    return Continue::kYes;
  };
  EXPECT_THROW(InOrder<int>(2, 10).Run(fails_at_three, count), std::runtime_error);
  EXPECT_EQ(taken, 3u);
}

}  // namespace
}  // namespace tandem::conformance
