// Every run of an implementation is judged, whatever its number of threads and whatever ran before it.
#include "conformance/judge/check.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>

#include "conformance/faulty/faulty.h"
#include "conformance/judge/experiments.h"
#include "conformance/problem/problem_notation.h"
#include "conformance/problem/random/random_problem.h"

namespace tandem::conformance {
namespace {

ProblemSpec Problem(uint64_t seed) {
  ProblemSpec spec = ParseProblem("--alg=VANILLA_LSTM l1t2mb3sic5");
  spec.seed = seed;
  return spec;
}

// The plugin makes no claims, so that other bits are no failure of their own.
Plugin Unclaimed(Mutation mutation) {
  Plugin plugin = MutantPlugin(mutation);
  plugin.claims_thread_determinism = plugin.claims_batch_invariance = false;
  return plugin;
}

// Returns the first seed of which the condition is true.
template <class Condition>
uint64_t SeedWith(Condition condition) {
  uint64_t seed = 1;
  while (!condition(ExperimentsOf(seed, CheckOptions()))) ++seed;
  return seed;
}

// Experiments are drawn independently: counts of one, and of two together, are within six standard deviations.
TEST(Experiments, AreDrawnIndependently) {
  constexpr int kEvents = 7, kSeeds = 100000;
  const std::array<double, kEvents> probability = {1. / 4, 1. / 8, 1. / 4, 1. / 16, 1. / 3, 1. / 2, 1. / 2};
  std::array<std::array<int, kEvents>, kEvents> count = {};
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const Experiments e = ExperimentsOf(seed, CheckOptions());
    const std::array<bool, kEvents> happens = {e.relation,
                                               e.handed_on,
                                               e.warm_up,
                                               e.quality,
                                               e.threads == 1,
                                               e.interlude == Interlude::kNone,
                                               e.relation_number % 2 == 0};
    for (int i = 0; i < kEvents; ++i) {
      for (int j = 0; j < kEvents; ++j) count[i][j] += happens[i] && happens[j] ? 1 : 0;
    }
  }
  for (int i = 0; i < kEvents; ++i) {
    for (int j = 0; j < kEvents; ++j) {
      const double p = i == j ? probability[i] : probability[i] * probability[j];
      EXPECT_LE(std::abs(count[i][j] - p * kSeeds), 6 * std::sqrt(p * (1 - p) * kSeeds)) << i << " and " << j;
    }
  }
}

TEST(Check, RunsWithOneTwoAndThreeThreadsByTheSeed) {
  const Plugin plugin = Unclaimed(Mutation::kThreadsOverwriteOutput);
  std::set<int> seen;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    const int threads = ExperimentsOf(seed, WithoutExperiments()).threads;
    const CheckedProblem checked = CheckProblem(plugin, Problem(seed), WithoutExperiments());
    EXPECT_EQ(checked.outcome.ok(), threads == 1) << seed << ": " << checked.message;
    seen.insert(threads);
  }
  EXPECT_EQ(seen, (std::set<int>{1, 2, 3}));
}

// The problem's own run has one thread. The runs that measure its quality have others.
TEST(Check, OutputsWithAnotherNumberOfThreadsAreJudged) {
  CheckOptions options = WithoutExperiments();
  const ProblemSpec problem = Problem(SeedWith([](const Experiments& e) { return e.threads == 1; }));
  EXPECT_TRUE(CheckProblem(Unclaimed(Mutation::kTwoThreadsDropBias), problem, options).outcome.ok());
  options.quality_every = 1;
  EXPECT_TRUE(CheckProblem(Unclaimed(Mutation::kNoBug), problem, options).outcome.ok());
  const CheckedProblem checked = CheckProblem(Unclaimed(Mutation::kTwoThreadsDropBias), problem, options);
  EXPECT_EQ(checked.outcome.verdict(), Verdict::kFail);
  EXPECT_NE(checked.message.find("with up to 2 threads: FAIL"), std::string::npos) << checked.message;
}

TEST(Check, TheRunBeforeTheProblemIsJudged) {
  const Plugin plugin = Unclaimed(Mutation::kFirstCallDropsBias);
  CheckOptions options = WithoutExperiments();
  options.warm_up_every = 1;
  const CheckedProblem checked = CheckProblem(plugin, Problem(2), options);
  EXPECT_FALSE(checked.outcome.ok());
  EXPECT_NE(checked.message.find("the run before it, with other weights"), std::string::npos) << checked.message;
}

// Between forward and backward another forward runs, with other memory, for every second problem.
TEST(Check, BackwardUsesTheWorkspaceThatItIsGiven) {
  const Plugin plugin = Unclaimed(Mutation::kWorkspaceIgnored);
  ProblemSpec spec = ParseProblem("--alg=VANILLA_LSTM --prop=BWD_DW l1t2mb3sic5");
  spec.seed = SeedWith([](const Experiments& e) { return e.interlude == Interlude::kNone; });
  EXPECT_TRUE(CheckProblem(plugin, spec, WithoutExperiments()).outcome.ok());
  spec.seed = SeedWith([](const Experiments& e) { return e.interlude != Interlude::kNone; });
  EXPECT_EQ(CheckProblem(plugin, spec, WithoutExperiments()).outcome.verdict(), Verdict::kFail);
}

