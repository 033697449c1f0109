// The tiers accept the reference and catch what they are for.
#include "conformance/tiers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "conformance/generator.h"
#include "conformance/mutants/faulty.h"
#include "conformance/problem_notation.h"
#include "conformance/proofs/in_process.h"
#include "reference/backend.h"

namespace tandem::conformance {
namespace {

using Check = ProblemReport (*)(const TierInput&);

ProblemReport RunCheck(Check check, const Implementation& implementation, const ProblemSpec& spec) {
  const RnnProblem problem = ToRnnProblem(spec);
  TensorSet inputs(problem);
  FillInputs(spec, problem, &inputs);
  TensorSet outputs = inputs;
  const RunResult run = implementation(problem, &outputs);
  EXPECT_EQ(run.status, RunStatus::kOk) << run.message;
  return check({problem, inputs, outputs, implementation, Profile()});
}

Verdict VerdictOf(Check check, Mutation mutation, const std::string& words) {
  return RunCheck(check, MakeFaulty(mutation), ParseProblem(words)).outcome.verdict();
}

void AcceptsReference(Check check, std::vector<Propagation> propagations, uint64_t count, size_t least_rows) {
  ProblemScope scope;
  scope.propagations = propagations;
  scope.max_channels = 20;
  size_t rows = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const ProblemSpec spec = RandomProblem(scope, 23, i);
    const ProblemReport report = RunCheck(check, InProcess(reference::CreateRnn), spec);
    rows += report.rows.size();
    for (const TensorReport& row : report.rows) {
      EXPECT_LT(row.outcome.verdict(), Verdict::kFail) << "replay: " << PrintProblem(spec) << "\n"
                                                       << ToString(row, spec.cell);
      if (row.tier != Tier::kFreeRunning && row.tier != Tier::kChained) {
        EXPECT_EQ(row.outcome.verdict(), Verdict::kPass) << PrintProblem(spec) << "\n" << ToString(row, spec.cell);
      }
    }
  }
  EXPECT_GE(rows, least_rows);
}

TEST(NonInterference, HoldsForTheReference) {
  AcceptsReference(CheckNonInterference, {Propagation::kForwardInference, Propagation::kBackward}, 80, 200);
}

TEST(Metamorphic, HoldsForTheReference) {
  AcceptsReference(CheckMetamorphic, {Propagation::kForwardInference, Propagation::kBackward}, 80, 100);
}

TEST(Chained, JudgesEveryStepOfTheReference) {
  AcceptsReference([](const TierInput& in) { return CheckChained(in).report; }, {Propagation::kForwardInference}, 60,
                   100);
}

TEST(NonInterference, SeesARowThatReadsItsNeighbour) {
  EXPECT_EQ(VerdictOf(CheckNonInterference, Mutation::kSrcIterOfPreviousRow, "--alg=VANILLA_GRU l1t2mb3sic8slc8dhc8"),
            Verdict::kFail);
}

TEST(NonInterference, SeesThatEveryOtherCallDiffers) {
  EXPECT_EQ(VerdictOf(CheckNonInterference, Mutation::kRacing, "--alg=VANILLA_LSTM l1t2mb1sic8slc8dhc8"),
            Verdict::kNondeterministic);
}

TEST(Metamorphic, SeesThatRight2LeftReadsForwards) {
  EXPECT_EQ(VerdictOf(CheckMetamorphic, Mutation::kRight2LeftInputNotReversed,
                      "--alg=VANILLA_GRU --direction=right2left l1t3mb1sic8slc8dhc8"),
            Verdict::kQualityWarning);
}

TEST(Metamorphic, SeesAGradientThatIsNotLinear) {
  EXPECT_EQ(VerdictOf(CheckMetamorphic, Mutation::kNoBug, "--alg=VANILLA_GRU --prop=BWD_DW l1t2mb2sic8slc8dhc8"),
            Verdict::kPass);
  const Implementation sound = MakeFaulty(Mutation::kNoBug);
  const Implementation clipping = [&sound](const RnnProblem& problem, TensorSet* tensors) {
    const RunResult run = sound(problem, tensors);
    TensorBuffer& diff = (*tensors)[kDiffSrcLayer];
    for (size_t i = 0; i < diff.size(); ++i) diff.Set(i, std::min(diff.Get(i), 0.1));
    return run;
  };
  const ProblemSpec spec = ParseProblem("--alg=VANILLA_GRU --prop=BWD_DW l1t2mb2sic8slc8dhc8");
  EXPECT_EQ(RunCheck(CheckMetamorphic, clipping, spec).outcome.verdict(), Verdict::kFail);
}

// Three layers, weights far from contractive: free-running bounds say nothing.
const char kLoose[] = "--alg=VANILLA_LSTM --gain=4 l3t6mb2sic16slc16dhc16";

TEST(JudgeWithTiers, JudgesStepByStepWhereFreeRunningIsVacuous) {
  const ProblemSpec spec = ParseProblem(kLoose);
  EXPECT_EQ(RunCheck(CheckBounds, InProcess(reference::CreateRnn), spec).outcome.verdict(), Verdict::kVacuous);
  EXPECT_EQ(RunCheck(JudgeWithTiers, InProcess(reference::CreateRnn), spec).outcome.verdict(), Verdict::kPass);
}

TEST(JudgeWithTiers, FailsABugThatOnlyTheChainCanSee) {
  EXPECT_EQ(VerdictOf(JudgeWithTiers, Mutation::kPeepholeOldC, std::string("--with-peephole=true ") + kLoose),
            Verdict::kFail);
}

TEST(JudgeWithTiers, StaysVacuousWhereTheRunIsNotItsChain) {
  EXPECT_EQ(VerdictOf(JudgeWithTiers, Mutation::kLastStepSkipsLayerGemm, kLoose), Verdict::kFail);
  EXPECT_GE(VerdictOf(JudgeWithTiers, Mutation::kStaleElement, kLoose), Verdict::kVacuous);
}

}  // namespace
}  // namespace tandem::conformance
