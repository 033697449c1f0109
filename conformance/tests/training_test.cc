// The optimized backend's training is judged: every output of forward_training and of backward against the oracle, for every
// cell, option and combination of types, on every Highway target of the machine.
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "conformance/judge/verdict/check_bounds.h"
#include "conformance/problem/generator.h"
#include "conformance/problem/problem_notation.h"
#include "conformance/tests/in_process.h"
#include "conformance/tests/optimized_targets.h"

namespace tandem::conformance {
namespace {

const char* const kCells[] = {
    "VANILLA_RNN --activation=TANH", "VANILLA_LSTM", "VANILLA_GRU", "LBR_GRU", "VANILLA_AUGRU", "LBR_AUGRU"};

bool HasAttention(const std::string& cell) { return cell.find("AUGRU") != std::string::npos; }

// Attention is served left to right with one layer only.
std::string Layers(const std::string& cell) { return HasAttention(cell) ? "l1" : "l2"; }

// This is a problem that has run, forward and backward.
struct TrainingRun {
  explicit TrainingRun(const std::string& words)
      : spec(ParseProblem(words)), backward(ToRnnProblem(spec)), inputs(backward) {
    FillInputs(spec, backward, &inputs);
    outputs = inputs;
    const RunResult run = InProcess(CreateOptimized)(backward, &outputs);
    EXPECT_EQ(run.status, RunStatus::kOk) << run.message;
    TakeForwardOutputs(outputs, &inputs);
  }

  ProblemSpec spec;
  RnnProblem backward;
  TensorSet inputs, outputs;
};

class Training : public testing::TestWithParam<const char*> {
 protected:
  // Returns a problem of options and a descriptor, for this test's types. Gains below 1 keep the bounds narrow.
  std::string Words(const std::string& options, const std::string& descriptor) const {
    return "--alg=" + options + " --prop=BWD_DW --gain=0.3 --cfg=" + GetParam() + " " + descriptor;
  }

  void ExpectWithinBounds(const std::string& words) {
    const TrainingRun run(words);
    for (const RnnProblem& problem : {ForwardOf(run.backward), run.backward}) {
      const ProblemReport report = CheckBounds({problem, run.inputs, run.outputs}, Declaration());
      EXPECT_EQ(report.rows.size(), Outputs(problem).size());
      for (const TensorReport& row : report.rows) {
        EXPECT_EQ(row.outcome.verdict(), Verdict::kPass) << "replay: " << PrintProblem(run.spec) << "\n"
                                                         << ToString(row, run.spec.cell);
        worst_ = std::max(worst_, row.stats.ratio.max());
        elements_ += row.stats.elements - row.stats.vacuous;
      }
    }
  }

  // Bounds that no error comes near would judge nothing.
  void TearDown() override {
    std::printf("largest error / bound of %llu elements: %.3f\n", static_cast<unsigned long long>(elements_), worst_);
    if (elements_ > 0) {
      EXPECT_GT(worst_, 0.01) << "the bounds are too wide to say anything";
    }
  }

