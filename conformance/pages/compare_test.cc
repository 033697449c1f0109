#include "conformance/pages/compare.h"

#include <gtest/gtest.h>

#include "conformance/faulty/faulty.h"
#include "conformance/pages/reports.h"
#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {
namespace {

CampaignResult Judged(Mutation mutation, uint64_t seed = 1) {
  CampaignOptions options;
  options.required = RequiredProblems(*FindProfile("vanilla_rnn inference f32"));
  options.problems = {ParseProblem("l1t2mb2sic3n\"small\""), ParseProblem("l1t1mb1sic4")};
  options.random_problems = 12;
  options.shrink_attempts = 2;
  options.seed = seed;
  options.scope.cells = {Cell::kVanillaRnn};
  options.scope.propagations = {Propagation::kForwardInference};
  options.scope.configs = {Config::kF32};
  options.scope.max_channels = 9;
  CampaignResult result = RunCampaign(MutantPlugin(mutation), options, [](const CampaignResult&) {});
  result.implementation = "vendor";
  // The result is read from JSON, as in `tandem compare`.
  return ReadJsonReport(JsonReport({result})).at(0);
}

Comparison CompareOne(const CampaignResult& before, const CampaignResult& after) {
  return Compare({before}, {after}).at(0);
}

bool Has(const std::vector<Change>& changes, const std::string& subject) {
  for (const Change& change : changes) {
    if (change.subject.find(subject) != std::string::npos) return true;
  }
  return false;
}

const CampaignResult& Good() {
  static const CampaignResult* const result = new CampaignResult(Judged(Mutation::kNoBug));
  return *result;
}
const CampaignResult& Bad() {
  static const CampaignResult* const result = new CampaignResult(Judged(Mutation::kBiasIgnored));
  return *result;
}

TEST(Compare, TheSameHasNoChange) {
  const Comparison same = CompareOne(Bad(), Bad());
  for (const std::vector<Change>* list : {&same.regressions, &same.mended, &same.added, &same.gone, &same.slower}) {
    EXPECT_TRUE(list->empty()) << ComparisonText(same);
  }
  EXPECT_TRUE(same.notes.empty());
}

TEST(Compare, WhatGotWorseIsARegressionAndTheReverseIsMended) {
  const Comparison worse = CompareOne(Good(), Bad()), better = CompareOne(Bad(), Good());
  EXPECT_TRUE(Has(worse.regressions, "small")) << ComparisonText(worse);
  EXPECT_TRUE(Has(worse.regressions, "profile vanilla_rnn inference f32")) << ComparisonText(worse);
  uint64_t required = 0, random = 0;
  for (const CheckedProblem& checked : Bad().complaints) {
    required += checked.origin == Origin::kRequired;
    random += checked.origin == Origin::kRandom;
  }
  ASSERT_GT(required, 0u);
  ASSERT_GT(random, 0u);
  EXPECT_EQ(worse.regressions.size(), required + random + 3) << ComparisonText(worse);
  EXPECT_EQ(better.mended.size(), worse.regressions.size()) << ComparisonText(better);
  EXPECT_TRUE(better.regressions.empty());
}

TEST(Compare, AKnownDepartureIsNoRegression) {
  CampaignResult known = Bad();
  known.explained = {{"known", known.complaints.size(), known.complaints[0]}};
  for (const CheckedProblem& checked : known.complaints) known.explained[0].positions.push_back(checked.position);
  known.complaints.clear();
  const Comparison now = CompareOne(Good(), known), mended = CompareOne(known, Good());
  EXPECT_TRUE(now.regressions.empty()) << ComparisonText(now);
  EXPECT_NE(ComparisonText(mended).find("FAIL, known -> PASS"), std::string::npos) << ComparisonText(mended);
  // A mended bug is told apart from a file for --known that somebody has written.
  const Comparison explained = CompareOne(Bad(), known), forgotten = CompareOne(known, Bad());
  EXPECT_TRUE(Has(explained.explained, "small"));
  EXPECT_EQ(explained.explained.size(), Bad().complaints.size()) << ComparisonText(explained);
  EXPECT_TRUE(explained.mended.empty()) << ComparisonText(explained);
  EXPECT_EQ(forgotten.regressions.size(), Bad().complaints.size()) << ComparisonText(forgotten);
}

TEST(Compare, OtherRandomProblemsAreNoRegressions) {
  const Comparison other = CompareOne(Good(), Judged(Mutation::kBiasIgnored, 2));
  for (const Change& change : other.regressions) EXPECT_NE(change.before, "no complaint") << ComparisonText(other);
  EXPECT_FALSE(other.added.empty());
  EXPECT_EQ(other.notes.size(), 1u);
}

TEST(Compare, ListsWhatOneReportAloneHas) {
  CampaignResult less = Good();
  less.named.pop_back();
  EXPECT_EQ(CompareOne(Good(), less).gone.size(), 1u);
  EXPECT_EQ(CompareOne(less, Good()).added.size(), 1u);
  CampaignResult renamed = Good();
  renamed.implementation = "other";
  EXPECT_TRUE(Compare({Good()}, {renamed}).empty());
  EXPECT_EQ(Compare({Good()}, {Good(), renamed}).at(0).notes.size(), 1u);
}

TEST(Compare, SlowerIsMoreThanNoise) {
  CampaignResult slow = Good(), slower = Good();
  slow.named[0].seconds = 1;
  slower.named[0].seconds = 1.4;
  EXPECT_TRUE(CompareOne(slow, slower).slower.empty());
  slower.named[0].seconds = 2;
  EXPECT_EQ(CompareOne(slow, slower).slower.size(), 1u);
  slow.named[0].seconds = 0.01;
  slower.named[0].seconds = 0.4;
  EXPECT_TRUE(CompareOne(slow, slower).slower.empty());
}

TEST(Compare, ARefusalIsWorseThanAPass) {
  CampaignResult refused = Good();
  refused.named[0].outcome = Outcome(Verdict::kNotSupported);
  const int index = static_cast<int>(Verdict::kNotSupported);
  refused.random.begin()->second.count[index] += 2;
  const Comparison comparison = CompareOne(Good(), refused);
  EXPECT_EQ(comparison.regressions.size(), 2u) << ComparisonText(comparison);
  EXPECT_NE(ComparisonText(comparison).find("PASS -> NOT_SUPPORTED"), std::string::npos);
  EXPECT_NE(ComparisonText(comparison).find("2 regressions, 0 mended, 0 explained, 0 new, 0 gone, 0 slower"),
            std::string::npos);
}

}  // namespace
}  // namespace tandem::conformance
