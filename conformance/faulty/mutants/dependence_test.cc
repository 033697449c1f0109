#include "conformance/faulty/mutants/dependence.h"

#include <gtest/gtest.h>

#include "conformance/faulty/faulty.h"
#include "conformance/faulty/mutation.h"
#include "conformance/judge/check.h"
#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {
namespace {

template <class Fails>
std::string RuleOfSizes(const Fails& fails) {
  std::map<Dim, bool> tried;
  for (Dim size = 1; size <= 33; ++size) tried[size] = fails(size);
  return RuleOf("N", tried);
}

TEST(Dependence, TheSimplestRuleThatIsExactIsNamed) {
  EXPECT_EQ(RuleOfSizes([](Dim n) { return n > 4; }), "N > 4");
  EXPECT_EQ(RuleOfSizes([](Dim n) { return n == 1; }), "N <= 1");
  EXPECT_EQ(RuleOfSizes([](Dim n) { return n % 2 != 0; }), "N is odd");
  EXPECT_EQ(RuleOfSizes([](Dim n) { return n % 8 != 0; }), "N % 8 > 0");
  EXPECT_EQ(RuleOfSizes([](Dim n) { return n % 8 == 1; }), "N % 8 = 1");
  EXPECT_EQ(RuleOfSizes([](Dim n) { return n > 8 && n % 8 != 0; }), "N > 8 and N % 8 > 0");
  EXPECT_EQ(RuleOfSizes([](Dim n) { return n > 1 && n % 2 != 0; }), "N > 1 and N is odd");
}

TEST(Dependence, WhereThereIsNoRuleNoneIsNamed) {
  EXPECT_EQ(RuleOfSizes([](Dim) { return true; }), "");
  EXPECT_EQ(RuleOfSizes([](Dim) { return false; }), "");
  EXPECT_EQ(RuleOfSizes([](Dim n) { return n == 3 || n == 12; }), "");
}

TEST(Dependence, EachSizeHasItsSentence) {
  const ProblemSpec given = ParseProblem("--alg=VANILLA_LSTM l2t3mb9sic6slc6dhc6dic6");
  const std::string text =
      DependsOn(given, [](const ProblemSpec& s, int) { return s.mb % 8 == 0 || s.t % 2 == 0 || s.l < 2; });
  EXPECT_EQ(text.find("it conforms with one layer\n"), 0u) << text;
  for (const char* sentence : {"\nit fails where N % 8 > 0 (24 sizes from 1 to 33 were tried)",
                               "\nit fails where T is odd (11 sizes from 1 to 17 were tried)",
                               "\nit fails where L > 1 (4 sizes from 1 to 4 were tried)"}) {
    EXPECT_NE(text.find(sentence), std::string::npos) << text;
  }
}

// As `tandem diagnose` asks.
std::string OnMutant(Mutation mutation, const std::string& problem) {
  const Plugin plugin = MutantPlugin(mutation);
  CheckOptions options = WithoutExperiments();
  return DependsOn(ParseProblem(problem), [&](const ProblemSpec& spec, int threads) {
    options.threads = threads;
    return CheckProblem(plugin, spec, options).outcome.ok();
  });
}

TEST(Dependence, TheSizesOfMutantsAreNamed) {
  const std::string odd =
      OnMutant(Mutation::kOddStepsOddRowsSwapHalves, "--alg=VANILLA_LSTM --direction=concat l1t3mb3sic6slc6dhc6dic6");
  EXPECT_NE(odd.find("\nit fails where N is odd"), std::string::npos) << odd;
  EXPECT_NE(odd.find("\nit fails where T is odd"), std::string::npos) << odd;
  const std::string five = OnMutant(Mutation::kBatchBlockReusesRow, "--alg=VANILLA_LSTM l1t2mb6sic6slc6dhc6dic6");
  EXPECT_NE(five.find("\nit fails where N > 4"), std::string::npos) << five;
}

}  // namespace
}  // namespace tandem::conformance
