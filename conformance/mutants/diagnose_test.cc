#include "conformance/mutants/diagnose.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "conformance/generator.h"
#include "conformance/mutants/faulty.h"
#include "conformance/mutants/mutation.h"
#include "conformance/problem_notation.h"

namespace tandem::conformance {
namespace {

std::vector<Diagnosis> DiagnoseBug(Mutation mutation, const std::string& words) {
  const ProblemSpec spec = ParseProblem(words);
  const RnnProblem problem = ToRnnProblem(spec);
  TensorSet inputs(problem);
  FillInputs(spec, problem, &inputs);
  TensorSet got = inputs;
  EXPECT_EQ(MakeFaulty(mutation)(problem, &got).status, RunStatus::kOk);
  return Diagnose(problem, inputs, got);
}

bool Names(const std::vector<Diagnosis>& diagnoses, const std::string& text) {
  return std::any_of(diagnoses.begin(), diagnoses.end(),
                     [&](const Diagnosis& d) { return d.agreement == 1 && d.explanation == text; });
}

TEST(Diagnose, SaysThatASoundOutputConforms) {
  const auto found = DiagnoseBug(Mutation::kNoBug, "--alg=VANILLA_LSTM l1t2mb2sic8slc8dhc8");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].explanation, "conforms");
}

TEST(Diagnose, FindsAGateOrder) {
  const auto found = DiagnoseBug(Mutation::kSwapGatesCO, "--alg=VANILLA_LSTM l1t2mb2sic8slc8dhc8");
  EXPECT_TRUE(Names(found, "matches LSTM with gate order i,f,o,c~"));
  EXPECT_TRUE(found[0].certified);
}

TEST(Diagnose, FindsTheExchangedUpdateGate) {
  EXPECT_TRUE(Names(DiagnoseBug(Mutation::kUpdateGateComplemented, "--alg=VANILLA_GRU l1t2mb2sic8slc8dhc8"),
                    "u and 1 - u are exchanged"));
}

TEST(Diagnose, FindsTheBiasOutsideTheResetGate) {
  EXPECT_TRUE(Names(DiagnoseBug(Mutation::kLbrBiasOutsideReset, "--alg=LBR_GRU l1t2mb2sic8slc8dhc8"),
                    "b_u' is added outside the reset gate"));
}

TEST(Diagnose, FindsTheOtherReading) {
  const ProblemSpec spec = ParseProblem(
      "--alg=VANILLA_LSTM --cfg=u8u8u8u8 --reading=onednn --data-scale=63 "
      "--zero-point=28 l1t2mb2sic8slc8dhc8");
  RnnProblem problem = ToRnnProblem(spec);
  TensorSet inputs(problem);
  FillInputs(spec, problem, &inputs);
  TensorSet got = inputs;
  EXPECT_EQ(MakeFaulty(Mutation::kNoBug)(problem, &got).status, RunStatus::kOk);
  problem.attr.reading = Reading::kSpec;
  EXPECT_TRUE(Names(Diagnose(problem, inputs, got), "matches reading onednn"));
}

TEST(Diagnose, FindsAMissedBiasAndABackwardMistake) {
  EXPECT_TRUE(Names(DiagnoseBug(Mutation::kBiasIgnored, "--alg=VANILLA_LSTM l1t2mb2sic8slc8dhc8"), "bias is ignored"));
  EXPECT_TRUE(Names(DiagnoseBug(Mutation::kGruOuterUsesH, "--alg=VANILLA_GRU --prop=BWD_DW l1t2mb2sic8slc8dhc8"),
                    InfoOf(Mutation::kGruOuterUsesH).text));
}

}  // namespace
}  // namespace tandem::conformance
