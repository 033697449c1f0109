#include "conformance/faulty/mutants/diagnose.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "conformance/faulty/faulty.h"
#include "conformance/faulty/mutation.h"
#include "conformance/judge/verdict/location.h"
#include "conformance/problem/generator.h"
#include "conformance/problem/problem_notation.h"
#include "conformance/sandbox/runner.h"

namespace tandem::conformance {
namespace {

// As `tandem diagnose --impl=mutant:NAME` does.
std::vector<Diagnosis> DiagnoseBug(Mutation mutation, const std::string& words) {
  const ProblemSpec spec = ParseProblem(words);
  const RnnProblem problem = ToRnnProblem(spec);
  TensorSet inputs(problem);
  FillInputs(spec, problem, &inputs);
  TensorSet got = inputs;
  const ExecutionReport run = RunIsolated(MutantPlugin(mutation), problem, RunOptions(), &got);
  EXPECT_EQ(run.status, RunStatus::kOk) << run.message;
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

struct Claim {
  Mutation mutation;
  std::string words;        // options of the problem
  std::string explanation;  // empty: the bug's own text
};

std::vector<Claim> Claims() {
  const std::string lstm = "--alg=VANILLA_LSTM", gru = "--alg=VANILLA_GRU", lbr = "--alg=LBR_GRU";
  const std::string augru = "--alg=VANILLA_AUGRU", peephole = lstm + " --with-peephole=true";
  const std::string u8 = " --cfg=u8u8u8u8 --data-scale=63 --zero-point=28";
  return {
      {Mutation::kSwapGatesIF, lstm, "matches LSTM with gate order f,i,c~,o"},
      {Mutation::kSwapGatesCO, lstm, "matches LSTM with gate order i,f,o,c~"},
      {Mutation::kSwapGatesFO, lstm, "matches LSTM with gate order i,o,c~,f"},
      {Mutation::kBiasGateOrder, lstm, "matches LSTM with gate order i,f,o,c~ in bias alone"},
      {Mutation::kSwapGatesUR, gru, "matches GRU with gate order r,u,o"},
      {Mutation::kSwapGatesRO, gru, "matches GRU with gate order u,o,r"},
      {Mutation::kPeepholeOrder, peephole, "matches peephole order i,o,f"},
      {Mutation::kPeepholeIgnored, peephole, "weights_peephole is ignored"},
      {Mutation::kPeepholeOldC, peephole, ""},
      {Mutation::kUpdateGateComplemented, gru, "u and 1 - u are exchanged"},
      {Mutation::kLbrBiasOutsideReset, lbr, ""},
      {Mutation::kLbrBiasMissing, lbr, ""},
      {Mutation::kGruAsLbr, gru, ""},
      {Mutation::kLbrAsGru, lbr, ""},
      {Mutation::kBiasIgnored, lstm, "bias is ignored"},
      {Mutation::kSrcIterIgnored, gru, "src_iter is ignored"},
      {Mutation::kSrcIterCIgnored, lstm, "src_iter_c is ignored"},
      {Mutation::kAttentionIgnored, augru, "augru_attention is ignored"},
      {Mutation::kAttentionNotComplemented, augru, ""},
      {Mutation::kForgetBiasOne, lstm, ""},
      {Mutation::kCoupledForget, lstm, ""},
      {Mutation::kOutputWithoutTanh, lstm, ""},
      {Mutation::kWeightsIterTransposed, lstm, ""},
      {Mutation::kRight2LeftInputNotReversed, lstm + " --direction=right2left", ""},
      {Mutation::kConcatHalvesSwapped, gru + " --direction=concat", ""},
      {Mutation::kSecondDirectionUsesFirstsW, gru + " --direction=concat", ""},
      {Mutation::kSumOverwrites, lstm + " --direction=sum", ""},
      {Mutation::kAbsentSrcIterIsByteZero, gru + u8 + " --absent=src_iter", ""},
      {Mutation::kCompensationMissing, lstm + u8, ""},
      {Mutation::kPairSaturates, lstm + u8, ""},
      {Mutation::kSumShiftTwice, lstm + u8 + " --direction=sum", ""},
      {Mutation::kGruOuterUsesH, gru + " --prop=BWD_DW", ""},
      {Mutation::kLbrOuterUsesDo, lbr + " --prop=BWD_DW", ""},
      {Mutation::kLbrResetMissesBias, lbr + " --prop=BWD_DW", ""},
      {Mutation::kTanhOfStoredC, lstm + " --cfg=bf16", ""},
      {Mutation::kLbrHiddenBiasGradientMissing, lbr + " --prop=BWD_DW", ""},
      {Mutation::kPeepholeGradientMissesDc, peephole + " --prop=BWD_DW", ""},
      {Mutation::kAttentionGradientMissesScale, augru + " --prop=BWD_DW", ""},
      {Mutation::kOverwritesDiffWeights, lstm + " --prop=BWD_DW", ""},
      {Mutation::kNormScopeExchanged, lstm + " --norm=parts", "all gates are normalized together"},
      {Mutation::kNormCellStateNotKept, lstm + " --norm=parts:gate:state", "c is normalized for tanh alone"},
      {Mutation::kNormCellStateKept, lstm + " --norm=parts:row:output", "the next step reads the normalized c"},
      {Mutation::kNormEpsilonOutsideRoot, lstm + " --norm=sum --norm-epsilon=0.25", ""},
      {Mutation::kNormPartsTogether, lstm + " --norm=parts", ""},
      {Mutation::kNormGradientMissesVariance, lstm + " --norm=parts --gain=0.1 --prop=BWD_DW", ""},
  };
}

class KnownMistake : public testing::TestWithParam<Claim> {};

TEST_P(KnownMistake, IsNamed) {
  const Claim& claim = GetParam();
  const MutationInfo& info = InfoOf(claim.mutation);
  const std::string wanted = claim.explanation.empty() ? info.text : claim.explanation;
  const std::vector<Diagnosis> found = DiagnoseBug(claim.mutation, claim.words + " l1t3mb2sic8slc8dhc8");
  std::string all;
  for (const Diagnosis& d : found) all += "\n" + std::to_string(d.agreement) + " " + d.explanation;
  EXPECT_TRUE(Names(found, wanted)) << "wanted: " << wanted << "; found:" << all;
  if (!claim.explanation.empty()) {
    EXPECT_TRUE(found[0].certified) << all;
  }
}

INSTANTIATE_TEST_SUITE_P(All, KnownMistake, testing::ValuesIn(Claims()),
                         [](const auto& info) { return std::string(InfoOf(info.param.mutation).name); });

// Two mistakes that undo each other explain every output that is off by a rounding, if a rounding is let pass.
TEST(Diagnose, NamesNoPairForAMistakeOfARounding) {
  for (const Diagnosis& d :
       DiagnoseBug(Mutation::kTanhOfStoredC, "--alg=VANILLA_LSTM --cfg=bf16 l1t3mb2sic8slc8dhc8")) {
    EXPECT_EQ(d.explanation.find(", and "), std::string::npos) << d.explanation;
  }
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

// Outputs of the implementation without a bug, for other inputs than the oracle sees.
template <class Change>
std::vector<Diagnosis> DiagnoseChanged(Mutation mutation, const std::string& words, const Change& change) {
  const ProblemSpec spec = ParseProblem(words);
  const RnnProblem problem = ToRnnProblem(spec);
  TensorSet inputs(problem);
  FillInputs(spec, problem, &inputs);
  TensorSet got = inputs;
  change(&got);
  EXPECT_EQ(MakeFaulty(mutation)(problem, &got).status, RunStatus::kOk);
  return Diagnose(problem, inputs, got);
}

TEST(Diagnose, FindsTwoMistakesAtOnce) {
  const auto without_bias = [](TensorSet* tensors) { tensors->tensor[kBias].Fill([](size_t) { return 0.; }); };
  const std::string words = "--alg=VANILLA_LSTM l1t3mb2sic8slc8dhc8";
  EXPECT_TRUE(Names(DiagnoseChanged(Mutation::kSwapGatesIF, words, without_bias),
                    "matches LSTM with gate order f,i,c~,o, and bias is ignored"));
  EXPECT_TRUE(Names(DiagnoseChanged(Mutation::kOutputWithoutTanh, words, without_bias),
                    std::string("bias is ignored, and ") + InfoOf(Mutation::kOutputWithoutTanh).text));
}

// The tensor is zero in these layers, for an implementation without a bug.
std::vector<Diagnosis> DiagnoseIgnored(Tensor t, Dim first, Dim last, const std::string& words) {
  const RnnProblem problem = ToRnnProblem(ParseProblem(words));
  return DiagnoseChanged(Mutation::kNoBug, words, [&](TensorSet* tensors) {
    TensorBuffer& buffer = tensors->tensor[t];
    for (size_t i = 0; i < buffer.size(); ++i) {
      const Dim layer = Locate(problem, t, i).l;
      if (layer >= first && layer <= last) buffer.Set(i, 0);
    }
  });
}

TEST(Diagnose, NamesTheLayersInWhichATensorIsIgnored) {
  const std::string lstm = "--alg=VANILLA_LSTM --with-peephole=true ";
  const std::string two = lstm + "l2t2mb2sic5slc5dhc5", three = lstm + "l3t2mb2sic5slc5dhc5";
  EXPECT_TRUE(Names(DiagnoseIgnored(kBias, 1, 1, two), "bias is ignored in layer 1 alone"));
  EXPECT_TRUE(Names(DiagnoseIgnored(kSrcIterC, 0, 0, two), "src_iter_c is ignored in layer 0 alone"));
  EXPECT_TRUE(Names(DiagnoseIgnored(kWeightsPeephole, 1, 1, two), "weights_peephole is ignored in layer 1 alone"));
  EXPECT_TRUE(Names(DiagnoseIgnored(kSrcIter, 1, 2, three), "src_iter is ignored in all layers but the first"));
  EXPECT_TRUE(Names(DiagnoseIgnored(kBias, 0, 1, two), "bias is ignored"));
}

TEST(Diagnose, ListsNoCauseThatExplainsNothing) {
  const auto noise = [](TensorSet* tensors) {
    for (Tensor t : {kWeightsLayer, kWeightsIter, kBias, kSrcIter, kSrcIterC}) {
      tensors->tensor[t].Fill([](size_t i) { return 0.37 * static_cast<double>(i % 13) - 2; });
    }
  };
  for (const Diagnosis& d : DiagnoseChanged(Mutation::kNoBug, "--alg=VANILLA_LSTM l1t3mb2sic8slc8dhc8", noise)) {
    EXPECT_GT(d.agreement, 0) << d.explanation;
  }
}

// With one unit and one row, many mistakes give the same outputs.
TEST(Diagnose, LargerProblemsTellCausesApart) {
  const ProblemSpec spec = ParseProblem("--alg=VANILLA_LSTM l1t1mb1sic1");
  const auto find = [](const ProblemSpec& s) {
    ProblemSpec resolved = s;
    ResolveDims(&resolved);
    return DiagnoseBug(Mutation::kBiasIgnored, PrintProblem(resolved));
  };
  std::vector<Diagnosis> causes = find(spec);
  ASSERT_GT(causes.size(), 1u);
  const std::vector<ProblemSpec> larger = LargerProblems(spec);
  for (const ProblemSpec& other : larger) {
    const std::vector<Diagnosis> common = Common(causes, find(other));
    if (!common.empty()) causes = common;
  }
  EXPECT_TRUE(Names(causes, "bias is ignored"));
  // Bugs that drop the bias in some runs, this one among them, stay.
  for (const Diagnosis& d : causes) EXPECT_NE(d.explanation.find("bias"), std::string::npos) << d.explanation;
}

}  // namespace
}  // namespace tandem::conformance
