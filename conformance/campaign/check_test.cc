// Every run of an implementation is judged, whatever its number of threads and whatever ran before it.
#include "conformance/campaign/check.h"

#include <gtest/gtest.h>

#include "conformance/faulty/faulty.h"
#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {
namespace {

ProblemSpec Problem(uint64_t seed) {
  ProblemSpec spec = ParseProblem("--alg=VANILLA_LSTM l1t2mb3sic5");
  spec.seed = seed;
  return spec;
}

// Without claims, so that other bits are no failure of their own.
Plugin Unclaimed(Mutation mutation) {
  Plugin plugin = MutantPlugin(mutation);
  plugin.claims_thread_determinism = plugin.claims_batch_invariance = false;
  return plugin;
}

CheckOptions OneRun() {
  CheckOptions options;
  options.relations_every = options.warm_up_every = options.quality_every = 0;
  return options;
}

TEST(Check, RunsWithOneTwoAndThreeThreadsByTheSeed) {
  const Plugin plugin = Unclaimed(Mutation::kThreadsOverwriteOutput);
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    const CheckedProblem checked = CheckProblem(plugin, Problem(seed), OneRun());
    EXPECT_EQ(checked.outcome.ok(), seed % 3 == 0) << seed << ": " << checked.message;
  }
}

// Seed 33: the problem's own run has one thread, and its quality is measured.
TEST(Check, OutputsWithAnotherNumberOfThreadsAreJudged) {
  CheckOptions options = OneRun();
  EXPECT_TRUE(CheckProblem(Unclaimed(Mutation::kTwoThreadsDropBias), Problem(33), options).outcome.ok());
  options.quality_every = 16;
  EXPECT_TRUE(CheckProblem(Unclaimed(Mutation::kNoBug), Problem(33), options).outcome.ok());
  const CheckedProblem checked = CheckProblem(Unclaimed(Mutation::kTwoThreadsDropBias), Problem(33), options);
  EXPECT_EQ(checked.outcome.verdict(), Verdict::kFail);
  EXPECT_NE(checked.message.find("with up to 2 threads: FAIL"), std::string::npos) << checked.message;
}

TEST(Check, TheRunBeforeTheProblemIsJudged) {
  const Plugin plugin = Unclaimed(Mutation::kFirstCallDropsBias);
  CheckOptions options = OneRun();
  options.warm_up_every = 4;
  const CheckedProblem checked = CheckProblem(plugin, Problem(2), options);
  EXPECT_FALSE(checked.outcome.ok());
  EXPECT_NE(checked.message.find("the run before it, with other weights"), std::string::npos) << checked.message;
}

}  // namespace
}  // namespace tandem::conformance
