#include "conformance/pages/write_known.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "conformance/faulty/faulty.h"
#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {
namespace {

CampaignResult Judged(const KnownDepartures& known, uint64_t seed = 1) {
  CampaignOptions options;
  options.required = RequiredProblems(*FindProfile("lstm inference f32"));
  options.problems = {ParseProblem("--alg=VANILLA_LSTM l1t2mb2sic3"),
                      ParseProblem("--cfg=u8u8u8u8 --alg=VANILLA_LSTM sic4")};
  options.random_problems = 60;
  options.shrink_attempts = 3;
  options.scope.max_channels = 9;
  options.scope.max_steps = 3;
  options.seed = seed;
  options.known = known;
  return RunCampaign(MutantPlugin(Mutation::kBiasIgnored), options, [](const CampaignResult&) {});
}

TEST(WriteKnown, ExplainsTheRunAndNothingElse) {
  const CampaignResult first = Judged({});
  ASSERT_GT(first.complaints.size(), 20u);
  ASSERT_FALSE(first.unshrunk.empty());
  const KnownDepartures known(KnownDeparturesText(first, ""), "written");
  EXPECT_TRUE(known.IsAbout("BiasIgnored", "bias is ignored"));
  const CampaignResult again = Judged(known);
  EXPECT_EQ(again.complaints.size(), 0u) << ReplayLine(again.complaints[0]);
  EXPECT_EQ(again.NumExplained(), first.complaints.size());
  // The required and the given problems are the same ones.
  const CampaignResult other = Judged(known, 2);
  for (const CheckedProblem& checked : other.complaints)
    EXPECT_EQ(checked.origin, Origin::kRandom) << ReplayLine(checked);
  EXPECT_FALSE(other.complaints.empty());
}

TEST(WriteKnown, KeepsWhatWasKnown) {
  const std::string before = "implementation BiasIgnored bias is ignored\nby-hand FAIL --cfg=f32\n";
  const CampaignResult first = Judged(KnownDepartures(before, "before"));
  ASSERT_GT(first.NumExplained(), 0u);
  ASSERT_FALSE(first.complaints.empty());
  const std::string text = KnownDeparturesText(first, before);
  EXPECT_EQ(text.find(before), 0u);
  EXPECT_TRUE(Judged(KnownDepartures(text, "after")).complaints.empty());
}

TEST(WriteKnown, RefusesANameThatTheNotationCannotHave) {
  CampaignResult result;
  result.implementation = "two words";
  result.version = "1";
  EXPECT_THROW(KnownDeparturesText(result, ""), std::runtime_error);
  result.implementation = "word";
  result.version = "";
  EXPECT_THROW(KnownDeparturesText(result, ""), std::runtime_error);
}

}  // namespace
}  // namespace tandem::conformance