 private:
  double worst_ = 0;
  uint64_t elements_ = 0;
};

TEST_P(Training, IsWithinTheBoundsForEveryCell) {
  for (const std::string cell : kCells) ExpectWithinBounds(Words(cell, Layers(cell) + "t3mb3sic20"));
}

TEST_P(Training, ServesEveryDirection) {
  for (const std::string cell : kCells) {
    if (HasAttention(cell)) continue;
    for (const std::string direction : {"right2left", "concat", "sum"}) {
      ExpectWithinBounds(Words(cell + " --direction=" + direction, "l2t3mb2sic18"));
    }
  }
}

TEST_P(Training, ServesTailsOfEverySize) {
  for (const std::string cell : kCells) {
    for (const int size : {1, 7, 15, 16, 17, 31, 33, 70}) {
      ExpectWithinBounds(Words(cell, "l1t2mb" + std::to_string(1 + size % 4) + "sic" + std::to_string(size) + "slc" +
                                         std::to_string(size + 3)));
    }
  }
}

TEST_P(Training, ServesPeepholeAndProjection) {
  const std::string lstm = "VANILLA_LSTM", peephole = " --with-peephole=true", projection = " --with-projection=true";
  ExpectWithinBounds(Words(lstm + peephole, "l2t3mb3sic21"));
  ExpectWithinBounds(Words(lstm + projection, "l2t3mb3sic12dhc21dic12"));
  ExpectWithinBounds(Words(lstm + peephole + projection, "l2t3mb3sic12dhc21dic12"));
}

// h has more columns than a panel, and its last block is not full.
TEST_P(Training, ServesAProjectionOfMoreColumnsThanAPanel) {
  ExpectWithinBounds(Words("VANILLA_LSTM --with-projection=true", "l1t2mb3sic70dhc21dic70"));
}

// The problems cover both directions of time, and more than 768 rows in the products of the weights.
TEST_P(Training, ServesRowsOfDifferentLengths) {
  for (const std::string cell : kCells) {
    const std::string ragged = cell + " --lengths=random";
    ExpectWithinBounds(Words(ragged, Layers(cell) + "t4mb5sic21"));
    if (!HasAttention(cell)) ExpectWithinBounds(Words(ragged + " --direction=concat", "l1t4mb5sic21slc9"));
    ExpectWithinBounds(Words(ragged, "l1t40mb50sic4slc3"));
  }
  const std::string lstm = "VANILLA_LSTM --lengths=random --with-peephole=true --with-projection=true";
  ExpectWithinBounds(Words(lstm, "l1t4mb5sic12dhc21dic12"));
}

TEST_P(Training, AllowsOptionalTensorsToBeAbsent) {
  for (const std::string cell : kCells) {
    const bool lstm = cell == "VANILLA_LSTM";
    for (const std::string absent : {"bias", "src_iter", "dst_iter", "all"}) {
      const std::string states = lstm ? "src_iter+src_iter_c+dst_iter+dst_iter_c" : "src_iter+dst_iter";
      const std::string words = absent == "all"            ? "bias+" + states
                                : lstm && absent != "bias" ? absent + "+" + absent + "_c"
                                                           : absent;
      // The bounds of one gradient alone would be wide for two layers.
      ExpectWithinBounds(Words(cell + " --absent=" + words, (absent == "all" ? Layers(cell) : "l1") + "t3mb2sic17"));
    }
  }
}

TEST_P(Training, LetsOneStepChangeTheNumberOfChannels) {
  for (const std::string cell : {kCells[0], kCells[1]}) ExpectWithinBounds(Words(cell, "l1t1mb3sic37slc5dhc19"));
}

TEST_P(Training, ServesEveryActivation) {
  for (const Activation activation : kActivations) {
    for (const std::string alpha : {"0", "0.25", "-0.5"}) {
      ExpectWithinBounds(
          Words(std::string("VANILLA_RNN --activation=") + ToString(activation) + " --beta=0.5 --alpha=" + alpha,
                "l1t2mb3sic9"));
    }
  }
}

TEST_P(Training, FollowsBothReadings) {
  for (const std::string cell : {"VANILLA_AUGRU", "LBR_AUGRU"}) {
    for (const std::string reading : {"spec", "onednn"}) {
      ExpectWithinBounds(Words(cell + " --reading=" + reading, "l1t3mb3sic21slc9"));
    }
  }
}

TEST_P(Training, OverwritesDiffWeightsWithTheFlag) {
  for (const std::string cell : kCells) ExpectWithinBounds(Words(cell + " --flags=O", "l1t2mb3sic21slc9"));
}

// Whole blocks of 16 columns are summed in the user's tensor, if the gates' units lie side by side, the rest elsewhere.
TEST_P(Training, ServesEveryLayoutOfTheWeightsGradients) {
  for (const std::string cell : kCells) {
    for (const std::string options : {"", " --flags=O", " --pad=3", " --diff-tag=ldgoi"}) {
      ExpectWithinBounds(Words(cell + options, "l1t2mb3sic32slc5"));
      ExpectWithinBounds(Words(cell + options, "l1t2mb1sic80"));
      ExpectWithinBounds(Words(cell + options, "l1t2mb3sic22slc5"));
      ExpectWithinBounds(Words(cell + options, "l1t2mb2sic3slc18"));
    }
  }
}

// With more than 768 rows the weights' gradient has several products, in one step and over several.
TEST_P(Training, AddsUpChunksOfTimeAndRows) {
  for (const std::string cell : {"VANILLA_LSTM", "VANILLA_GRU", "LBR_GRU"}) {
    for (const std::string shape :
         {"l1t5mb300sic4slc3", "l1t2mb800sic4slc3", "l1t1mb769sic4slc3", "l1t1mb769sic32slc3"}) {
      ExpectWithinBounds(Words(cell + " --direction=concat", shape));
    }
  }
}

// These problems reach every kernel and every way of dividing the work, and are small enough to repeat.
std::vector<std::string> RepeatedOptions() {
  std::vector<std::string> options;
  for (const std::string cell : kCells) options.push_back(cell + (HasAttention(cell) ? "" : " --direction=sum"));
  return options;
}

TEST_P(Training, GivesTheSameBitsForAnyNumberOfThreads) {
  const int threads_before = omp_get_max_threads();
  for (const std::string& options : RepeatedOptions()) {
    for (const std::string size : {"sic37", "sic48"}) {
      const std::string words = Words(options, Layers(options) + "t3mb5" + size);
      omp_set_num_threads(1);
      const TrainingRun first(words);
      for (const int threads : {2, 3, 7}) {
        omp_set_num_threads(threads);
        const TrainingRun run(words);
        for (int i = 0; i < kNumTensors; ++i) {
          EXPECT_EQ(run.outputs.tensor[i].bytes(), first.outputs.tensor[i].bytes())
              << words << "\n"
              << ToString(static_cast<Tensor>(i)) << " with " << threads << " threads";
        }
      }
    }
  }
  omp_set_num_threads(threads_before);
}

TEST_P(Training, IsWithinTheBoundsOnEveryTargetOfThisMachine) {
  const std::vector<std::string> targets = TargetsOfThisMachine();
  ASSERT_FALSE(targets.empty());
  for (const std::string& target : targets) {
    SCOPED_TRACE(target);
    std::printf("%s\n", target.c_str());
    const ForcedTarget forced(target);
    for (const std::string& options : RepeatedOptions()) {
      ExpectWithinBounds(Words(options, Layers(options) + "t3mb5sic37"));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, Training, testing::Values("f32", "bf16f32", "bf16", "f16f32", "f16", "f16c32"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace tandem::conformance
