// The judge itself is tested. Deliberately broken outputs must fail, one tensor at a time, and harmless ones must pass.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "conformance/judge/verdict/compare.h"
#include "conformance/oracle/oracle.h"
#include "conformance/problem/generator.h"
#include "conformance/problem/problem_notation.h"
#include "conformance/tests/in_process.h"
#include "reference/backend.h"

namespace tandem::conformance {
namespace {

struct Case {
  ProblemSpec spec;
  RnnProblem problem;
  TensorSet inputs, got;

  explicit Case(const std::string& words) : spec(ParseProblem(words)), problem(ToRnnProblem(spec)), inputs(problem) {
    FillInputs(spec, problem, &inputs);
    got = inputs;
    const RunResult run = InProcess(reference::CreateRnn)(problem, &got);
    EXPECT_EQ(run.status, RunStatus::kOk) << run.message;
  }
  // Judges an implementation that gave `outputs`, whatever they are.
  ProblemReport Judge(const TensorSet& outputs) const {
    OracleOptions options;
    options.forced = &outputs;
    return CompareAll(problem, RunOracle(problem, inputs, options), outputs);
  }
};

const char* const kCells[] = {"--alg=VANILLA_RNN --activation=TANH", "--alg=VANILLA_LSTM --with-peephole=true",
                              "--alg=VANILLA_LSTM --with-projection=true", "--alg=VANILLA_GRU", "--alg=LBR_GRU"};
const char* const kSizes[] = {"l1t1mb2sic8slc8dhc8", "l1t3mb2sic8slc8dhc8", "l3t1mb2sic8slc8dhc8",
                              "l2t4mb2sic8slc8dhc8"};
// AUGRU has one layer and one direction.
const char* const kAttentionCells[] = {"--alg=VANILLA_AUGRU", "--alg=LBR_AUGRU"};
const char* const kAttentionSizes[] = {"l1t1mb2sic8slc8dhc8", "l1t3mb2sic8slc8dhc8", "l1t4mb3sic8slc8dhc8"};

bool Contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

// In the table of data types bytes serve inference, and data of bytes that of LSTM and GRU; 16 bits have no projection.
bool IsServed(const std::string& config, const std::string& cell, const std::string& propagation) {
  const bool int8 = Contains(config, "u8") || Contains(config, "s8");
  if (Contains(config, "w8")) return propagation == "FWD_I";
  if (!int8) return config == "f32" || !Contains(cell, "projection=true");
  if (propagation != "FWD_I" || Contains(cell, "peephole")) return false;
  return Contains(cell, "_LSTM") || Contains(cell, "LBR_GRU") ||
         (Contains(cell, "VANILLA_GRU") && Contains(config, "u8"));
}

// The gains are below 1, because a broken output may pass if a bound is wide.
std::vector<std::string> Problems(const std::string& config) {
  std::vector<std::string> all;
  const auto add = [&](const std::string& cell, const std::string& size) {
    for (const std::string prop : {"FWD_I", "BWD_DW"}) {
      if (!IsServed(config, cell, prop)) continue;
      for (const std::string direction : {"left2right", "concat"}) {
        if (direction == "concat" && Contains(cell, "AUGRU")) continue;
        const std::string gain = config == "f32" ? "0.6" : "0.3";
        all.push_back(cell + " --cfg=" + config + " --direction=" + direction + " --gain=" + gain + " --prop=" + prop +
                      " " + size);
      }
    }
  };
  for (const char* cell : kCells) {
    for (const char* size : kSizes) add(cell, size);
  }
  for (const char* cell : kAttentionCells) {
    for (const char* size : kAttentionSizes) add(cell, size);
  }
  return all;
}

struct Breakage {
  const char* name;
  std::function<void(const TensorBuffer& before, TensorBuffer* tensor)> apply;
};

const Breakage kBreakages[] = {
    {"constant", [](const TensorBuffer&, TensorBuffer* t) { t->Fill([](size_t) { return 1000.; }); }},
    {"zero", [](const TensorBuffer&, TensorBuffer* t) { t->Fill([](size_t) { return 0.; }); }},
    {"nan", [](const TensorBuffer&, TensorBuffer* t) { t->Fill([](size_t) { return std::nan(""); }); }},
    {"unwritten", [](const TensorBuffer& before, TensorBuffer* t) { *t = before; }},
    {"one element",
     [](const TensorBuffer&, TensorBuffer* t) {
       const bool integral = t->type() == DataType::kU8 || t->type() == DataType::kS8;
       const double x = t->Get(t->size() - 1);
       t->Set(t->size() - 1, integral ? (x > 0 ? x - 24 : x + 24) : x + 0.25);
     }},
};

// Returns false if there was nothing to break.
bool ExpectFailure(const Case& clean, const std::string& words, Tensor t, const Breakage& breakage) {
  TensorSet broken = clean.got;
  breakage.apply(clean.inputs[t], &broken[t]);
  const std::string what = words + ": " + ToString(t) + " " + breakage.name;
  // The right values may be the same as the broken ones.
  if (broken[t].FirstDifference(clean.got[t]) == broken[t].size()) return false;
  const ProblemReport report = clean.Judge(broken);
  EXPECT_GE(report.outcome.verdict(), Verdict::kFail) << what;
  for (const TensorReport& row : report.rows) {
    if (row.tensor == t) {
      EXPECT_EQ(row.outcome.verdict(), Verdict::kFail) << what;
    }
  }
  return true;
}

class JudgeOfConfig : public testing::TestWithParam<const char*> {};

TEST_P(JudgeOfConfig, FailsEachOutputThatAloneIsBroken) {
  int broken = 0;
  for (const std::string& words : Problems(GetParam())) {
    const Case clean(words);
    ASSERT_LT(clean.Judge(clean.got).outcome.verdict(), Verdict::kFail) << words;
    for (const Tensor t : Outputs(clean.problem)) {
      for (const Breakage& breakage : kBreakages) broken += ExpectFailure(clean, words, t, breakage);
    }
  }
  EXPECT_GE(broken, 80);
}

INSTANTIATE_TEST_SUITE_P(All, JudgeOfConfig,
                         testing::Values("f32", "bf16", "bf16f32", "f16", "f16f32", "f16c32", "f32w8", "bf16w8",
                                         "f32w8dyn", "u8u8u8u8", "u8u8u8f32", "f32u8f32u8", "f32u8f32f32", "s8s8s8s8",
                                         "s8s8s8f32", "f32s8f32s8", "f32s8f32f32"),
                         [](const auto& info) { return std::string(info.param); });

void MoveAll(const RnnProblem& problem, TensorSet* tensors) {
  for (const Tensor t : Outputs(problem)) {
    TensorBuffer& buffer = (*tensors)[t];
    for (size_t i = 0; i < buffer.size(); ++i) buffer.Set(i, NextUp(buffer.Get(i), buffer.type()));
  }
}

TEST(Judge, PassesF32OutputsOneUlpOff) {
  for (const std::string prop : {"FWD_I", "BWD_DW"}) {
    for (const char* cell : kCells) {
      const Case clean(std::string(cell) + " --gain=0.6 --prop=" + prop + " l1t4mb3sic16slc16dhc16");
      TensorSet moved = clean.got;
      MoveAll(clean.problem, &moved);
      EXPECT_EQ(clean.Judge(moved).outcome.verdict(), Verdict::kPass) << cell << " " << prop;
    }
  }
}

TEST(Judge, FailsBf16OutputsOneUlpOff) {
  for (const char* cell : {kCells[0], kCells[1], kCells[3], kCells[4], kAttentionCells[0], kAttentionCells[1]}) {
    const Case clean(std::string(cell) + " --cfg=bf16 --gain=0.6 l1t4mb3sic16slc16dhc16");
    TensorSet moved = clean.got;
    MoveAll(clean.problem, &moved);
    for (const TensorReport& row : clean.Judge(moved).rows) {
      EXPECT_EQ(row.outcome.verdict(), Verdict::kFail) << cell << " " << ToString(row.tensor);
      EXPECT_GT(row.failures, row.stats.elements / 2) << "most intervals hold one bf16 value";
    }
  }
}

// Returns elements of `type` from three below to three above `x`.
std::vector<double> Around(double x, DataType type) {
  double y = RoundToType(x, type);
  for (int i = 0; i < 3; ++i) y = NextDown(y, type);
  std::vector<double> elements;
  for (int i = 0; i < 7; ++i, y = NextUp(y, type)) {
    if (std::isfinite(y)) elements.push_back(y);
  }
  return elements;
}

TEST(ErrorRatio, IsAtMostOneExactlyForWhatRoundsFromWithinTheBound) {
  constexpr unsigned kSeed = 7;
  std::mt19937 engine(kSeed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  uint64_t inside = 0, outside = 0;
  for (const DataType type : {DataType::kF32, DataType::kBf16, DataType::kF16, DataType::kU8, DataType::kS8}) {
    for (int i = 0; i < 4000; ++i) {
      const double value = 300 * uniform(engine) * std::exp2(10 * uniform(engine));
      const double bound = std::fabs(value) * std::exp2(15 * uniform(engine) - 15);
      const double lo = RoundToType(value - bound, type), hi = RoundToType(value + bound, type);
      for (const double edge : {value - bound, value + bound}) {
        for (const double y : Around(edge, type)) {
          const double ratio = ErrorRatio(type, value, bound, y);
          if (std::fabs(ratio - 1) < 1e-12) continue;  // the tie itself
          const bool within = y >= lo && y <= hi;
          EXPECT_EQ(ratio < 1, within) << ToString(type) << " " << y << " for " << value << " +- " << bound;
          ++(within ? inside : outside);
        }
      }
    }
  }
  EXPECT_GT(inside, 50000u);
  EXPECT_GT(outside, 50000u);
}

TEST(ErrorRatio, CountsTheStoreAndTheArithmeticAlike) {
  // The number is between the bf16 numbers 1 and 1 + 2^-7; half of their distance is 2^-8.
  EXPECT_DOUBLE_EQ(ErrorRatio(DataType::kBf16, 1 + 0x1p-10, 0, 1), 0.25);
  EXPECT_DOUBLE_EQ(ErrorRatio(DataType::kBf16, 1 + 0x1p-10, 0x1p-8, 1), 0.125);
  EXPECT_DOUBLE_EQ(ErrorRatio(DataType::kU8, 7.25, 0.25, 7), 0.25 / 0.75);
  // Below 1 the spacing is half as wide.
  EXPECT_DOUBLE_EQ(ErrorRatio(DataType::kBf16, 1 - 0x1p-10, 0, 1), 0.5);
  EXPECT_EQ(ErrorRatio(DataType::kU8, 300, 0, 255), 0) << "saturation";
  EXPECT_EQ(ErrorRatio(DataType::kF32, 0x1p-130, 0, 0), 0) << "flush to zero";
}

TEST(Outcome, OnlyWorsens) {
  Outcome outcome;
  outcome.Worsen(Verdict::kFail);
  outcome.Worsen(Verdict::kPass);
  outcome.Join(Outcome(Verdict::kQualityWarning));
  EXPECT_EQ(outcome.verdict(), Verdict::kFail);
}

TEST(ProblemReport, KeepsAFailureThatALaterTensorDoesNotShare) {
  ProblemReport report;
  TensorReport bad, good;
  bad.outcome.Worsen(Verdict::kFail);
  report.Add(bad);
  report.Add(good);
  EXPECT_EQ(report.outcome.verdict(), Verdict::kFail);
}

// Reports three steps of an LSTM, of whose output two elements are changed by `by`.
TensorReport RowWith(double by) {
  const ProblemSpec spec = ParseProblem("--alg=VANILLA_LSTM l1t3mb2sic5");
  const RnnProblem problem = ToRnnProblem(spec);
  TensorSet inputs(problem);
  FillInputs(spec, problem, &inputs);
  const OracleTensor want = RunOracle(problem, inputs, {}).outputs[0];
  TensorBuffer got(problem.md[kDstLayer]);
  got.Fill([&](size_t i) { return want.value[i]; });
  // The elements are steps 1 and 2, row 0, unit 3.
  for (const size_t i : {13u, 23u}) got.Set(i, want.value[i] + by);
  return Compare(problem, want, got);
}

TEST(Compare, TheRatioCountsTheElementsThatFail) {
  const TensorReport passed = RowWith(0);
  EXPECT_LE(passed.stats.ratio.max(), 1);
  EXPECT_TRUE(passed.where.empty());
  const TensorReport failed = RowWith(0.125);
  EXPECT_EQ(failed.failures, 2u);
  EXPECT_GT(failed.stats.ratio.max(), 1000);
  EXPECT_EQ(failed.stats.ratio.count(), 30u);
  EXPECT_EQ(failed.stats.correctly_rounded, 28u);
  EXPECT_EQ(RowWith(std::nan("")).stats.ratio.max(), HUGE_VAL);
}

// NaN in the input of step 0, row 0 makes row 0 NaN from there on; row 1 has values. Both are wrong.
TEST(Compare, QuotesAWrongValueAndNotTheLostNanBeforeIt) {
  const ProblemSpec spec = ParseProblem("--alg=VANILLA_LSTM l1t3mb2sic5");
  const RnnProblem problem = ToRnnProblem(spec);
  TensorSet inputs(problem);
  FillInputs(spec, problem, &inputs);
  inputs[kSrcLayer].Set(0, std::nan(""));
  const OracleTensor want = RunOracle(problem, inputs, {}).outputs[0];
  TensorBuffer got(problem.md[kDstLayer]);
  got.Fill([&](size_t i) { return i == 0 ? 0 : want.value[i] + (i == 9 ? 1 : 0); });
  CompareOptions options;
  options.nan = NanPolicy::kFastMath;
  const TensorReport row = Compare(problem, want, got, options);
  EXPECT_EQ(row.failures, 2u);
  EXPECT_EQ(row.outcome.verdict(), Verdict::kFail);
  EXPECT_EQ(row.first.n, 1);
  EXPECT_EQ(row.got, got.Get(9));
}

TEST(Compare, ShowsWhereElementsFail) {
  const FailureMap where = RowWith(1).where;
  ASSERT_EQ(where.size(), 2u);
  EXPECT_EQ(where[0].axes, "t=0..2 downwards, unit=0..4 to the right");
  EXPECT_EQ(where[0].lines, (std::vector<std::string>{".....", "...5.", "...5."}));
  EXPECT_EQ(where[1].axes, "row of the batch=0..1 downwards, unit=0..4 to the right");
  EXPECT_EQ(where[1].lines, (std::vector<std::string>{"...7.", "....."}));
}

TEST(FailureCounter, APictureIsSmallAndItsDigitsAreTenths) {
  const RnnProblem problem = ToRnnProblem(ParseProblem("--alg=VANILLA_LSTM l1t100mb3sic200"));
  FailureCounter counter(problem, kDstLayer);
  for (size_t i = 0; i < 200 * 3; ++i) counter.Add(i);
  const FailureMap map = counter.Pictures();
  ASSERT_EQ(map.size(), 1u) << "all rows fail alike";
  ASSERT_EQ(map[0].lines.size(), 16u);
  // A line stands for seven steps, one of which fails.
  EXPECT_EQ(map[0].lines[0], std::string(64, '2'));
  EXPECT_EQ(map[0].lines[1], std::string(64, '.'));
  FailureCounter gates(problem, kWeightsLayer);
  gates.Add(200 + 7);
  ASSERT_EQ(gates.Pictures().size(), 1u);
  EXPECT_EQ(gates.Pictures()[0].lines.size(), 4u);
  EXPECT_EQ(gates.Pictures()[0].lines[1][2], '1');
}

// The problem is one unit of a vanilla RNN with logistic in bf16, one step. The slope y (1 - y) may be that of y before it is
// stored, or of the stored y: docs/verdicts/method.md.
TEST(Backward, TheSlopeOfAVanillaRnnMayBeThatOfTheUnroundedOutput) {
  const ProblemSpec spec = ParseProblem(
      "--alg=VANILLA_RNN --activation=LOGISTIC --cfg=bf16f32 --prop=BWD_DW --flags=O --absent=src_iter+dst_iter+bias "
      "l1t1mb1sic1");
  const RnnProblem problem = ToRnnProblem(spec);
  const auto check = [&](double x, bool unrounded, double factor) {
    TensorSet inputs(problem);
    FillInputs(spec, problem, &inputs);
    inputs[kSrcLayer].Set(0, x);
    inputs[kWeightsLayer].Set(0, 1);
    const double y = 1 / (1 + std::exp(-x)), stored = RoundToType(y, DataType::kBf16);
    inputs[kDstLayer].Set(0, stored);
    inputs[kDiffDstLayer].Set(0, 1);
    const double slope = factor * (unrounded ? y * (1 - y) : stored * (1 - stored));
    TensorSet outputs = inputs;
    outputs[kDiffSrcLayer].Set(0, slope);
    outputs[kDiffWeightsLayer].Set(0, slope * x);
    outputs[kDiffWeightsIter].Set(0, 0);
    OracleOptions options;
    options.forced = &outputs;
    return CompareAll(problem, RunOracle(problem, inputs, options), outputs).outcome.verdict() < Verdict::kFail;
  };
  for (const double x : {-3.03125, -1.1015625, 0.359375, 2.265625, 4.53125}) {
    EXPECT_TRUE(check(x, false, 1)) << x;
    EXPECT_TRUE(check(x, true, 1)) << x;
    EXPECT_FALSE(check(x, true, 1.2)) << x;
  }
}

}  // namespace
}  // namespace tandem::conformance
