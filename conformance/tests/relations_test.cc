// Every check accepts the reference and detects the bugs it is made for.
#include "conformance/judge/relations/relations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <ostream>
#include <string>
#include <vector>

#include "conformance/faulty/faulty.h"
#include "conformance/faulty/mutation.h"
#include "conformance/judge/relations/chained.h"
#include "conformance/judge/verdict/check_bounds.h"
#include "conformance/problem/generator.h"
#include "conformance/problem/problem_notation.h"
#include "conformance/problem/random/random_problem.h"
#include "conformance/tests/in_process.h"
#include "reference/backend.h"

namespace tandem::conformance {
namespace {

using Check = ProblemReport (*)(const CheckInput&);

ProblemReport CheckOneRun(const CheckInput& in) {
  return CheckBounds({in.problem, in.inputs, in.outputs}, in.declared);
}
ProblemReport CheckChains(const CheckInput& in) { return CheckRelationsOf(in, CheckKind::kChained); }
ProblemReport CheckMetamorphic(const CheckInput& in) { return CheckRelationsOf(in, CheckKind::kMetamorphic); }
ProblemReport CheckNonInterference(const CheckInput& in) { return CheckRelationsOf(in, CheckKind::kNonInterference); }

ProblemReport RunCheck(Check check, const Implementation& implementation, const ProblemSpec& spec) {
  const RnnProblem problem = ToRnnProblem(spec);
  TensorSet inputs(problem);
  FillInputs(spec, problem, &inputs);
  TensorSet outputs = inputs;
  const RunResult run = implementation(problem, &outputs);
  EXPECT_EQ(run.status, RunStatus::kOk) << run.message;
  if (problem.IsBackward()) TakeForwardOutputs(outputs, &inputs);
  return check({problem, inputs, outputs, implementation, Declaration()});
}

Verdict VerdictOf(Check check, Mutation mutation, const std::string& words) {
  return RunCheck(check, MakeFaulty(mutation), ParseProblem(words)).outcome.verdict();
}

void AcceptsReference(Check check, std::vector<Propagation> propagations, uint64_t count, size_t least_rows) {
  ProblemScope scope;
  scope.propagations = propagations;
  scope.max_channels = 20;
  scope.byte_weights_one_in = 4;
  size_t rows = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const ProblemSpec spec = RandomProblem(scope, 23, i);
    const ProblemReport report = RunCheck(check, InProcess(reference::CreateRnn), spec);
    rows += report.rows.size();
    for (const TensorReport& row : report.rows) {
      EXPECT_LT(row.outcome.verdict(), Verdict::kFail) << "replay: " << PrintProblem(spec) << "\n"
                                                       << ToString(row, spec.cell);
      if (row.kind != CheckKind::kFreeRunning && row.kind != CheckKind::kChained) {
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
  AcceptsReference(CheckChains, {Propagation::kForwardInference}, 60, 100);
}

// Step 0 loses the NaN of its first element, which fast math may. Step 1 has a wrong value in the other row.
TEST(Chained, QuotesAWrongValueAndNotTheLostNanBeforeIt) {
  const ProblemSpec spec = ParseProblem("--alg=VANILLA_LSTM l1t3mb2sic8slc8dhc8");
  const RnnProblem problem = ToRnnProblem(spec);
  TensorSet inputs(problem);
  FillInputs(spec, problem, &inputs);
  inputs[kSrcLayer].Set(0, std::nan(""));
  const Implementation sound = MakeFaulty(Mutation::kNoBug);
  TensorSet outputs = inputs;
  ASSERT_EQ(sound(problem, &outputs).status, RunStatus::kOk);
  int step = 0;
  const Implementation wrong = [&](const RnnProblem& part, TensorSet* tensors) {
    const RunResult run = sound(part, tensors);
    TensorBuffer& dst = (*tensors)[kDstLayer];
    if (step == 0) dst.Set(0, 0);
    if (step == 1) dst.Set(8, dst.Get(8) + 1);
    ++step;
    return run;
  };
  CheckInput in = {problem, inputs, outputs, wrong, Declaration()};
  in.declared.nan = NanPolicy::kFastMath;
  const std::vector<TensorReport> rows = CheckChained(in, Relation::kSteps).report.rows;
  const auto row = std::find_if(rows.begin(), rows.end(), [](const TensorReport& r) { return r.tensor == kDstLayer; });
  ASSERT_NE(row, rows.end());
  EXPECT_EQ(row->outcome.verdict(), Verdict::kFail);
  EXPECT_EQ(row->first.t, 1);
  EXPECT_EQ(row->first.n, 1);
}

// Takes each kind of lengths in turn.
ProblemSpec WithRowLengths(ProblemSpec spec, uint64_t number) {
  constexpr RowLengths kKinds[] = {RowLengths::kRandom, RowLengths::kEmpty,  RowLengths::kFull,    RowLengths::kSorted,
                                   RowLengths::kOnes,   RowLengths::kRandom, RowLengths::kReversed};
  spec.lengths = kKinds[number % std::size(kKinds)];
  // A row without steps keeps src_iter, which has the channels of dst_iter then.
  spec.sic = spec.dic;
  return spec;
}

TEST(RowsOfDifferentLengths, HoldEveryRelationForTheReference) {
  ProblemScope scope;
  scope.max_channels = 9;
  size_t rows = 0;
  for (uint64_t i = 0; i < 150; ++i) {
    const ProblemSpec spec = WithRowLengths(RandomProblem(scope, 29, i), i);
    for (const Check check : {CheckChains, CheckMetamorphic, CheckNonInterference}) {
      for (const TensorReport& row : RunCheck(check, InProcess(reference::CreateRnn), spec).rows) {
        rows += row.note.find("length") != std::string::npos;
        EXPECT_LT(row.outcome.verdict(), Verdict::kFail) << "replay: " << PrintProblem(spec) << "\n"
                                                         << ToString(row, spec.cell);
      }
    }
  }
  EXPECT_GE(rows, 400u) << "of the two relations to problems without lengths";
}

TEST(NonInterference, SeesThatEveryOtherCallDiffers) {
  EXPECT_EQ(VerdictOf(CheckNonInterference, Mutation::kEveryOtherCallStale, "--alg=VANILLA_LSTM l1t2mb1sic8slc8dhc8"),
            Verdict::kNondeterministic);
}

TEST(Metamorphic, SeesThatRight2LeftReadsForwards) {
  const std::string words = "--alg=VANILLA_GRU --direction=left2right l1t3mb1sic8slc8dhc8";
  EXPECT_EQ(VerdictOf(CheckOneRun, Mutation::kRight2LeftInputNotReversed, words), Verdict::kPass);
  EXPECT_EQ(VerdictOf(CheckMetamorphic, Mutation::kRight2LeftInputNotReversed, words), Verdict::kFail);
}

TEST(Metamorphic, HoldsAClaimAboutTheBitsOfRowsToTheLastBit) {
  const Implementation sound = MakeFaulty(Mutation::kNoBug);
  // Every batch but the one of 3 has one unit in the last place more.
  const Implementation varying = [&sound](const RnnProblem& problem, TensorSet* tensors) {
    const RunResult run = sound(problem, tensors);
    TensorBuffer& dst = (*tensors)[kDstLayer];
    if (problem.mb != 3) dst.Set(0, NextUp(dst.Get(0), DataType::kF32));
    return run;
  };
  const RnnProblem problem = ToRnnProblem(ParseProblem("--alg=VANILLA_GRU l1t1mb3sic8slc8dhc8"));
  TensorSet inputs(problem);
  FillInputs(ParseProblem("--alg=VANILLA_GRU l1t1mb3sic8slc8dhc8"), problem, &inputs);
  TensorSet outputs = inputs;
  varying(problem, &outputs);
  CheckInput in = {problem, inputs, outputs, varying, Declaration()};
  const ProblemReport free = CheckRelation(in, Relation::kBatchHalves);
  EXPECT_EQ(free.outcome.verdict(), Verdict::kPass);
  ASSERT_EQ(free.bitwise.size(), 1u);
  EXPECT_FALSE(free.bitwise[0].same);
  in.row_bits = RowBits::kOfTheRowAlone;
  const ProblemReport claimed = CheckRelation(in, Relation::kBatchHalves);
  EXPECT_EQ(claimed.outcome.verdict(), Verdict::kFail);
  ASSERT_FALSE(claimed.rows.empty());
  EXPECT_EQ(claimed.rows[0].tensor, kDstLayer);
  EXPECT_EQ(claimed.rows[0].first.n, 0);
}

TEST(Metamorphic, HoldsFullLengthsToTheBitsOfNone) {
  const Implementation sound = MakeFaulty(Mutation::kNoBug);
  const Implementation varying = [&sound](const RnnProblem& problem, TensorSet* tensors) {
    const RunResult run = sound(problem, tensors);
    TensorBuffer& dst = (*tensors)[kDstLayer];
    if (problem.Has(kSequenceLengths)) dst.Set(0, NextUp(dst.Get(0), DataType::kF32));
    return run;
  };
  const ProblemSpec spec = ParseProblem("--alg=VANILLA_GRU --lengths=random l1t3mb3sic8");
  const RnnProblem problem = ToRnnProblem(spec);
  TensorSet inputs(problem);
  FillInputs(spec, problem, &inputs);
  TensorSet outputs = inputs;
  sound(problem, &outputs);
  CheckInput in = {problem, inputs, outputs, varying, Declaration()};
  EXPECT_EQ(CheckRelation(in, Relation::kFullLengths).outcome.verdict(), Verdict::kPass);
  in.row_bits = RowBits::kOfTheRowAlone;
  EXPECT_EQ(CheckRelation(in, Relation::kFullLengths).outcome.verdict(), Verdict::kFail);
}

// Reading onednn gives the attention cells another gradient than that of the forward equations.
TEST(Metamorphic, HasNoAdjointWhereTheGradientIsNotThatOfForward) {
  const auto has_adjoint = [](const std::string& words) {
    const std::vector<Relation> relations = RelationsOf(ToRnnProblem(ParseProblem(words)));
    return std::count(relations.begin(), relations.end(), Relation::kAdjoint) == 1;
  };
  EXPECT_TRUE(has_adjoint("--prop=BWD_DW --alg=VANILLA_AUGRU l1t3mb2sic8"));
  EXPECT_FALSE(has_adjoint("--prop=BWD_DW --alg=VANILLA_AUGRU --reading=onednn l1t3mb2sic8"));
  EXPECT_TRUE(has_adjoint("--prop=BWD_DW --alg=VANILLA_GRU --reading=onednn l1t3mb2sic8"));
}

// A random problem found this: h grows beyond all numbers, and zeros times an infinity are NaN.
TEST(Metamorphic, ExpectsNoZeroGradientOfAnInfiniteState) {
  EXPECT_EQ(VerdictOf(CheckMetamorphic, Mutation::kNoBug,
                      "--prop=BWD_DW --alg=LBR_GRU --cfg=f16f32 --attr-rnn-activations=softplus+relu:0.1+tanh "
                      "--gain=0.15 --seed=618327 l3t5mb2sic15slc15dhc15dic15"),
            Verdict::kPass);
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

// One relation alone is tried on a bug, and on the same implementation without it.
struct RelationKill {
  Relation relation;
  Mutation mutation;
  const char* words;
};

std::ostream& operator<<(std::ostream& out, const RelationKill& kill) {
  return out << InfoOf(kill.mutation).name << " by " << ToString(kill.relation) << " on " << kill.words;
}

Verdict VerdictAlone(Relation relation, const Implementation& implementation, const ProblemSpec& spec) {
  const RnnProblem problem = ToRnnProblem(spec);
  TensorSet inputs(problem);
  FillInputs(spec, problem, &inputs);
  TensorSet outputs = inputs;
  implementation(problem, &outputs);
  if (problem.IsBackward()) TakeForwardOutputs(outputs, &inputs);
  Outcome worst;
  for (uint64_t number = 0; number < 12; ++number) {
    worst.Join(CheckRelation({problem, inputs, outputs, implementation, Declaration()}, relation, number).outcome);
  }
  return worst.verdict();
}

const RelationKill kKills[] = {
    {Relation::kSteps, Mutation::kStaleElement, "--alg=VANILLA_GRU l1t3mb2sic8"},
    {Relation::kSteps, Mutation::kDiffDstLayerLastOnly, "--prop=BWD_DW --alg=VANILLA_LSTM l1t3mb2sic8"},
    {Relation::kSteps, Mutation::kWorkspaceTimeShift, "--prop=BWD_DW --alg=VANILLA_LSTM l2t2mb2sic8"},
    {Relation::kSteps, Mutation::kDerivativeTwice, "--prop=BWD_DW --alg=VANILLA_GRU l1t2mb2sic8"},
    {Relation::kLayers, Mutation::kLayerUsesFirstLayersWeights, "--alg=VANILLA_LSTM l2t2mb2sic8"},
    {Relation::kLayers, Mutation::kBiasOfFirstLayer, "--alg=VANILLA_GRU --direction=concat l2t2mb2sic8"},
    {Relation::kLayers, Mutation::kUpperLayerOuterUsesSrc, "--prop=BWD_DW --alg=VANILLA_GRU l2t2mb2sic8"},
    {Relation::kDirections, Mutation::kConcatHalvesSwapped, "--alg=VANILLA_LSTM --direction=concat l1t2mb2sic8"},
    {Relation::kDirections, Mutation::kSumUnreversed, "--alg=VANILLA_LSTM --direction=sum l1t3mb2sic8"},
    {Relation::kDirections, Mutation::kSumGradientHalved, "--prop=BWD_DW --alg=LBR_GRU --direction=sum l1t2mb2sic8"},
    {Relation::kDirections, Mutation::kDiffSrcOneDirection,
     "--prop=BWD_DW --alg=VANILLA_LSTM --direction=concat l1t2mb2sic8"},
    {Relation::kHandedOn, Mutation::kStateCachedByAddress, "--alg=LBR_GRU l2t2mb2sic8"},
    {Relation::kHandedOn, Mutation::kCellStateCachedByAddress, "--alg=VANILLA_LSTM --direction=sum l1t1mb2sic8"},
    {Relation::kReversal, Mutation::kRight2LeftInputNotReversed, "--alg=VANILLA_GRU l1t3mb1sic8"},
    {Relation::kReversal, Mutation::kRight2LeftGradientForwards, "--prop=BWD_DW --alg=VANILLA_GRU l1t3mb1sic8"},
    {Relation::kBatchOrder, Mutation::kAttentionOfFirstRow, "--alg=VANILLA_AUGRU l1t2mb3sic8"},
    {Relation::kBatchOrder, Mutation::kDiffBiasMissesLastRow, "--prop=BWD_DW --alg=VANILLA_LSTM l1t2mb3sic8"},
    {Relation::kBatchHalves, Mutation::kBatchOneDropsU, "--alg=VANILLA_LSTM l1t2mb2sic8"},
    {Relation::kBatchHalves, Mutation::kBatchBlockReusesRow, "--alg=VANILLA_GRU --cfg=u8u8u8u8 l1t2mb6sic8"},
    {Relation::kBatchHalves, Mutation::kGradientMean, "--prop=BWD_DW --alg=VANILLA_LSTM l1t2mb4sic8"},
    {Relation::kUnitOrder, Mutation::kTailLaneDuplicated, "--alg=VANILLA_LSTM l1t2mb2sic9"},
    {Relation::kUnitOrder, Mutation::kKTailDropped, "--alg=VANILLA_GRU --cfg=bf16 l1t2mb2sic9"},
    {Relation::kUnitOrder, Mutation::kPairSaturates, "--alg=VANILLA_LSTM --cfg=u8u8u8u8 --data=saturating l1t1mb2sic8"},
    {Relation::kUnitOrder, Mutation::kDxUntransposed, "--prop=BWD_DW --alg=VANILLA_RNN --activation=TANH l1t2mb2sic9"},
    {Relation::kLayout, Mutation::kSrcRowStrideIgnored, "--alg=VANILLA_LSTM l1t2mb2sic8"},
    {Relation::kLayout, Mutation::kWeightsStridesIgnored, "--alg=VANILLA_GRU l1t2mb2sic8"},
    {Relation::kLayout, Mutation::kNtcReadAsTnc, "--alg=VANILLA_GRU --cfg=bf16 l1t2mb3sic8"},
    {Relation::kZeroGradient, Mutation::kOverwritesDiffWeights, "--prop=BWD_DW --alg=VANILLA_GRU l1t2mb2sic8"},
    {Relation::kZeroGradient, Mutation::kAccumulatesDiffSrc, "--prop=BWD_DW --alg=VANILLA_GRU --flags=O l1t2mb2sic8"},
    {Relation::kAdjoint, Mutation::kDxUntransposed, "--prop=BWD_DW --alg=VANILLA_RNN l2t2mb2sic8"},
    {Relation::kAdjoint, Mutation::kCellGradientMissesF,
     "--prop=BWD_DW --alg=VANILLA_LSTM --cfg=f16 --masks=zoneout_iter_c --gain=0.3 --seed=66 l1t1mb3sic4slc5"},
    {Relation::kAdjoint, Mutation::kLayerGemmMissesLastStep, "--prop=BWD_DW --alg=VANILLA_RNN l2t2mb2sic8"},
    {Relation::kAdjoint, Mutation::kCellGradientMissesF, "--prop=BWD_DW --alg=VANILLA_LSTM l1t2mb2sic8"},
    {Relation::kAdjoint, Mutation::kStateGradientMissesU, "--prop=BWD_DW --alg=VANILLA_GRU l1t2mb2sic8"},
    {Relation::kAdjoint, Mutation::kAttentionGradientExtraFactor, "--prop=BWD_DW --alg=LBR_AUGRU l1t2mb2sic8"},
    {Relation::kOtherRows, Mutation::kSrcIterOfPreviousRow, "--alg=VANILLA_GRU l1t2mb3sic8"},
    {Relation::kOtherRows, Mutation::kBatchBlockReusesRow, "--alg=VANILLA_GRU --cfg=u8u8u8u8 l1t2mb6sic8"},
    {Relation::kOtherRows, Mutation::kDiffBiasMissesLastRow,
     "--prop=BWD_DW --alg=VANILLA_LSTM --attr-rnn-input-forget=true l1t2mb3sic8"},
    {Relation::kOtherRows, Mutation::kDiffBiasMissesLastRow,
     "--prop=BWD_DW --alg=VANILLA_LSTM --with-peephole=true --attr-rnn-input-forget=true --norm=parts l1t2mb3sic8"},
    {Relation::kOtherRows, Mutation::kDiffBiasMissesLastRow,
     "--prop=BWD_DW --alg=VANILLA_LSTM --attr-rnn-input-forget=true --norm=sum:row:state l1t2mb3sic8"},
    {Relation::kOtherSteps, Mutation::kRight2LeftOutputReversed,
     "--alg=VANILLA_GRU --direction=right2left l1t4mb1sic8"},
    {Relation::kOtherSteps, Mutation::kRight2LeftGradientForwards,
     "--prop=BWD_DW --alg=VANILLA_GRU --direction=right2left l1t4mb1sic8"},
    {Relation::kOtherLayers, Mutation::kDstIterOfFirstLayer, "--alg=VANILLA_GRU l2t2mb1sic8"},
    {Relation::kOtherLayers, Mutation::kDiffDstIterIgnored, "--prop=BWD_DW --alg=VANILLA_GRU l2t2mb1sic8"},
    {Relation::kSteps, Mutation::kRight2LeftReversesAllSteps,
     "--alg=VANILLA_LSTM --direction=right2left --lengths=random l1t4mb4sic8"},
    {Relation::kReversal, Mutation::kRight2LeftReversesAllSteps, "--alg=VANILLA_GRU --lengths=random l1t4mb4sic8"},
    {Relation::kBatchOrder, Mutation::kLengthsTakenAsSorted, "--alg=VANILLA_GRU --lengths=sorted l1t4mb4sic8"},
    {Relation::kRowsByLength, Mutation::kRowEndsOneStepEarly, "--alg=VANILLA_GRU --lengths=random l1t4mb4sic8"},
    {Relation::kRowsByLength, Mutation::kDiffDstIterAtLastTime,
     "--prop=BWD_DW --alg=LBR_GRU --lengths=random l1t4mb4sic8"},
    {Relation::kAdjoint, Mutation::kDwSumsDeadSteps, "--prop=BWD_DW --alg=VANILLA_RNN --lengths=random l1t4mb4sic8"},
    {Relation::kOtherSteps, Mutation::kRowRunsOneStepOn, "--alg=LBR_GRU --lengths=random l1t4mb4sic8"},
    {Relation::kOtherDirection, Mutation::kConcatHalvesSwapped, "--alg=VANILLA_GRU --direction=concat l1t2mb1sic8"},
    {Relation::kOtherDirection, Mutation::kSecondDirectionUsesFirstsU,
     "--prop=BWD_DW --alg=VANILLA_GRU --direction=sum l1t2mb1sic8"},
};

class RelationAlone : public testing::TestWithParam<RelationKill> {};

TEST_P(RelationAlone, KillsTheBugAndAcceptsItsAbsence) {
  const ProblemSpec spec = ParseProblem(GetParam().words);
  const std::vector<Relation> relations = RelationsOf(ToRnnProblem(spec));
  ASSERT_TRUE(std::count(relations.begin(), relations.end(), GetParam().relation));
  EXPECT_EQ(VerdictAlone(GetParam().relation, MakeFaulty(Mutation::kNoBug), spec), Verdict::kPass);
  EXPECT_EQ(VerdictAlone(GetParam().relation, MakeFaulty(GetParam().mutation), spec), Verdict::kFail);
}

INSTANTIATE_TEST_SUITE_P(All, RelationAlone, testing::ValuesIn(kKills));

// Special data: a term that underflows has other last bits than its double, and a large factor makes them count.
TEST(ScaledGradient, AcceptsWhatAnUnderflowLeaves) {
  for (const char* words :
       {"--prop=BWD_DW --direction=concat --activation=SOFTPLUS --lengths=sorted --norm=parts "
        "--masks=mask_layer+mask_iter "
        "--alpha=0.5 --beta=0.25 --data=special --gain=0.3 --seed=332792 l1t1mb7sic16slc11",
        "--prop=BWD_DW --alg=VANILLA_LSTM --direction=concat --cfg=bf16f32 --norm=parts:row --masks=zoneout_iter "
        "--attr-rnn-activations=tanh+softsign+affine:1:0 --attr-rnn-input-forget=true --data=special --gain=0.15 "
        "--seed=7378 l3t2mb3sic17"}) {
    EXPECT_EQ(VerdictAlone(Relation::kScaledGradient, InProcess(reference::CreateRnn), ParseProblem(words)),
              Verdict::kPass)
        << words;
  }
}

// U h' overflows where r is 0, and the gradient of r is 0 times infinity.
TEST(ZeroGradient, AcceptsTheNansOfAnOverflow) {
  const ProblemSpec spec =
      ParseProblem("--prop=BWD_DW --alg=LBR_GRU --data=special --gain=0.15 --seed=634646 l2t4mb3sic33");
  EXPECT_EQ(VerdictAlone(Relation::kZeroGradient, InProcess(reference::CreateRnn), spec), Verdict::kPass);
}

// With three layers and a large gain free-running bounds are too wide to test anything.
const char kLoose[] = "--alg=VANILLA_LSTM --gain=4 l3t6mb2sic16slc16dhc16";

TEST(CheckBoundsOrSteps, JudgesStepByStepWhereFreeRunningIsVacuous) {
  const ProblemSpec spec = ParseProblem(kLoose);
  EXPECT_EQ(RunCheck(CheckOneRun, InProcess(reference::CreateRnn), spec).outcome.verdict(), Verdict::kVacuous);
  EXPECT_EQ(RunCheck(CheckBoundsOrSteps, InProcess(reference::CreateRnn), spec).outcome.verdict(), Verdict::kPass);
}

TEST(CheckBoundsOrSteps, FailsABugThatOnlyTheChainCanSee) {
  EXPECT_EQ(VerdictOf(CheckBoundsOrSteps, Mutation::kPeepholeOldC, std::string("--with-peephole=true ") + kLoose),
            Verdict::kFail);
}

TEST(CheckBoundsOrSteps, StaysVacuousWhereTheRunIsNotItsChain) {
  EXPECT_EQ(VerdictOf(CheckBoundsOrSteps, Mutation::kLastStepSkipsLayerGemm, kLoose), Verdict::kFail);
  EXPECT_GE(VerdictOf(CheckBoundsOrSteps, Mutation::kStaleElement, kLoose), Verdict::kVacuous);
}

}  // namespace
}  // namespace tandem::conformance