// If the oracle cannot afford all rows, one row's gradient is judged over the whole sequence.
TEST(Check, ALargeBackwardProblemIsJudgedByOneRow) {
  CheckOptions options = WithoutExperiments();
  const ProblemSpec spec = ParseProblem("--alg=VANILLA_GRU --prop=BWD_DW --gain=0.3 --seed=5 l1t6mb7sic8");
  options.oracle_macs = CountOps(spec) / 2 / 7;
  const CheckedProblem checked = CheckProblem(MutantPlugin(Mutation::kNoBug), spec, options);
  EXPECT_TRUE(checked.outcome.ok()) << checked.message;
  EXPECT_EQ(checked.rows_judged, 1);
  EXPECT_EQ(checked.steps_given, 0);
  for (const Mutation wrong : {Mutation::kGradientMean, Mutation::kDhMissesLastGate, Mutation::kGruOuterUsesH}) {
    EXPECT_EQ(CheckProblem(MutantPlugin(wrong), spec, options).outcome.verdict(), Verdict::kFail);
  }
}

// The three rows are the first, one in the middle and the last, because divided batches go wrong at the last one.
TEST(Check, ALargeBackwardProblemIsJudgedByThreeRowsWhereTheyCanBeAfforded) {
  CheckOptions options = WithoutExperiments();
  const ProblemSpec spec = ParseProblem("--alg=VANILLA_GRU --prop=BWD_DW --gain=0.3 --seed=5 l1t6mb7sic8");
  const double per_row = CountOps(spec) / 2 / 7;
  options.oracle_macs = 5 * per_row;
  const CheckedProblem checked = CheckProblem(MutantPlugin(Mutation::kNoBug), spec, options);
  EXPECT_TRUE(checked.outcome.ok()) << checked.message;
  EXPECT_EQ(checked.rows_judged, 3);
  const Plugin wrong = MutantPlugin(Mutation::kDiffBiasMissesLastRow);
  EXPECT_EQ(CheckProblem(wrong, spec, options).outcome.verdict(), Verdict::kFail);
  options.oracle_macs = per_row;
  EXPECT_TRUE(CheckProblem(wrong, spec, options).outcome.ok()) << "by one row it cannot be seen";
}

// The bugs show only if an execution starts from the states of another one, at the addresses at which these lie.
TEST(Check, StatesAreHandedOnInPlace) {
  for (const Mutation mutation :
       {Mutation::kStateCachedByAddress, Mutation::kCellStateCachedByAddress, Mutation::kHandedOnCellStateStale}) {
    const Plugin plugin = Unclaimed(mutation);
    CheckOptions options = WithoutExperiments();
    EXPECT_TRUE(CheckProblem(plugin, Problem(5), options).outcome.ok());
    options.hand_on_every = 1;
    // The relation has three executions and four.
    for (const uint64_t seed : {SeedWith([](const Experiments& e) { return e.handed_on_number % 2 == 0; }),
                                SeedWith([](const Experiments& e) { return e.handed_on_number % 2 == 1; })}) {
      EXPECT_TRUE(CheckProblem(MutantPlugin(Mutation::kNoBug), Problem(seed), options).outcome.ok());
      const CheckedProblem checked = CheckProblem(plugin, Problem(seed), options);
      EXPECT_EQ(checked.outcome.verdict(), Verdict::kFail) << InfoOf(mutation).name << " " << seed;
      EXPECT_NE(checked.message.find("executions that hand their states on"), std::string::npos) << checked.message;
    }
  }
}

TEST(ReplayLine, IsReadBackByAShell) {
  CheckedProblem checked;
  checked.spec = Problem(1);
  const std::string problem = " " + PrintProblem(checked.spec);
  checked.implementation = "./vendor.so";
  EXPECT_EQ(ReplayLine(checked), "./tandem check --impl=./vendor.so" + problem);
  checked.implementation = "pipe:python3 it's.py";
  EXPECT_EQ(ReplayLine(checked), "./tandem check --impl='pipe:python3 it'\\''s.py'" + problem);
}

// Returns how many of these problems are wrong. They are LSTM with c in bf16 or f16.
int WrongWithNarrowCellState(const Plugin& plugin) {
  ProblemScope scope;
  scope.cells = {Cell::kLstm};
  scope.configs = {Config::kBf16, Config::kF16};
  scope.max_channels = 17;
  scope.max_steps = 12;
  int wrong = 0;
  for (uint64_t i = 0; i < 60; ++i) {
    const CheckedProblem checked = CheckProblem(plugin, RandomProblem(scope, 3, i), WithoutExperiments());
    wrong += checked.outcome.verdict() >= Verdict::kFail;
  }
  return wrong;
}

Plugin WithWideCellState(Mutation mutation) {
  Plugin plugin = Unclaimed(mutation);
  plugin.declared.cell_state = Recurrence::kWide;
  return plugin;
}

TEST(WideCellState, CMayStayInF32WhereItIsDeclared) {
  EXPECT_GT(WrongWithNarrowCellState(Unclaimed(Mutation::kCellStateUnrounded)), 10);
  EXPECT_EQ(WrongWithNarrowCellState(WithWideCellState(Mutation::kCellStateUnrounded)), 0);
  EXPECT_EQ(WrongWithNarrowCellState(WithWideCellState(Mutation::kNoBug)), 0) << "it may, but need not";
}

TEST(WideCellState, ADeclarationExcusesNothingElse) {
  // A truncated c is neither rounded nor left alone, and an f32 c is never rounded.
  EXPECT_GT(WrongWithNarrowCellState(WithWideCellState(Mutation::kStoreTruncates)), 10);
  const CheckedProblem f32 =
      CheckProblem(WithWideCellState(Mutation::kCellStateInBf16),
                   ParseProblem("--alg=VANILLA_LSTM --cfg=bf16f32 l1t5mb3sic8"), WithoutExperiments());
  EXPECT_EQ(f32.outcome.verdict(), Verdict::kFail) << f32.message;
}

}  // namespace
}  // namespace tandem::conformance
