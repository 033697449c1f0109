#include "conformance/judge/grade.h"

#include <gtest/gtest.h>

#include "conformance/faulty/faulty.h"
#include "conformance/judge/campaign.h"
#include "conformance/problem/generator.h"
#include "conformance/problem/problem_notation.h"
#include "conformance/sandbox/runfiles.h"

namespace tandem::conformance {
namespace {

CheckedProblem Passed(double outward = 0) {
  CheckedProblem checked;
  TensorReport row;
  row.stats.sum_outward = outward;
  checked.report.Add(row);
  checked.quality.holds.fill(Holds::kYes);
  return checked;
}

char GradeWith(const CheckedProblem& one) {
  CategorySummary category;
  category.Add(Passed());
  category.Add(one);
  return Grade(category);
}

TEST(Grade, IsAIfEverythingWasMeasuredAndHolds) { EXPECT_EQ(GradeWith(Passed()), 'A'); }

TEST(Grade, IsBWithoutAnyOneOfTheProperties) {
  for (Property property : {Property::kStrictBounds, Property::kBatchInvariance, Property::kThreadDeterminism}) {
    CheckedProblem checked = Passed();
    checked.quality[property] = Holds::kNo;
    EXPECT_EQ(GradeWith(checked), 'B');
    checked.quality[property] = Holds::kUnknown;
    EXPECT_EQ(GradeWith(checked), 'A') << "the other problem has shown it";
    CategorySummary alone;
    alone.Add(checked);
    EXPECT_EQ(Grade(alone), 'B') << "never measured";
  }
}

TEST(Grade, IsCIfOnlyTheImplementationsOwnDeclarationLetsItPass) {
  CheckedProblem relaxed = Passed();
  relaxed.quality[Property::kDefaultBounds] = Holds::kNo;
  EXPECT_EQ(GradeWith(relaxed), 'C');
  CheckedProblem warned = Passed();
  warned.outcome.Worsen(Verdict::kQualityWarning);
  EXPECT_EQ(GradeWith(warned), 'C');
}

TEST(Grade, IsFAfterAnyFailureAndAbsentWithoutAnyPass) {
  for (Verdict verdict : {Verdict::kFail, Verdict::kNondeterministic, Verdict::kTimeout, Verdict::kCrash}) {
    CheckedProblem failed = Passed();
    failed.outcome.Worsen(verdict);
    EXPECT_EQ(GradeWith(failed), 'F');
  }
  CategorySummary refused;
  CheckedProblem checked;
  checked.outcome.Worsen(Verdict::kNotSupported);
  refused.Add(checked);
  EXPECT_EQ(Grade(refused), '-');
}

TEST(Grade, IsBIfErrorsLeanToOneSideInProblemAfterProblem) {
  CategorySummary truncating, rounding, few;
  for (int i = 0; i < 20; ++i) {
    truncating.Add(Passed(-0.5 - 0.01 * i));
    rounding.Add(Passed(i % 2 == 0 ? 0.5 : -0.5));
    if (i < 10) few.Add(Passed(-0.5));
  }
  EXPECT_EQ(Grade(truncating), 'B');
  EXPECT_LT(truncating.WorstBias(), -4);
  EXPECT_EQ(Grade(rounding), 'A');
  EXPECT_EQ(Grade(few), 'A') << "ten sums of the same sign are not yet a proof";
}

TEST(Grade, DoesNotFallBecauseMoreProblemsShowTheSameSmallLean) {
  CategorySummary leaning, truncating;
  for (int i = 0; i < 10000; ++i) {
    leaning.Add(Passed(i % 2 == 0 ? 0.6 : -0.4));
    truncating.Add(Passed(-0.5));
  }
  EXPECT_GT(leaning.outward.StandardErrors(), 4);
  EXPECT_EQ(Grade(leaning), 'A');
  EXPECT_EQ(Grade(truncating), 'B');
}

// The declaration has bounds so wide that every answer between 0 and 1 passes.
Declaration Anything() {
  Declaration declared;
  declared.sigmoid_ulp = 1e9;
  return declared;
}

// The plugin writes ones. If the mood is "count-threads", the first element is its number of threads.
QualityReport Measure(const Plugin& plugin, const std::string& mood, Dim row, const Declaration& declared) {
  const ProblemSpec spec = ParseProblem("--activation=LOGISTIC l1t1mb2sic3");
  const RnnProblem problem = ToRnnProblem(spec);
  TensorSet inputs(problem);
  FillInputs(spec, problem, &inputs);
  TensorSet outputs = inputs;
  RunOptions run;
  run.environment = {"TANDEM_BROKEN=" + mood};
  EXPECT_EQ(RunIsolated(plugin, problem, run, &outputs).status, RunStatus::kOk);
  return MeasureQuality(plugin, run, {problem, inputs, outputs, AsImplementation(plugin, run), declared}, row);
}

Plugin Broken() { return LoadPluginFile(RunfilePath("conformance/sandbox/broken_plugin.so")); }

TEST(Quality, SeesWhatChangesWithTheThreadsAndWithTheBatch) {
  const QualityReport steady = Measure(Broken(), "", 1, Anything());
  EXPECT_EQ(steady[Property::kThreadDeterminism], Holds::kYes);
  EXPECT_EQ(steady[Property::kBatchInvariance], Holds::kYes);
  const QualityReport counting = Measure(Broken(), "count-threads", 1, Anything());
  EXPECT_EQ(counting[Property::kThreadDeterminism], Holds::kNo);
  EXPECT_EQ(counting[Property::kBatchInvariance], Holds::kNo) << "the first element is not a one";
  EXPECT_EQ(Measure(Broken(), "count-threads", 0, Anything())[Property::kBatchInvariance], Holds::kYes);
}

TEST(Quality, KnowsWhatPassesOnlyByTheDeclaration) {
  const QualityReport report = Measure(Broken(), "", 1, Anything());
  EXPECT_EQ(report[Property::kDefaultBounds], Holds::kNo) << "ones everywhere are wrong";
  EXPECT_EQ(report[Property::kStrictBounds], Holds::kNo);
  EXPECT_TRUE(report.outcome.ok()) << report.message;
}

TEST(Quality, OtherBitsAreJudgedToo) {
  const QualityReport counting = Measure(Broken(), "count-threads", 1, Declaration());
  EXPECT_EQ(counting.outcome.verdict(), Verdict::kFail);
  EXPECT_NE(counting.message.find("with up to 2 threads: FAIL"), std::string::npos) << counting.message;
}

TEST(Quality, OtherBitsHideNothingElse) {
  const QualityReport spilling = Measure(Broken(), "count-threads-and-spill", 1, Anything());
  EXPECT_EQ(spilling.finding, Finding::kCanary) << spilling.message;
}

TEST(Quality, ALossIsAFailureOnlyAgainstAClaim) {
  Plugin plugin = Broken();
  EXPECT_TRUE(Measure(plugin, "count-threads", 1, Anything()).outcome.ok());
  plugin.claims_batch_invariance = true;
  EXPECT_EQ(Measure(plugin, "count-threads", 1, Anything()).message, "row 1 alone: other bits, against its claim");
  plugin.claims_thread_determinism = true;
  const QualityReport broken = Measure(plugin, "count-threads", 1, Anything());
  EXPECT_EQ(broken.outcome.verdict(), Verdict::kFail);
  EXPECT_EQ(broken.finding, Finding::kClaim);
  EXPECT_EQ(broken.message, "another number of threads: other bits, against its claim");
}

TEST(Declaration, WhatADescriptionAddsIsSaidAndLookedForInEveryProblem) {
  Declaration declared;
  EXPECT_EQ(WhatItAdds(declared), "");
  const RnnProblem f32 = ToRnnProblem(ParseProblem("sic3")), bf16 = ToRnnProblem(ParseProblem("--cfg=bf16 sic3"));
  EXPECT_FALSE(Adds(declared, f32));
  declared.narrow_sums = 1u << static_cast<unsigned>(Cell::kVanillaRnn);
  EXPECT_FALSE(Adds(declared, f32));
  EXPECT_TRUE(Adds(declared, bf16));
  declared.tanh_abs = 1e-4;
  EXPECT_TRUE(Adds(declared, f32));
  EXPECT_EQ(WhatItAdds(declared), "tanh 0.0001 absolute, pre-activations in the 16-bit type");

  // This mutant's tanh loses digits near 0 and needs what its description adds: grade C, though it is seldom measured.
  Plugin plugin = MutantPlugin(Mutation::kTanhCancels);
  plugin.declared.tanh_abs = 1e-6;
  CampaignOptions options;
  options.problems = {ParseProblem("--activation=TANH --data=tiny --seed=2 l1t1mb9sic20")};
  options.check.quality_every = 0;
  const CampaignResult result = RunCampaign(plugin, options, [](const CampaignResult&) {});
  ASSERT_EQ(result.Count(Verdict::kPass), 1u);
  EXPECT_EQ(Grade(result.categories.begin()->second), 'C');
  EXPECT_EQ(result.adds, "tanh 1e-06 absolute");
}

// The sums are (2^52 + 1)^2, and one whose lower 64 bits carry into the upper ones.
TEST(Bias, SumsOfSquaresAreExactIn128Bits) {
  Bias large, one;
  large.Add(0x1p32 + Bias::kUnit);
  EXPECT_EQ(large.squares(), (std::array<uint64_t, 2>{uint64_t{1} << 40, (uint64_t{1} << 53) + 1}));
  one.Add(-Bias::kUnit);
  one.Merge(Bias::FromSums(0, {6, ~uint64_t{0}}));
  EXPECT_EQ(one.squares(), (std::array<uint64_t, 2>{7, 0}));
  EXPECT_EQ(Bias::FromSums(int64_t{1} << 32, {1, 0}).StandardErrors(), 1);
}

}  // namespace
}  // namespace tandem::conformance
