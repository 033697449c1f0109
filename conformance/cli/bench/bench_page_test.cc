#include "conformance/cli/bench/bench_page.h"

#include <gtest/gtest.h>

#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {
namespace {

TEST(BenchPage, HasAPointAndABarForEachTiming) {
  Roof roof;
  roof.threads = 1;
  roof.f32 = 1e11;
  roof.bf16 = 2e11;
  roof.int8 = 3e11;
  roof.levels = {{"L1", 2e11}};
  BenchEntry entry = {ParseProblem("--alg=VANILLA_LSTM l1t3mb2sic4slc5n\"a<b\""), {}};
  BenchEntry::Best best;
  best.timing.implementation = "optimized";
  best.timing.threads = 1;
  best.timing.min_seconds = best.timing.median_seconds = 1e-6;
  best.timing.executions = 1;
  best.bound = {5e-7, Limit::kWeights};
  entry.best.push_back(best);
  entry.best.push_back(entry.best[0]);
  entry.best[1].timing.implementation = "onednn";
  entry.best[1].ratio = {1.25, 0.9, 1.5, RoundsSay::kDisturbed};
  const std::string page = BenchPage({entry}, roof);
  EXPECT_NE(page.find("<circle"), std::string::npos);
  EXPECT_NE(page.find("50 % of weights"), std::string::npos);
  EXPECT_NE(page.find("bf16 200"), std::string::npos);
  for (const char* words :
       {"operations for each byte of weights</text>", "GFLOP/s</text>", "class=\"spread p0\"", ">1</text>", "1. <code>",
        "50.0 % of its bound, geometric mean of 1 problem", "fastest, us", " 1.25 (0.90 to 1.50) disturbed</td>",
        "optimized is 1.25 times as fast, at least 1.25 times; of these ratios, 1 disturbed"}) {
    EXPECT_NE(page.find(words), std::string::npos) << words;
  }
  EXPECT_EQ(page.find("a<b"), std::string::npos);
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_EQ(page.find("http"), std::string::npos);
}

}  // namespace
}  // namespace tandem::conformance
