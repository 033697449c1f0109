// Weights in s8 of data in a floating type. With scales of 1 they are integers, which a product takes in the same order as it
// takes them in f32, so that every bit is that of f32 weights; and a scale of 2^n is exact.
#include "api/core/rnn/rnn_problem_testing.h"
#include "gtest/gtest.h"
#include "optimized/tests/forward_testing.h"

namespace tandem {
namespace optimized {
namespace {

constexpr Tensor kAllWeights[] = {kWeightsLayer, kWeightsIter, kWeightsProjection};

RnnProblem MakeProblem(Cell cell, DataType x, Dim mb, bool projected) {
  // Neither k nor units fill their last group.
  const Dim dhc = projected ? 53 : 37;
  const TestShape shape = {HasAttention(cell) ? 1 : 2, 3, mb, 37, 37, dhc, 37};
  RnnProblem problem = MakeTestProblem(cell, Propagation::kForwardInference, Direction::kLeft2Right, x, shape);
  if (projected) Add(&problem, shape, x, kWeightsProjection);
  return problem;
}

// `weights` in s8; their scales are 2^i, i from 0 to 5, by gate and channel.
RnnProblem InBytes(RnnProblem problem) {
  for (const Tensor tensor : kAllWeights) {
    if (!problem.Has(tensor)) continue;
    const MemoryDesc& md = problem.md[tensor];
    problem.md[tensor] = MakeDense(Dims(md.dims, md.dims + md.ndims), DataType::kS8);
  }
  const auto powers = [](Dim count) {
    std::vector<float> scales(static_cast<size_t>(count));
    for (size_t i = 0; i < scales.size(); ++i) scales[i] = std::exp2(static_cast<float>(i % 6));
    return scales;
  };
  const MemoryDesc& layer = problem.md[kWeightsLayer];
  problem.attr.rnn_weights = {24, powers(layer.dims[3] * layer.dims[4])};
  if (problem.Has(kWeightsProjection)) {
    problem.attr.rnn_weights_projection = {8, powers(problem.md[kWeightsProjection].dims[3])};
  }
  return problem;
}

// Bytes in `bytes`, and what they stand for in `floats`.
void FillWeights(const RnnProblem& in_bytes, const RnnProblem& in_floats, Tensors* bytes, Tensors* floats) {
  for (const Tensor tensor : kAllWeights) {
    if (!in_bytes.Has(tensor)) continue;
    const auto& scales =
        tensor == kWeightsProjection ? in_bytes.attr.rnn_weights_projection : in_bytes.attr.rnn_weights;
    for (size_t i = 0; i < (*bytes)[tensor].size(); ++i) {
      const int value = static_cast<int>(i * 37 % 61) - 30;
      (*bytes)[tensor][i] = static_cast<char>(value);
      const float real = static_cast<float>(value) / scales.values[i % scales.values.size()];
      StoreElement(TypeOf(in_floats.md[tensor]), real, i, &(*floats)[tensor]);
    }
  }
}

void ExpectTheBitsOfFloats(Cell cell, DataType x, Dim mb, bool projected) {
  const RnnProblem in_floats = MakeProblem(cell, x, mb, projected), in_bytes = InBytes(in_floats);
  Tensors floats = MakeTensors(in_floats, 3), bytes = MakeTensors(in_bytes, 3);
  FillWeights(in_bytes, in_floats, &bytes, &floats);
  for (const Tensor tensor : {kSrcLayer, kSrcIter, kSrcIterC, kBias, kAugruAttention}) bytes[tensor] = floats[tensor];
  // LBR adds its bias to W x before U h, and behind both with s8 weights.
  if (IsLinearBeforeReset(cell)) {
    for (Tensors* tensors : {&floats, &bytes}) std::fill((*tensors)[kBias].begin(), (*tensors)[kBias].end(), 0);
  }
  Tensors plain = bytes;
  RunForward(in_floats, WeightsForm::kPacked, &floats);
  RunForward(in_bytes, WeightsForm::kPacked, &bytes);
  RunForward(in_bytes, WeightsForm::kPlain, &plain);
  for (const Tensor tensor : {kDstLayer, kDstIter, kDstIterC}) {
    const std::string what = std::string(ToString(cell)) + " " + ToString(x) + ", " + std::to_string(mb) + " rows, " +
                             ToString(tensor) + (projected ? ", projected" : "");
    EXPECT_TRUE(bytes[tensor] == floats[tensor]) << what;
    EXPECT_TRUE(plain[tensor] == bytes[tensor]) << what << ", plain weights";
  }
}

class ByteWeights : public OnEachTarget {};
INSTANTIATE_TEST_SUITE_P(Targets, ByteWeights, EveryTarget(), NameOfTarget);

TEST_P(ByteWeights, OfScalesThatArePowersOfTwoGiveTheBitsOfFloatWeights) {
  for (const DataType x : {DataType::kF32, DataType::kF16}) {
    for (const Dim mb : {1, 2, 5, 27}) {
      for (const Cell cell : kCells) ExpectTheBitsOfFloats(cell, x, mb, false);
      ExpectTheBitsOfFloats(Cell::kLstm, x, mb, true);
    }
  }
}

}  // namespace
}  // namespace optimized
}  // namespace tandem
