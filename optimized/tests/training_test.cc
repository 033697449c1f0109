// Forward training and backward of every cell, held against training_model_testing.h on every element.
#include <omp.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "api/core/error.h"
#include "api/core/float16.h"
#include "api/core/rnn/rnn_problem_testing.h"
#include "gtest/gtest.h"
#include "optimized/backend.h"
#include "optimized/kernels/for_each_target.h"
#include "optimized/tests/training_model_testing.h"

namespace tandem {
namespace optimized {
namespace {

using Bytes = std::vector<unsigned char>;

// A case of the test: what differs from the defaults of MakeTestProblem.
struct Options {
  Cell cell = Cell::kLstm;
  Direction direction = Direction::kLeft2Right;
  DataType type = DataType::kF32;
  TestShape shape;
  bool peephole = false, projection = false, optional_tensors = true;
  Activation activation = Activation::kTanh;
  float alpha = 0.f;
  Reading reading = Reading::kSpec;
  unsigned flags = 0;
};

std::string ToString(const Options& o) {
  const TestShape& s = o.shape;
  return std::string(ToString(o.cell)) + " " + ToString(o.direction) + " " + ToString(o.type) + " l" +
         std::to_string(s.n_layer) + "t" + std::to_string(s.n_iter) + "mb" + std::to_string(s.mb) + "slc" +
         std::to_string(s.slc) + "sic" + std::to_string(s.sic) + "dhc" + std::to_string(s.dhc) + "dic" +
         std::to_string(s.dic) + (o.peephole ? " peephole" : "") + (o.projection ? " projection" : "");
}

RnnProblem MakeProblem(const Options& o, Propagation propagation) {
  RnnProblem p = MakeTestProblem(o.cell, propagation, o.direction, o.type, o.shape);
  if (o.peephole) Add(&p, o.shape, o.type, kWeightsPeephole);
  if (o.projection) Add(&p, o.shape, o.type, kWeightsProjection);
  if (!o.optional_tensors) {
    for (const Tensor tensor : {kSrcIter, kSrcIterC, kBias, kDstIter, kDstIterC}) {
      p.md[tensor] = p.md[Diff(tensor)] = MemoryDesc();
    }
  }
  p.activation = o.activation;
  p.alpha = o.alpha;
  p.attr.reading = o.reading;
  p.flags = o.flags;
  Validate(&p);
  return p;
}

double Load(DataType type, const unsigned char* at) {
  float value;
  uint16_t bits;
  if (type == DataType::kF32) {
    std::memcpy(&value, at, sizeof value);
    return value;
  }
  std::memcpy(&bits, at, sizeof bits);
  return type == DataType::kBf16 ? Bf16ToFloat(bits) : Fp16ToFloat(bits);
}

void Store(DataType type, float value, unsigned char* at) {
  const uint16_t bits = type == DataType::kBf16 ? FloatToBf16(value) : FloatToFp16(value);
  if (type == DataType::kF32)
    std::memcpy(at, &value, sizeof value);
  else
    std::memcpy(at, &bits, sizeof bits);
}

// Memory for all tensors of a dense problem, and one workspace for the two propagations.
struct TrainingRun {
  explicit TrainingRun(const Options& o)
      : forward(MakeProblem(o, Propagation::kForwardTraining)), backward(MakeProblem(o, Propagation::kBackward)) {}

  void Fill(uint32_t seed) {
    std::mt19937 rng(seed);
    std::normal_distribution<float> normal(0.f, 1.f);
    std::uniform_real_distribution<float> share(0.1f, 0.9f);
    for (int i = 0; i < kNumTensors; ++i) {
      const MemoryDesc& md = backward.md[i];
      memory[i].resize(SizeInBytes(md));
      if (IsZero(md)) continue;
      for (Dim k = 0; k < NumElements(md); ++k) {
        // Weights small enough that bounds do not grow from step to step.
        const float value = i == kAugruAttention ? share(rng) : (md.ndims == 5 ? 0.15f : 0.5f) * normal(rng);
        Store(TypeOf(md), value, &memory[i][k * SizeOf(TypeOf(md))]);
      }
    }
  }

  std::array<std::vector<double>, kNumTensors> Values() const {
    std::array<std::vector<double>, kNumTensors> values;
    for (int i = 0; i < kNumTensors; ++i) {
      const DataType type = TypeOf(backward.md[i]);
      for (size_t at = 0; at < memory[i].size(); at += SizeOf(type)) values[i].push_back(Load(type, &memory[i][at]));
    }
    return values;
  }

