// Backward against sums of integers, which floats hold exactly. No error of order or rounding hides a row, a step or a column
// that is taken twice, or from another place.
#include <cstdint>
#include <string>
#include <vector>

#include "api/core/rnn/rnn_problem_testing.h"
#include "gtest/gtest.h"
#include "optimized/tests/forward_testing.h"
#include "optimized/tests/linear_network_testing.h"

namespace tandem {
namespace optimized {
namespace {

// Forward and backward, both divided so.
void RunTraining(const RnnProblem& problem, const Division& parts, Tensors* tensors) {
  const DividedTeam team(parts);
  Bytes workspace;
  RunForward(ForwardOf(problem), WeightsForm::kPlain, tensors, team.options(), &workspace);
  std::string why_not;
  const std::unique_ptr<const RnnPlan> plan = CreateRnnForTeam(problem, team.options(), &why_not);
  ASSERT_NE(plan, nullptr) << why_not;
  RnnBuffers buffers;
  for (int i = 0; i < kNumTensors; ++i) buffers.tensor[i] = (*tensors)[i].empty() ? nullptr : (*tensors)[i].data();
  Bytes scratch(plan->scratchpad_bytes() + 4, static_cast<char>(0xff));
  buffers.scratchpad = scratch.data() + 4;
  buffers.workspace = workspace.data();
  plan->Execute(buffers);
}

enum class Lengths { kFull, kOfEachRow };

RnnProblem LinearProblem(const TestShape& shape, Direction direction, DataType x, Lengths lengths) {
  RnnProblem problem = MakeTestProblem(Cell::kVanillaRnn, Propagation::kBackward, direction, x, shape);
  problem.activation = Activation::kRelu;
  problem.alpha = 1.f;
  problem.attr.rnn_sequence_lengths = lengths == Lengths::kOfEachRow;
  Validate(&problem);
  return problem;
}

std::string Named(const RnnProblem& p, const Division& parts) {
  return std::string(ToString(p.SrcType())) + " " + ToString(p.direction) +
         (p.Has(kSequenceLengths) ? " lengths" : "") + ", " + std::to_string(p.n_iter) + " steps, " +
         std::to_string(p.mb) + " rows, " + std::to_string(p.slc) + " to " + std::to_string(p.dhc) +
         " channels, rows / " + std::to_string(parts.rows) + ", units / " + std::to_string(parts.units);
}

int32_t* LengthsIn(Tensors* tensors) { return reinterpret_cast<int32_t*>((*tensors)[kSequenceLengths].data()); }

Tensors IntegersFor(const RnnProblem& problem) {
  Tensors tensors = MakeTensors(problem, 7);
  FillWithIntegers(problem, &tensors);
  return tensors;
}

void ExpectTheIntegersOf(const Tensors& given, const RnnProblem& problem, const std::vector<Division>& divisions) {
  Tensors want = given;
  LinearNetwork network(problem, &want);
  network.Run();
  ASSERT_LE(network.largest(), 256) << "bf16 does not hold it";
  for (const Division& parts : divisions) {
    Tensors got = given;
    RunTraining(problem, parts, &got);
    for (int i = 0; i < kNumTensors; ++i) {
      EXPECT_TRUE(got[i] == want[i]) << Named(problem, parts) << ": " << ToString(static_cast<Tensor>(i));
    }
  }
}

void ExpectTheIntegers(const RnnProblem& problem, const std::vector<Division>& divisions) {
  ExpectTheIntegersOf(IntegersFor(problem), problem, divisions);
}

const std::vector<Division> kOneAndMore = {{1, 1, 1}, {1, 3, 1}, {1, 2, 2}};

class Backward : public OnEachTarget {};
INSTANTIATE_TEST_SUITE_P(Targets, Backward, TargetsThatDifferHere(), NameOfTarget);

TEST_P(Backward, SumsEveryRowAndStepOnce) {
  for (const DataType x : {DataType::kF32, DataType::kBf16, DataType::kF16}) {
    for (const Direction direction : AllOf<Direction>()) {
      for (const Lengths lengths : {Lengths::kFull, Lengths::kOfEachRow}) {
        ExpectTheIntegers(LinearProblem({2, 5, 5, 21, 21, 21, 21}, direction, x, lengths), kOneAndMore);
      }
    }
  }
}

// More than 768 rows: several products for the weights, in one step and over several.
TEST_P(Backward, AddsUpProductsOfManyRows) {
  for (const Lengths lengths : {Lengths::kFull, Lengths::kOfEachRow}) {
    for (const TestShape& shape : {TestShape{1, 1, 811, 5, 17, 17, 17}, TestShape{1, 61, 37, 5, 17, 17, 17},
                                   TestShape{1, 3, 401, 5, 17, 17, 17}}) {
      ExpectTheIntegers(LinearProblem(shape, Direction::kRight2Left, DataType::kF32, lengths), kOneAndMore);
      ExpectTheIntegers(LinearProblem(shape, Direction::kLeft2Right, DataType::kBf16, lengths), kOneAndMore);
    }
  }
}

// Sums of no rows at all are zeros, not what the scratchpad had.
TEST_P(Backward, AddsNothingWhereNoRowHasAStep) {
  const RnnProblem problem =
      LinearProblem({2, 5, 5, 21, 21, 21, 21}, Direction::kBidirectionalSum, DataType::kF32, Lengths::kOfEachRow);
  Tensors given = IntegersFor(problem);
  std::fill_n(LengthsIn(&given), problem.mb, 0);
  ExpectTheIntegersOf(given, problem, kOneAndMore);
}

// The gates are so far from 0 that they let everything through: h before the projection is the sign of c.
void ExpectTheSumsOfSigns(Dim dic, Dim mb, const Division& parts) {
  const TestShape shape = {1, 3, mb, 9, dic, 21, dic};
  RnnProblem problem =
      MakeTestProblem(Cell::kLstm, Propagation::kBackward, Direction::kLeft2Right, DataType::kF32, shape);
  Add(&problem, shape, DataType::kF32, kWeightsProjection);
  problem.attr.rnn_sequence_lengths = true;
  Validate(&problem);
  Tensors got = IntegersFor(problem);
  const View c(problem, kSrcIterC, &got), bias(problem, kBias, &got), above(problem, kDiffDstLayer, &got);
  for (Dim gate = 0; gate < 4; ++gate) {
    for (Dim j = 0; j < shape.dhc; ++j) bias.Set(gate == 2 ? 0 : 100, Dim{0}, Dim{0}, gate, j);
  }
  for (const Tensor tensor : {kWeightsLayer, kWeightsIter}) std::fill(got[tensor].begin(), got[tensor].end(), 0);
  std::fill(got[kDiffDstIter].begin(), got[kDiffDstIter].end(), 0);
  Tensors want = got;
  const View sums(problem, kDiffWeightsProjection, &want);
  for (Dim n = 0; n < shape.mb; ++n) {
    for (Dim i = 0; i < shape.dhc; ++i) {
      const double sign = (n + i) % 3 == 0 ? -1 : 1;
      c.Set(sign * 100, Dim{0}, Dim{0}, n, i);
      for (Dim t = 0; t < LengthsIn(&got)[n]; ++t) {
        for (Dim j = 0; j < dic; ++j) sums.Add(sign * above.Get(t, n, j), Dim{0}, Dim{0}, i, j);
      }
    }
  }
  RunTraining(problem, parts, &got);
  EXPECT_TRUE(got[kDiffWeightsProjection] == want[kDiffWeightsProjection]) << dic << " channels";
}

TEST_P(Backward, PutsEveryColumnOfTheProjectionInItsPlace) {
  for (const Dim dic : {1, 16, 17, 64, 70, 80, 128, 131}) {
    for (const Division& parts : kOneAndMore) ExpectTheSumsOfSigns(dic, 5, parts);
  }
  ExpectTheSumsOfSigns(70, 811, {1, 2, 1});
}

// Panels of 64 columns and what is left of them, in the user's layout and in the scratchpad.
TEST_P(Backward, PutsEveryColumnInItsPlace) {
  for (const Dim units : {1, 15, 16, 17, 64, 70, 80, 131}) {
    for (const Lengths lengths : {Lengths::kFull, Lengths::kOfEachRow}) {
      const TestShape shape = {1, 2, 3, 9, units, units, units};
      RnnProblem problem = LinearProblem(shape, Direction::kLeft2Right, DataType::kF32, lengths);
      ExpectTheIntegers(problem, kOneAndMore);
      for (const Tensor tensor : {kDiffWeightsLayer, kDiffWeightsIter}) {
        const Dim inputs = problem.md[tensor].dims[2];
        problem.md[tensor] = MakeStrided({1, 1, inputs, 1, units}, DataType::kF32,
                                         {inputs * units, inputs * units, 1, inputs * units, inputs});
      }
      ExpectTheIntegers(problem, {{1, 1, 1}, {1, 1, 3}});
    }
  }
}

// All tensors with their channels apart.
TEST_P(Backward, ReadsAndWritesAnyStrides) {
  for (const Lengths lengths : {Lengths::kFull, Lengths::kOfEachRow}) {
    RnnProblem problem =
        LinearProblem({1, 4, 5, 9, 21, 21, 21}, Direction::kBidirectionalConcat, DataType::kF32, lengths);
    for (const Tensor tensor : {kSrcLayer, kDiffSrcLayer, kDstLayer, kDiffDstLayer}) {
      const Dim channels = problem.md[tensor].dims[2];
      problem.md[tensor] = MakeStrided({4, 5, channels}, DataType::kF32, {1, 4 * channels, 4});
    }
    for (const Tensor tensor : {kSrcIter, kDiffSrcIter, kDstIter, kDiffDstIter}) {
      problem.md[tensor] = MakeStrided({1, 2, 5, 21}, DataType::kF32, {210, 105, 1, 5});
    }
    ExpectTheIntegers(problem, kOneAndMore);
  }
}

// A batch in which one row has steps.
constexpr Dim kRows = 4, kLive = 2, kSteps = 5;

RnnProblem BatchOf(Cell cell, DataType x) {
  const bool attention = HasAttention(cell);
  const Direction direction = attention ? Direction::kLeft2Right : Direction::kBidirectionalConcat;
  const TestShape shape = {attention ? 1 : 2, kSteps, kRows, 37, 37, 37, 37};
  RnnProblem batch = MakeTestProblem(cell, Propagation::kBackward, direction, x, shape);
  batch.attr.rnn_sequence_lengths = true;
  Validate(&batch);
  return batch;
}

RnnProblem RowOf(const RnnProblem& batch, Dim length) {
  const TestShape shape = {batch.n_layer, length, 1, batch.slc, batch.sic, batch.dhc, batch.dic};
  RnnProblem row = MakeTestProblem(batch.cell, Propagation::kBackward, batch.direction, batch.SrcType(), shape);
  Validate(&row);
  return row;
}

// A tensor of {T, N, C} or {L, D, N, C} is rows of bytes, of which each kRows-th is the live one's.
Bytes LiveBytes(const RnnProblem& batch, const RnnProblem& row, int tensor, const Bytes& from) {
  const MemoryDesc &all = batch.md[tensor], &one = row.md[tensor];
  if (IsZero(one)) return {};
  if (IsParameter(WithoutDiff(static_cast<Tensor>(tensor)))) return from;
  const size_t size = SizeOf(TypeOf(all)) * static_cast<size_t>(all.dims[all.ndims - 1]);
  Bytes bytes;
  for (size_t at = kLive * size; bytes.size() < SizeInBytes(one); at += kRows * size) {
    const auto begin = from.begin() + static_cast<std::ptrdiff_t>(at);
    bytes.insert(bytes.end(), begin, begin + static_cast<std::ptrdiff_t>(size));
  }
  return bytes;
}

// Counts the elements of {T, N, C} that are not zero where no row has a step.
int NonzerosBeyondEnds(const RnnProblem& batch, Tensor tensor, Dim length, Tensors* tensors) {
  const View view(batch, tensor, tensors);
  int count = 0;
  for (Dim t = 0; t < kSteps && batch.Has(tensor); ++t) {
    for (Dim n = 0; n < kRows; ++n) {
      if (n == kLive && t < length) continue;
      for (Dim i = 0; i < batch.md[tensor].dims[2]; ++i) count += view.Get(t, n, i) != 0;
    }
  }
  return count;
}

void ExpectTheBitsOfTheRowAlone(const RnnProblem& batch, Dim length) {
  const RnnProblem row = RowOf(batch, length);
  const std::string name =
      std::string(ToString(batch.cell)) + " " + ToString(batch.SrcType()) + ", length " + std::to_string(length) + ": ";
  Tensors many = MakeTensors(batch, 5), alone;
  for (Dim n = 0; n < kRows; ++n) LengthsIn(&many)[n] = n == kLive ? static_cast<int32_t>(length) : 0;
  for (int i = 0; i < kNumTensors; ++i) alone[i] = LiveBytes(batch, row, i, many[i]);
  RunTraining(batch, {1, 2, 2}, &many);
  RunTraining(row, {1, 1, 1}, &alone);
  for (int i = 0; i < kNumTensors; ++i) {
    EXPECT_TRUE(LiveBytes(batch, row, i, many[i]) == alone[i]) << name << ToString(static_cast<Tensor>(i));
  }
  for (const Tensor tensor : {kDstLayer, kDiffSrcLayer, kDiffAugruAttention}) {
    EXPECT_EQ(NonzerosBeyondEnds(batch, tensor, length, &many), 0) << name << ToString(tensor) << " beyond the ends";
  }
}

TEST_P(Backward, GivesARowAmongEmptyOnesTheBitsOfTheRowAlone) {
  for (const Cell cell : kCells) {
    for (const DataType x : {DataType::kF32, DataType::kBf16}) {
      for (const Dim length : {Dim{1}, Dim{3}, kSteps}) ExpectTheBitsOfTheRowAlone(BatchOf(cell, x), length);
    }
  }
}

}  // namespace
}  // namespace optimized
}  // namespace tandem
