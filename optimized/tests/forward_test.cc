// Forward propagation against itself, bit by bit: because each output is summed in one fixed order, a long, deep,
// two-directional run must equal single steps of single layers exactly. The judge looks at single steps.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "api/core/environment_testing.h"
#include "api/core/error.h"
#include "api/core/rnn/rnn_problem_testing.h"
#include "gtest/gtest.h"
#include "hwy/base.h"
#include "optimized/tests/forward_testing.h"

namespace tandem {
namespace optimized {
namespace {

constexpr DataType kFloats[] = {DataType::kF32, DataType::kBf16, DataType::kF16};

struct Case {
  std::string name;
  RnnProblem problem;
};

void AddCase(Cell cell, DataType x, Direction direction, const TestShape& shape, bool projected,
             std::vector<Case>* cases) {
  Case added;
  added.problem = MakeTestProblem(cell, Propagation::kForwardInference, direction, x, shape);
  RnnProblem* p = &added.problem;
  if (projected) Add(p, shape, x, kWeightsProjection);
  if (projected && x != DataType::kU8 && x != DataType::kS8) Add(p, shape, x, kWeightsPeephole);
  if (x == DataType::kU8 || x == DataType::kS8) {
    p->attr.rnn_data_scale = 100.f;
    p->attr.rnn_data_shift = x == DataType::kU8 ? 1.25f : 0.f;
    p->attr.rnn_weights.values = {900.f};
    p->attr.rnn_weights_projection.values = {500.f};
  }
  added.name = std::string(ToString(cell)) + " " + ToString(x) + " " + ToString(direction) +
               (projected ? " projected" : "") + " mb " + std::to_string(shape.mb);
  cases->push_back(added);
}

// Odd sizes on purpose: k that is no multiple of 4, units that leave a partial block, rows that leave a short tile, and
// enough of both for two and three threads to share.
std::vector<Case> Cases() {
  std::vector<Case> cases;
  for (const Direction direction : AllOf<Direction>()) {
    for (const Dim mb : {1, 5, 27}) {
      const TestShape shape = {2, 7, mb, 37, 37, 37, 37};
      for (const Cell cell : kCells) {
        TestShape own = shape;
        if (HasAttention(cell)) {
          if (direction != Direction::kLeft2Right) continue;
          own.n_layer = 1;
        }
        for (const DataType x : kFloats) AddCase(cell, x, direction, own, false, &cases);
      }
      TestShape projected = shape;
      projected.dhc = 53;
      AddCase(Cell::kLstm, DataType::kF32, direction, projected, true, &cases);
      AddCase(Cell::kLstm, DataType::kBf16, direction, projected, true, &cases);
      AddCase(Cell::kLstm, DataType::kU8, direction, projected, true, &cases);
      AddCase(Cell::kLstm, DataType::kS8, direction, shape, false, &cases);
      AddCase(Cell::kGru, DataType::kU8, direction, shape, false, &cases);
      AddCase(Cell::kLbrGru, DataType::kU8, direction, shape, false, &cases);
      AddCase(Cell::kLbrGru, DataType::kS8, direction, shape, false, &cases);
      for (const FpmathMode mode : {FpmathMode::kBf16, FpmathMode::kF16}) {
        AddCase(Cell::kLstm, DataType::kF32, direction, projected, true, &cases);
        cases.back().problem.attr.fpmath_mode = mode;
        cases.back().name += std::string(" fpmath ") + ToString(mode);
      }
    }
  }
  return cases;
}

void ExpectSameOutputs(const Tensors& got, const Tensors& want, const std::string& name) {
  for (const Tensor tensor : {kDstLayer, kDstIter, kDstIterC}) {
    EXPECT_TRUE(got[tensor] == want[tensor]) << name << ": " << ToString(tensor) << " differs";
  }
}

class Forward : public OnEachTarget {};
INSTANTIATE_TEST_SUITE_P(Targets, Forward, TargetsThatDifferHere(), NameOfTarget);

TEST_P(Forward, GivesTheSameBitsOnAnyNumberOfThreads) {
  for (const Case& c : Cases()) {
    Tensors one = MakeTensors(c.problem, 1);
    const Tensors inputs = one;
    {
      const WithThreads threads(1);
      RunForward(c.problem, WeightsForm::kPacked, &one);
    }
    EXPECT_NE(one[kDstLayer], inputs[kDstLayer]) << c.name;
    for (const Division& parts : {Division{1, 2, 1}, Division{1, 1, 2}, Division{1, 1, 3}, Division{2, 2, 2}}) {
      const DividedTeam team(parts);
      Tensors many = inputs;
      RunForward(c.problem, WeightsForm::kPacked, &many, team.options());
      ExpectSameOutputs(many, one,
                        c.name + ", rows / " + std::to_string(parts.rows) + ", units / " + std::to_string(parts.units));
    }
  }
}

TEST_P(Forward, GivesTheSameBitsForPlainAndPackedWeights) {
  for (const Case& c : Cases()) {
    if (EffectiveFpmathMode(c.problem) != FpmathMode::kStrict) continue;  // only packed weights are narrowed
    Tensors packed = MakeTensors(c.problem, 2);
    Tensors plain = packed;
    RunForward(c.problem, WeightsForm::kPacked, &packed);
    RunForward(c.problem, WeightsForm::kPlain, &plain);
    ExpectSameOutputs(plain, packed, c.name);
  }
}

TEST_P(Forward, GivesTheSameBitsForAnyLayoutOfTheData) {
  for (const Case& c : Cases()) {
    Tensors dense = MakeTensors(c.problem, 3);
    RunForward(c.problem, WeightsForm::kPacked, &dense);
    RnnProblem other = c.problem;
    const Dims src_dims(other.md[kSrcLayer].dims, other.md[kSrcLayer].dims + 3);
    const Dims dst_dims(other.md[kDstLayer].dims, other.md[kDstLayer].dims + 3);
    const Dim t = src_dims[0], n = src_dims[1];
    other.md[kSrcLayer] = MakeStrided(src_dims, TypeOf(other.md[kSrcLayer]), {1, t * src_dims[2] + 5, t});
    other.md[kDstLayer] = MakeStrided(dst_dims, TypeOf(other.md[kDstLayer]), {1, t, t * n});
    Tensors strided = MakeTensors(c.problem, 3);
    const auto permute = [](const MemoryDesc& from, const Bytes& in, const MemoryDesc& to, Bytes* out) {
      const size_t size = SizeOf(TypeOf(from));
      out->resize(SizeInBytes(to));
      for (Dim i = 0; i < NumElements(from); ++i) {
        const Dim index[] = {i / (from.dims[1] * from.dims[2]), i / from.dims[2] % from.dims[1], i % from.dims[2]};
        std::memcpy(out->data() + OffsetAt(to, index) * size, in.data() + OffsetAt(from, index) * size, size);
      }
    };
    const Bytes src = strided[kSrcLayer];
    permute(c.problem.md[kSrcLayer], src, other.md[kSrcLayer], &strided[kSrcLayer]);
    RunForward(other, WeightsForm::kPacked, &strided);
    const Bytes dst = strided[kDstLayer];
    permute(other.md[kDstLayer], dst, c.problem.md[kDstLayer], &strided[kDstLayer]);
    ExpectSameOutputs(strided, dense, c.name);
  }
}

// The problem of `layer` and `direction` of `p` for time steps of its own, one layer, left to right.
RnnProblem SingleStep(const RnnProblem& p) {
  TestShape shape;
  shape.n_layer = 1;
  shape.n_iter = 1;
  shape.mb = p.md[kSrcLayer].dims[1];
  shape.slc = p.md[kSrcLayer].dims[2];
  shape.sic = p.md[kSrcIter].dims[3];
  shape.dhc = p.md[kWeightsLayer].dims[4];
  shape.dic = p.md[kDstIter].dims[3];
  const DataType x = TypeOf(p.md[kSrcLayer]);
  RnnProblem single = MakeTestProblem(p.cell, p.propagation, Direction::kLeft2Right, x, shape);
  if (!IsZero(p.md[kWeightsProjection])) Add(&single, shape, x, kWeightsProjection);
  if (!IsZero(p.md[kWeightsPeephole])) Add(&single, shape, x, kWeightsPeephole);
  single.attr = p.attr;
  return single;
}

// The bytes of slice `index` where the tensor is `count` of them, one after the other.
Bytes SliceOf(const Bytes& all, Dim index, Dim count) {
  const size_t size = all.size() / static_cast<size_t>(count);
  return Bytes(all.begin() + index * size, all.begin() + (index + 1) * size);
}

// Runs `p` (one direction) as n_layer x n_iter single steps and compares every output.
void ExpectEqualToSingleSteps(const Case& c) {
  const RnnProblem& p = c.problem;
  const Dim layers = p.md[kWeightsLayer].dims[0], steps = p.md[kSrcLayer].dims[0];
  Tensors whole = MakeTensors(p, 4);
  const Tensors in = whole;
  RunForward(p, WeightsForm::kPacked, &whole);
  const RnnProblem single = SingleStep(p);
  std::vector<Bytes> sequence;
  for (Dim t = 0; t < steps; ++t) sequence.push_back(SliceOf(in[kSrcLayer], t, steps));
  for (Dim l = 0; l < layers; ++l) {
    Tensors x = MakeTensors(single, 0);
    for (int i = 0; i < kNumTensors; ++i) {
      if (!x[i].empty() && i != kSrcLayer && i != kDstLayer && i != kAugruAttention) {
        x[i] = SliceOf(in[i], l, layers);
      }
    }
    for (Dim s = 0; s < steps; ++s) {
      const Dim t = p.direction == Direction::kRight2Left ? steps - 1 - s : s;
      x[kSrcLayer] = sequence[t];
      if (!x[kAugruAttention].empty()) x[kAugruAttention] = SliceOf(in[kAugruAttention], t, steps);
      RunForward(single, WeightsForm::kPacked, &x);
      sequence[t] = x[kDstLayer];
      x[kSrcIter] = x[kDstIter];
      x[kSrcIterC] = x[kDstIterC];
    }
    EXPECT_TRUE(SliceOf(whole[kDstIter], l, layers) == x[kDstIter]) << c.name << ": dst_iter, layer " << l;
  }
  for (Dim t = 0; t < steps; ++t) {
    EXPECT_TRUE(SliceOf(whole[kDstLayer], t, steps) == sequence[t]) << c.name << ": dst_layer, t " << t;
  }
}

TEST_P(Forward, OfManyStepsAndLayersEqualsSingleStepsBitByBit) {
  for (const Case& c : Cases()) {
    if (!IsBidirectional(c.problem.direction)) ExpectEqualToSingleSteps(c);
  }
}

TEST_P(Forward, OfTwoDirectionsConcatenatesTheTwoRunsBitByBit) {
  for (const Case& c : Cases()) {
    if (c.problem.direction != Direction::kBidirectionalConcat) continue;
    Tensors both = MakeTensors(c.problem, 5);
    const Tensors in = both;
    RunForward(c.problem, WeightsForm::kPacked, &both);
    const Dim layers = c.problem.md[kWeightsLayer].dims[0], dic = c.problem.md[kDstIter].dims[3];
    const size_t half_row = static_cast<size_t>(dic) * SizeOf(TypeOf(c.problem.md[kDstLayer]));
    for (Dim d = 0; d < 2; ++d) {
      RnnProblem one = c.problem;
      one.direction = d == 0 ? Direction::kLeft2Right : Direction::kRight2Left;
      Tensors x = in;
      for (int i = 0; i < kNumTensors; ++i) {
        MemoryDesc* md = &one.md[i];
        if (IsZero(*md) || i == kSrcLayer) continue;
        Dims dims(md->dims, md->dims + md->ndims);
        dims[i == kDstLayer ? 2 : 1] /= 2;
        *md = MakeDense(dims, TypeOf(*md));
        x[i].clear();
        for (Dim l = 0; l < layers && i != kDstLayer; ++l) {
          const Bytes slice = SliceOf(in[i], 2 * l + d, 2 * layers);
          x[i].insert(x[i].end(), slice.begin(), slice.end());
        }
        x[i].resize(SizeInBytes(*md));
      }
      RunForward(one, WeightsForm::kPacked, &x);
      for (size_t row = 0; row < x[kDstLayer].size() / half_row; ++row) {
        ASSERT_EQ(std::memcmp(x[kDstLayer].data() + row * half_row, both[kDstLayer].data() + (2 * row + d) * half_row,
                              half_row),
                  0)
            << c.name << ": direction " << d << ", row " << row;
      }
    }
  }
}

TEST(TargetOfForward, IsRefusedIfThisMachineDoesNotHaveIt) {
  RnnProblem problem = MakeTestProblem(Cell::kLstm);
  Validate(&problem);
  SetVariable("TANDEM_TARGET", "AVX9");
  std::string message;
  try {
    CreateRnn(problem, nullptr);
  } catch (const Error& error) {
    message = error.what();
  }
  UnsetVariable("TANDEM_TARGET");
  EXPECT_NE(message.find("AVX9"), std::string::npos);
  for (const Target& target : TargetsOfThisMachine()) {
    EXPECT_NE(message.find(TargetName(target)), std::string::npos) << message;
  }
}

TEST(TargetOfForward, EmulatesAmxOnlyIfItIsNamed) {
  EXPECT_TRUE(TargetsOfThisMachine().back().Has(Feature::kAmxEmulated));
  UnsetVariable("TANDEM_TARGET");
  EXPECT_FALSE(TargetInForce().Has(Feature::kAmxEmulated));
  const ForcedTarget chosen(TargetName(TargetsOfThisMachine().back()));
  EXPECT_TRUE(TargetInForce().Has(Feature::kAmxEmulated));
}

size_t InferenceScratchpad(Cell cell, DataType x, Dim n_iter) {
  const TestShape shape = {2, n_iter, 3, 37, 37, 37, 37};
  std::vector<Case> cases;
  AddCase(cell, x, Direction::kBidirectionalConcat, shape, cell == Cell::kLstm, &cases);
  Validate(&cases[0].problem);
  return CreateRnn(cases[0].problem, nullptr)->scratchpad_bytes();
}

TEST_P(Forward, ScratchpadOfInferenceStopsGrowingAtAChunkOfSteps) {
  for (const Cell cell : {Cell::kVanillaRnn, Cell::kLstm, Cell::kGru, Cell::kLbrGru}) {
    for (const DataType x : {DataType::kF32, DataType::kBf16, DataType::kF16, DataType::kU8}) {
      if (x == DataType::kU8 && cell != Cell::kLstm && cell != Cell::kGru) continue;
      const std::string name = std::string(ToString(cell)) + " " + ToString(x);
      EXPECT_EQ(InferenceScratchpad(cell, x, 100), InferenceScratchpad(cell, x, 10000)) << name;
      EXPECT_LT(InferenceScratchpad(cell, x, 2), InferenceScratchpad(cell, x, 100)) << name;
    }
  }
}

TEST_P(Forward, OfScalesWhoseProductIsTooSmallForF32TakesZeroForZero) {
  RnnProblem problem =
      MakeTestProblem(Cell::kLstm, Propagation::kForwardInference, Direction::kLeft2Right, DataType::kU8);
  problem.attr.rnn_data_scale = 1e-30f;
  problem.attr.rnn_weights.values = {1e-20f};
  Tensors tensors = MakeTensors(problem, 7);
  for (const Tensor tensor : {kWeightsLayer, kWeightsIter})
    std::fill(tensors[tensor].begin(), tensors[tensor].end(), 0);
  RunForward(problem, WeightsForm::kPlain, &tensors);
  for (size_t i = 0; i < tensors[kDstIterC].size() / sizeof(float); ++i) {
    EXPECT_TRUE(std::isfinite(LoadElement(DataType::kF32, tensors[kDstIterC], i))) << "element " << i;
  }
}

// A client that keeps its state in one buffer: one step, whose dst_layer lies on src_iter. `before` elements of the
// buffer come before the state; src_iter is a window that begins after them.
void ExpectDstLayerMayLieOnSrcIter(Cell cell, Dim before) {
  const TestShape shape = {1, 1, 3, 80, 80, 80, 80};
  RnnProblem p = MakeTestProblem(cell, Propagation::kForwardInference, Direction::kLeft2Right, DataType::kF32, shape);
  Tensors apart = MakeTensors(p, 8);
  Tensors tensors = apart;
  RunForward(p, WeightsForm::kPlain, &apart);
  p.md[kSrcIter].offset0 = before;
  Validate(&p);
  const std::unique_ptr<const RnnPlan> plan = CreateRnn(p, nullptr);
  RnnBuffers buffers;
  for (int i = 0; i < kNumTensors; ++i) buffers.tensor[i] = tensors[i].empty() ? nullptr : tensors[i].data();
  Bytes state(static_cast<size_t>(before) * sizeof(float));
  const size_t begin = state.size();
  state.insert(state.end(), tensors[kSrcIter].begin(), tensors[kSrcIter].end());
  buffers.tensor[kSrcIter] = state.data();
  buffers.tensor[kDstLayer] = state.data() + begin;
  Bytes scratch(plan->scratchpad_bytes());
  buffers.scratchpad = scratch.data();
  plan->Execute(buffers);
  EXPECT_EQ(std::memcmp(state.data() + begin, apart[kDstLayer].data(), apart[kDstLayer].size()), 0)
      << ToString(cell) << ", " << before << " elements before the state";
}

TEST_P(Forward, MayWriteDstLayerOverSrcIter) {
  for (const Cell cell : kCells) {
    for (const Dim before : {0, 1000}) ExpectDstLayerMayLieOnSrcIter(cell, before);
  }
}

// Other processors keep subnormals: threading.h.
#if HWY_ARCH_X86 || HWY_ARCH_ARM_A64
void Fill(float value, Bytes* bytes) {
  for (size_t i = 0; i < bytes->size() / sizeof value; ++i) StoreElement(DataType::kF32, value, i, bytes);
}

TEST_P(Forward, TreatsSubnormalsAsZeroOnlyWhileItRuns) {
  RnnProblem problem = MakeTestProblem(Cell::kVanillaRnn);
  problem.activation = Activation::kRelu;
  volatile float tiny = 1e-40f;
  for (const Division& parts : {Division{1, 1, 1}, Division{1, 2, 1}}) {
    const DividedTeam team(parts);
    Tensors tensors = MakeTensors(problem, 6);
    for (const Tensor zero : {kWeightsIter, kSrcIter, kBias}) Fill(0.f, &tensors[zero]);
    Fill(1.f, &tensors[kWeightsLayer]);
    Fill(tiny, &tensors[kSrcLayer]);
    RunForward(problem, WeightsForm::kPacked, &tensors, team.options());
    EXPECT_EQ(tensors[kDstLayer], Bytes(tensors[kDstLayer].size(), 0)) << parts.threads() << " threads";
    EXPECT_GT(tiny * 0.5f, 0.f);
  }
}
#endif

}  // namespace
}  // namespace optimized
}  // namespace tandem
