// The oracle is compared with the reference backend, on random problems of every cell, type, direction and propagation.
#include "conformance/oracle/oracle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "conformance/judge/verdict/compare.h"
#include "conformance/problem/generator.h"
#include "conformance/problem/problem_notation.h"
#include "conformance/problem/random/random_problem.h"
#include "conformance/tests/in_process.h"
#include "reference/backend.h"

namespace tandem::conformance {
namespace {

constexpr uint64_t kSeed = 20260101;

struct Judged {
  ProblemSpec spec;
  RnnProblem problem;
  TensorSet inputs, got;
  ProblemReport report;
};

Judged Judge(const ProblemScope& scope, uint64_t index) {
  Judged judged;
  judged.spec = RandomProblem(scope, kSeed, index);
  judged.problem = ToRnnProblem(judged.spec);
  judged.inputs = TensorSet(judged.problem);
  FillInputs(judged.spec, judged.problem, &judged.inputs);
  judged.got = judged.inputs;
  const RunResult run = InProcess(reference::CreateRnn)(judged.problem, &judged.got);
  EXPECT_EQ(run.status, RunStatus::kOk) << run.message;
  OracleOptions options;
  options.forced = &judged.got;
  judged.report = CompareAll(judged.problem, RunOracle(judged.problem, judged.inputs, options), judged.got);
  return judged;
}

// Returns the worst |error| / bound of the reference over `count` problems, none of which may fail.
double WorstRatio(const ProblemScope& scope, uint64_t count) {
  double worst = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const Judged judged = Judge(scope, i);
    for (const TensorReport& row : judged.report.rows) {
      EXPECT_LT(row.outcome.verdict(), Verdict::kFail)
          << "seed " << kSeed << ", problem " << i << "\nreplay: " << PrintProblem(judged.spec) << "\n"
          << ToString(row, judged.problem.cell);
      worst = std::max(worst, row.stats.ratio.max());
    }
  }
  return worst;
}

TEST(Oracle, AcceptsTheReferenceForward) {
  ProblemScope scope;
  scope.propagations = {Propagation::kForwardInference, Propagation::kForwardTraining};
  const double worst = WorstRatio(scope, 600);
  EXPECT_GT(worst, 0.05);
  EXPECT_LE(worst, 1);
}

TEST(Oracle, AcceptsTheReferenceBackward) {
  ProblemScope scope;
  scope.propagations = {Propagation::kBackward};
  const double worst = WorstRatio(scope, 300);
  EXPECT_GT(worst, 0.05);
  EXPECT_LE(worst, 1);
}

TEST(Oracle, BoundsF32ForwardWithinAThousandthAlongALongSequence) {
  const ProblemSpec spec = ParseProblem("--alg=VANILLA_LSTM --gain=2 l1t1000mb1sic16slc16dhc16");
  const RnnProblem problem = ToRnnProblem(spec);
  TensorSet inputs(problem);
  FillInputs(spec, problem, &inputs);
  TensorSet got = inputs;
  ASSERT_EQ(InProcess(reference::CreateRnn)(problem, &got).status, RunStatus::kOk);
  OracleOptions options;
  options.forced = &got;
  const OracleTensor layer = *RunOracle(problem, inputs, options).Find(kDstLayer);
  EXPECT_LT(*std::max_element(layer.bound.begin(), layer.bound.end()), 1e-3);
  EXPECT_EQ(Compare(problem, layer, got[kDstLayer]).outcome.verdict(), Verdict::kPass);
}

// One element of one output is moved by twice the distance to the end of its interval and two ulps.
TEST(Oracle, RejectsOneWrongElementOfAnyOutput) {
  ProblemScope scope;
  scope.propagations = {Propagation::kForwardInference, Propagation::kBackward};
  int tried = 0;
  for (uint64_t i = 0; i < 120; ++i) {
    Judged judged = Judge(scope, i);
    OracleOptions options;
    options.forced = &judged.got;
    const OracleResult want = RunOracle(judged.problem, judged.inputs, options);
    for (const OracleTensor& tensor : want.outputs) {
      const size_t at = tensor.value.size() / 2;
      if (tensor.value.empty() || tensor.cls[at] != ElementClass::kFinite || !std::isfinite(tensor.hi[at])) continue;
      TensorBuffer wrong = judged.got[tensor.tensor];
      const double up = NextUp(tensor.hi[at], tensor.type);
      wrong.Set(at, up > tensor.hi[at] ? up : NextDown(tensor.lo[at], tensor.type));
      const TensorReport row = Compare(judged.problem, tensor, wrong);
      EXPECT_EQ(row.outcome.verdict(), Verdict::kFail) << PrintProblem(judged.spec) << "\n" << ToString(row.tensor);
      EXPECT_TRUE(row.has_departure);
      EXPECT_EQ(row.failures, 1u);
      EXPECT_EQ(row.first.index, at);
      ++tried;
    }
  }
  EXPECT_GT(tried, 200);
}

}  // namespace
}  // namespace tandem::conformance