  void Execute(const RnnProblem& problem) {
    std::string why_not;
    const auto plan = CreateRnn(problem, &why_not);
    ASSERT_TRUE(plan != nullptr) << why_not;
    // What nobody wrote must not matter: it is NaN.
    workspace.resize(plan->workspace_bytes(), 0xff);
    Bytes scratchpad(plan->scratchpad_bytes(), 0xff);
    RnnBuffers buffers;
    for (int i = 0; i < kNumTensors; ++i) {
      if (problem.Has(static_cast<Tensor>(i))) buffers.tensor[i] = memory[i].data();
    }
    buffers.workspace = workspace.data();
    buffers.scratchpad = scratchpad.data();
    plan->Execute(buffers);
  }

  RnnProblem forward, backward;
  std::array<Bytes, kNumTensors> memory;
  Bytes workspace;
};

void ExpectWithinBounds(const TrainingRun& run, const std::array<Vector, kNumTensors>& want, double* worst) {
  for (int i = kDiffSrcLayer; i <= kDiffBias; ++i) {
    const Tensor tensor = static_cast<Tensor>(i);
    if (!run.backward.Has(tensor)) continue;
    for (size_t k = 0; k < want[i].size(); ++k) {
      const double got = Load(DataType::kF32, &run.memory[i][k * sizeof(float)]);
      const double error = std::fabs(got - want[i][k].v);
      ASSERT_TRUE(error <= want[i][k].e) << ToString(tensor) << " element " << k << ": got " << got << ", want "
                                         << want[i][k].v << " within " << want[i][k].e;
      *worst = std::max(*worst, error / want[i][k].e);
    }
  }
}

void ExpectGradients(const Options& options, double* worst) {
  SCOPED_TRACE(ToString(options));
  TrainingRun run(options);
  run.Fill(7);
  TrainingModel model(run.backward, run.Values());
  model.Run();
  run.Execute(run.forward);
  run.Execute(run.backward);
  ExpectWithinBounds(run, model.out, worst);
}

const std::vector<Cell>& AllCells() {
  static const std::vector<Cell> cells = {Cell::kVanillaRnn, Cell::kLstm,  Cell::kGru,
                                          Cell::kLbrGru,     Cell::kAugru, Cell::kLbrAugru};
  return cells;
}

// Attention is served left to right with one layer only.
TestShape ShapeFor(Cell cell, TestShape shape) {
  if (HasAttention(cell)) shape.n_layer = 1;
  return shape;
}

class Training : public testing::TestWithParam<DataType> {
 protected:
  // Bounds that no error comes near would judge nothing.
  void TearDown() override {
    std::printf("largest error / bound: %.4f\n", worst_);
    EXPECT_GT(worst_, 0.001) << "the bounds are too wide to say anything";
  }
  double worst_ = 0;
};

TEST_P(Training, GradientsOfEveryCellAreWithinTheirBounds) {
  for (const Cell cell : AllCells()) {
    Options options;
    options.cell = cell;
    options.type = GetParam();
    options.shape = ShapeFor(cell, {2, 3, 3, 20, 20, 20, 20});
    ExpectGradients(options, &worst_);
  }
}

TEST_P(Training, EveryDirectionIsServed) {
  for (const Cell cell : AllCells()) {
    if (HasAttention(cell)) continue;
    for (const Direction direction :
         {Direction::kRight2Left, Direction::kBidirectionalConcat, Direction::kBidirectionalSum}) {
      Options options;
      options.cell = cell;
      options.type = GetParam();
      options.direction = direction;
      options.shape = {2, 3, 2, 18, 18, 18, 18};
      ExpectGradients(options, &worst_);
    }
  }
}

TEST_P(Training, TailsOfEverySizeAreServed) {
  for (const Cell cell : AllCells()) {
    for (const Dim size : {1, 7, 15, 16, 17, 31, 33, 70}) {
      Options options;
      options.cell = cell;
      options.type = GetParam();
      options.shape = {1, 2, 1 + size % 4, size + 3, size, size, size};
      ExpectGradients(options, &worst_);
    }
  }
}

TEST_P(Training, PeepholeAndProjectionHaveGradients) {
  for (const int which : {1, 2, 3}) {
    Options options;
    options.type = GetParam();
    options.peephole = (which & 1) != 0;
    options.projection = (which & 2) != 0;
    options.shape = {2, 3, 3, 12, 12, 21, 12};
    if (!options.projection) options.shape = {2, 3, 3, 21, 21, 21, 21};
    ExpectGradients(options, &worst_);
  }
}

TEST_P(Training, OptionalTensorsMayBeAbsent) {
  for (const Cell cell : AllCells()) {
    Options options;
    options.cell = cell;
    options.type = GetParam();
    options.optional_tensors = false;
    options.shape = ShapeFor(cell, {2, 3, 2, 17, 17, 17, 17});
    ExpectGradients(options, &worst_);
  }
}

TEST_P(Training, OneStepMayChangeTheNumberOfChannels) {
  for (const Cell cell : {Cell::kVanillaRnn, Cell::kLstm}) {
    Options options;
    options.cell = cell;
    options.type = GetParam();
    options.shape = {1, 1, 3, 5, 37, 19, 19};
    ExpectGradients(options, &worst_);
  }
}

TEST_P(Training, EveryActivationOfTheVanillaCellIsServed) {
  for (const Activation activation : {Activation::kRelu, Activation::kTanh, Activation::kLogistic}) {
    for (const float alpha : {0.f, 0.25f, -0.5f}) {
      Options options;
      options.cell = Cell::kVanillaRnn;
      options.type = GetParam();
      options.activation = activation;
      options.alpha = alpha;
      options.shape = {1, 2, 3, 9, 9, 9, 9};
      ExpectGradients(options, &worst_);
    }
  }
}

TEST_P(Training, BothReadingsOfTheAttentionsGradientAreServed) {
  for (const Cell cell : {Cell::kAugru, Cell::kLbrAugru}) {
    for (const Reading reading : {Reading::kSpec, Reading::kOnednn}) {
      Options options;
      options.cell = cell;
      options.type = GetParam();
      options.reading = reading;
      options.shape = {1, 3, 3, 9, 21, 21, 21};
      ExpectGradients(options, &worst_);
    }
  }
}

TEST_P(Training, TheFlagChoosesBetweenAddingAndOverwriting) {
  for (const Cell cell : AllCells()) {
    Options options;
    options.cell = cell;
    options.type = GetParam();
    options.flags = dnnl_rnn_flags_diff_weights_overwrite;
    options.shape = {1, 2, 3, 9, 21, 21, 21};
    ExpectGradients(options, &worst_);
  }
}

// 800 rows: more than one product for the weights' gradient, in one step and over several.
TEST_P(Training, ChunksOfTimeAndRowsAddUp) {
  for (const Cell cell : {Cell::kLstm, Cell::kGru, Cell::kLbrGru}) {
    for (const TestShape& shape : {TestShape{1, 5, 300, 3, 4, 4, 4}, TestShape{1, 2, 800, 3, 4, 4, 4}}) {
      Options options;
      options.cell = cell;
      options.type = GetParam();
      options.shape = shape;
      options.direction = Direction::kBidirectionalConcat;
      ExpectGradients(options, &worst_);
    }
  }
}

// Cases that reach every kernel and every way of dividing the work, small enough to repeat.
std::vector<Options> RepeatedCases(DataType type) {
  std::vector<Options> cases;
  for (const Cell cell : AllCells()) {
    Options options;
    options.cell = cell;
    options.type = type;
    if (!HasAttention(cell)) options.direction = Direction::kBidirectionalSum;
    options.shape = ShapeFor(cell, {2, 3, 5, 37, 37, 37, 37});
    cases.push_back(options);
  }
  return cases;
}

TEST_P(Training, TheNumberOfThreadsDoesNotChangeABit) {
  worst_ = 1;  // nothing is bounded here
  const int threads_before = omp_get_max_threads();
  for (const Options& options : RepeatedCases(GetParam())) {
    SCOPED_TRACE(ToString(options));
    std::array<Bytes, kNumTensors> first;
    for (const int threads : {1, 2, 3, 7}) {
      omp_set_num_threads(threads);
      TrainingRun run(options);
      run.Fill(11);
      run.Execute(run.forward);
      run.Execute(run.backward);
      if (threads == 1) first = run.memory;
      for (int i = 0; i < kNumTensors; ++i) {
        ASSERT_TRUE(run.memory[i] == first[i]) << ToString(static_cast<Tensor>(i)) << " with " << threads << " threads";
      }
    }
  }
  omp_set_num_threads(threads_before);
}

TEST_P(Training, EveryTargetOfThisMachineIsWithinTheBounds) {
  ASSERT_FALSE(TargetsOfThisMachine().empty());
  for (const int64_t target : TargetsOfThisMachine()) {
    SCOPED_TRACE(hwy::TargetName(target));
    setenv("TANDEM_TARGET", hwy::TargetName(target), 1);
    for (const Options& options : RepeatedCases(GetParam())) ExpectGradients(options, &worst_);
  }
  unsetenv("TANDEM_TARGET");
}

INSTANTIATE_TEST_SUITE_P(Type, Training, testing::Values(DataType::kF32, DataType::kBf16, DataType::kF16),
                         [](const testing::TestParamInfo<DataType>& info) { return ToString(info.param); });

}  // namespace
}  // namespace optimized
}  // namespace tandem
