// A campaign in parts gives the reports of the campaign in one piece. Only the times differ.
#include "conformance/judge/merge.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "conformance/faulty/faulty.h"
#include "conformance/pages/reports.h"
#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {
namespace {

CampaignOptions Options() {
  CampaignOptions options;
  options.required = RequiredProblems(*FindProfile("lstm inference f32"));
  options.problems = {ParseProblem("--alg=VANILLA_LSTM l1t2mb2sic5n\"given <1>\""), ParseProblem("l1t3mb2sic6"),
                      ParseProblem("--alg=VANILLA_LSTM --attr-fpmath=bf16 --gain=4 l1t8mb2sic20")};
  options.random_problems = 300;
  options.shrink_attempts = 2;
  options.scope.max_channels = 9;
  options.scope.max_steps = 3;
  options.known = KnownDepartures("implementation SwapGatesIF none\n", "test");
  return options;
}

CampaignResult RunPart(Mutation mutation, Shard shard) {
  CampaignOptions options = Options();
  options.shard = shard;
  return RunCampaign(MutantPlugin(mutation), options, [](const CampaignResult&) {});
}

void ForgetTimes(std::vector<CheckedProblem>* problems) {
  for (CheckedProblem& checked : *problems) checked.seconds = 0;
}
CampaignResult WithoutTimes(CampaignResult result) {
  result.seconds = 0;
  for (auto& entry : result.random) entry.second.seconds = 0;
  for (auto* problems : {&result.named, &result.vacuous, &result.complaints, &result.unshrunk}) ForgetTimes(problems);
  for (Explained& explained : result.explained) explained.example.seconds = 0;
  return result;
}

std::string AllReports(const CampaignResult& result) {
  return TextReport(result) + JsonReport({result}) + HtmlReport({result}) + JunitReport({result});
}

// Reads the result as `tandem merge` does.
CampaignResult FromFile(const CampaignResult& result) { return ReadJsonReport(JsonReport({result})).at(0); }

class MergedCampaign : public testing::TestWithParam<Mutation> {};

TEST_P(MergedCampaign, IsTheCampaignInOnePiece) {
  const CampaignResult whole = WithoutTimes(RunPart(GetParam(), {0, 1}));
  ASSERT_EQ(whole.run, 307u);
  std::vector<CampaignResult> parts;
  for (uint64_t i = 0; i < 3; ++i) parts.push_back(FromFile(WithoutTimes(RunPart(GetParam(), {2 - i, 3}))));
  EXPECT_EQ(AllReports(Merge(parts)), AllReports(whole));
  EXPECT_EQ(AllReports(FromFile(whole)), AllReports(whole));
}

// The campaigns have no failures, more failures than are shrunk, and infinite ratios.
INSTANTIATE_TEST_SUITE_P(All, MergedCampaign,
                         testing::Values(Mutation::kNoBug, Mutation::kSwapGatesIF, Mutation::kSigmoidOverflows),
                         [](const auto& info) { return std::string(InfoOf(info.param).name); });

TEST(Merge, RefusesWhatIsNotOneCampaign) {
  const CampaignResult first = RunPart(Mutation::kNoBug, {0, 40}), second = RunPart(Mutation::kNoBug, {1, 40});
  EXPECT_THROW(Merge({}), std::runtime_error);
  EXPECT_THROW(Merge({first, second}), std::runtime_error) << "38 parts are missing";
  EXPECT_THROW(Merge({first, first}), std::runtime_error);
  CampaignResult other = second;
  other.seed = 7;
  EXPECT_THROW(Merge({first, other}), std::runtime_error);
  EXPECT_THROW(ReadJsonReport("{}"), std::runtime_error);
  EXPECT_THROW(ReadJsonReport("nonsense"), std::runtime_error);
}

}  // namespace
}  // namespace tandem::conformance
