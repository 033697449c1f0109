// Dynamic quantization: rows of f32 data become bytes by their own range before each product with s8 weights.
#include "api/core/rnn/rnn_problem_testing.h"
#include "gtest/gtest.h"
#include "optimized/tests/forward_testing.h"

namespace tandem {
namespace optimized {
namespace {

constexpr Tensor kAllWeights[] = {kWeightsLayer, kWeightsIter, kWeightsProjection};

// Weights in s8, scales of 2^8 to 2^13 by gate and channel. Neither k nor units fill their last group.
RnnProblem MakeProblem(Cell cell, Dim layers, Dim steps, Dim mb, bool projected) {
  const Dim dhc = projected ? 53 : 37;
  const TestShape shape = {layers, steps, mb, 37, 37, dhc, 37};
  RnnProblem problem =
      MakeTestProblem(cell, Propagation::kForwardInference, Direction::kLeft2Right, DataType::kF32, shape);
  if (projected) Add(&problem, shape, DataType::kF32, kWeightsProjection);
  for (const Tensor tensor : kAllWeights) {
    if (!problem.Has(tensor)) continue;
    const MemoryDesc& md = problem.md[tensor];
    problem.md[tensor] = MakeDense(Dims(md.dims, md.dims + md.ndims), DataType::kS8);
  }
  std::vector<float> scales(static_cast<size_t>(NumGates(cell) * dhc));
  for (size_t i = 0; i < scales.size(); ++i) scales[i] = std::exp2(static_cast<float>(8 + i % 6));
  problem.attr.rnn_weights = {24, scales};
  if (projected) problem.attr.rnn_weights_projection = {0, {16.f}};
  return problem;
}

RnnProblem Dynamic(RnnProblem problem) {
  problem.attr.rnn_dynamic_quantization = true;
  return problem;
}

void FillWeights(const RnnProblem& problem, int most, Tensors* tensors) {
  for (const Tensor tensor : kAllWeights) {
    if (!problem.Has(tensor)) continue;
    for (size_t i = 0; i < (*tensors)[tensor].size(); ++i) {
      (*tensors)[tensor][i] = static_cast<char>(static_cast<int>(i * 37 % (2 * static_cast<size_t>(most) + 1)) - most);
    }
  }
}

// Rows of `channels` multiples of `unit` from -100 to 155: 255 steps, so that bytes hold them.
void FillWithBytes(Dim channels, float unit, std::vector<char>* tensor) {
  const size_t row = static_cast<size_t>(channels);
  for (size_t i = 0; i < tensor->size() / sizeof(float); ++i) {
    const size_t k = i % row;
    const float value = k == 3 ? -100.f : k == row - 2 ? 155.f : static_cast<float>(i * 53 % 256) - 100.f;
    StoreElement(DataType::kF32, value * unit, i, tensor);
  }
}

class DynamicQuantization : public OnEachTarget {};
INSTANTIATE_TEST_SUITE_P(Targets, DynamicQuantization, EveryTarget(), NameOfTarget);

TEST_P(DynamicQuantization, OfRowsThatBytesHoldGivesTheBitsOfFloats) {
  for (const Cell cell : {Cell::kVanillaRnn, Cell::kLstm, Cell::kLbrGru, Cell::kLbrAugru}) {
    for (const Dim mb : {1, 2, 5, 27}) {
      const RnnProblem floats = MakeProblem(cell, 1, 1, mb, false);
      Tensors tensors = MakeTensors(floats, 3);
      FillWeights(floats, 3, &tensors);
      FillWithBytes(37, 1.f, &tensors[kSrcLayer]);
      FillWithBytes(37, 0x1p-8f, &tensors[kSrcIter]);
      std::fill(tensors[kBias].begin(), tensors[kBias].end(), 0);
      Tensors plain = tensors, packed = tensors;
      RunForward(floats, WeightsForm::kPacked, &tensors);
      RunForward(Dynamic(floats), WeightsForm::kPlain, &plain);
      RunForward(Dynamic(floats), WeightsForm::kPacked, &packed);
      for (const Tensor tensor : {kDstLayer, kDstIter, kDstIterC}) {
        const std::string what = std::string(ToString(cell)) + ", " + std::to_string(mb) + " rows, " + ToString(tensor);
        EXPECT_TRUE(packed[tensor] == tensors[tensor]) << what;
        EXPECT_TRUE(plain[tensor] == packed[tensor]) << what << ", plain weights";
      }
    }
  }
}

// The elements of minibatch row `n` of `mb`, of a tensor whose rows have `channels`.
std::vector<char> RowOf(const std::vector<char>& tensor, Dim mb, Dim n, Dim channels) {
  std::vector<char> row;
  const size_t size = static_cast<size_t>(channels) * sizeof(float);
  for (size_t at = static_cast<size_t>(n) * size; at < tensor.size(); at += static_cast<size_t>(mb) * size) {
    row.insert(row.end(), tensor.begin() + static_cast<std::ptrdiff_t>(at),
               tensor.begin() + static_cast<std::ptrdiff_t>(at + size));
  }
  return row;
}

void ExpectRowsOfTheirOwn(Cell cell, bool projected) {
  constexpr Dim kRows = 5;
  const Dim layers = HasAttention(cell) ? 1 : 2, dhc = projected ? 53 : 37;
  const RnnProblem all = Dynamic(MakeProblem(cell, layers, 3, kRows, projected));
  const RnnProblem one = Dynamic(MakeProblem(cell, layers, 3, 1, projected));
  Tensors batch = MakeTensors(all, 3);
  FillWeights(all, 100, &batch);
  // The values differ much in size.
  for (size_t i = 0; i < batch[kSrcLayer].size() / sizeof(float); ++i) {
    const float value = LoadFloat(batch[kSrcLayer].data(), DataType::kF32, static_cast<Dim>(i));
    StoreElement(DataType::kF32, value * (i / 37 % kRows == 1 ? 1000.f : 1.f), i, &batch[kSrcLayer]);
  }
  const Tensors given = batch;
  RunForward(all, WeightsForm::kPacked, &batch);
  for (Dim n = 0; n < kRows; ++n) {
    Tensors alone = given;
    const auto row = [&](const Tensors& tensors, Tensor tensor) {
      const bool c = tensor == kSrcIterC || tensor == kDstIterC;
      return RowOf(tensors[tensor], kRows, n, tensor == kAugruAttention ? 1 : c ? dhc : 37);
    };
    for (const Tensor tensor : {kSrcLayer, kSrcIter, kSrcIterC, kAugruAttention, kDstLayer, kDstIter, kDstIterC}) {
      alone[tensor] = row(given, tensor);
    }
    RunForward(one, WeightsForm::kPacked, &alone);
    for (const Tensor tensor : {kDstLayer, kDstIter, kDstIterC}) {
      EXPECT_TRUE(alone[tensor] == row(batch, tensor)) << ToString(cell) << ", row " << n << " of " << ToString(tensor);
    }
  }
}

TEST_P(DynamicQuantization, OfARowDoesNotDependOnOthers) {
  for (const Cell cell : kCells) ExpectRowsOfTheirOwn(cell, false);
  ExpectRowsOfTheirOwn(Cell::kLstm, true);
}

}  // namespace
}  // namespace optimized
}  // namespace tandem
